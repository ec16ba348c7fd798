/* SPDX-License-Identifier: MIT */
/* Reads the frames of a stack in JSON. */
#include "json_frames.h"

#include "../json/text.h"

#define READABLE 32 /* bytes after a text that functions may read */

bool json_frames_push(dump *d, brz_text *scratch, const brz_json_token *array,
                      dump_describe *describe)
{
    bool good = true;
    cursor c;
    if (!members_open(&c, d->ctx, array, BRZ_JSON_ARRAY))
        return false;
    while (cursor_element(&c)) {
        good &= c.token.kind == BRZ_JSON_STRING;
        json_text_into(scratch, d->ctx, &c.token);
        brz_text_room(scratch, d->ctx, READABLE);
        cursor_skip(&c);
        dump_push(d, brz_text_str(scratch), 0, describe);
    }
    return good;
}
