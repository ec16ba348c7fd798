/* SPDX-License-Identifier: MIT */
/* Reads the word with which brazier's outputs state the kind of a frame. */
#ifndef COMMON_JSON_FRAME_KIND_H
#define COMMON_JSON_FRAME_KIND_H

#include "cursor.h"

/* Sets kind and flags of a frame. Unknown words change nothing. */
static inline void json_set_kind(brz_frame_desc *d, const brz_json_token *kind)
{
    static const struct {
        const char *word;
        uint32_t kind, flags;
    } kinds[] = {{"process", BRZ_KIND_PROCESS, 0},  {"user", BRZ_KIND_USER, 0},
                 {"kernel", BRZ_KIND_KERNEL, 0},    {"jit", 0, BRZ_FRAME_JIT},
                 {"inlined", 0, BRZ_FRAME_INLINED}, {"waker", 0, BRZ_FRAME_WAKER}};
    for (size_t i = 0; i < BRZ_COUNT_OF(kinds) && kind->kind == BRZ_JSON_STRING; i++)
        if (brz_json_text_is(kind->text, brz_str_of_text(kinds[i].word))) {
            d->kind = kinds[i].kind;
            d->flags = kinds[i].flags;
        }
}

#endif
