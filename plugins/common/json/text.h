/* SPDX-License-Identifier: MIT */
/* Converts values of JSON members. */
#ifndef COMMON_JSON_TEXT_H
#define COMMON_JSON_TEXT_H

#include "cursor.h"

/* Returns a copy, which lives as long as the instance, of the decoded text of a string. Returns an
 * empty text for other values. */
static inline brz_str json_text(brz_ctx *ctx, const brz_json_token *t)
{
    brz_text text = {0};
    if (t->kind != BRZ_JSON_STRING || t->text.len == 0)
        return brz_str_of(NULL, 0);
    brz_json_decode(&text, ctx, t->text);
    return brz_text_str(&text);
}

/* Decodes the text of a string into `to`, which is reused. */
static inline brz_str json_text_into(brz_text *to, brz_ctx *ctx, const brz_json_token *t)
{
    to->len = 0;
    if (t->kind == BRZ_JSON_STRING)
        brz_json_decode(to, ctx, t->text);
    return brz_text_str(to);
}

#endif
