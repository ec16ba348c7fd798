/* SPDX-License-Identifier: MIT */
/* Reads the members of JSON objects by their keys. */
#include "members.h"

#include <brazier/text/integer.h>

size_t members_find(brz_str key, const char *const *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (brz_json_text_is(key, brz_str_of_text(keys[i])))
            return i;
    return n;
}

brz_json_token members_value(cursor *c)
{
    brz_json_token value = c->token;
    value.text = cursor_skip(c);
    return value;
}

void members_read(cursor *c, const char *const *keys, size_t n, brz_json_token *values)
{
    brz_str key;
    while (cursor_member(c, &key)) {
        size_t i = members_find(key, keys, n);
        brz_json_token value = members_value(c);
        if (i < n)
            values[i] = value;
    }
}

bool members_enter(cursor *c, const char *const *keys, size_t n, brz_json_token *values)
{
    if (!cursor_enter(c, BRZ_JSON_OBJECT))
        return false;
    members_read(c, keys, n, values);
    return true;
}

bool members_of(brz_ctx *ctx, const brz_json_token *value, const char *const *keys, size_t n,
                brz_json_token *values)
{
    cursor c;
    cursor_start(&c, ctx, value->text);
    return value->kind == BRZ_JSON_OBJECT && cursor_next(&c) && members_enter(&c, keys, n, values);
}

void members_of_input(brz_ctx *ctx, const brz_chunk *chunk, const char *const codes[2],
                      const char *const *keys, size_t n, brz_json_token *values)
{
    cursor c;
    if (cursor_open(&c, ctx, chunk))
        members_read(&c, keys, n, values);
    cursor_report(&c, codes);
}

bool members_push_frames(brz_ctx *ctx, const brz_json_token *indices, const brz_frame_list *frames,
                         brz_path *path)
{
    cursor c;
    if (!members_open(&c, ctx, indices, BRZ_JSON_ARRAY))
        return false;
    while (cursor_element(&c)) {
        uint32_t index = members_number(&c.token, UINT32_MAX);
        cursor_skip(&c);
        if (index >= frames->n)
            return false;
        brz_path_push(path, ctx, frames->ids[index]);
    }
    return path->n > 0;
}

bool members_open(cursor *c, brz_ctx *ctx, const brz_json_token *value, brz_json_kind bracket)
{
    cursor_start(c, ctx, value->text);
    return value->kind == bracket && cursor_next(c);
}

brz_json_token members_as_number(brz_ctx *ctx, const brz_json_token *value)
{
    brz_json_token number = *value;
    if (value->kind != BRZ_JSON_STRING ||
        !(brz_json_is_number(value->text) || brz_json_is_notation(value->text)))
        return number;
    number.kind = BRZ_JSON_NUMBER;
    brz_report(ctx, BRZ_NOTE, "json.number-as-text", value->text.data, value->text.len,
               BRZ_STR("a number that is written as a text: read as the number"));
    return number;
}

bool members_integer(brz_ctx *ctx, const brz_json_token *value, int64_t *number)
{
    if (value->kind == BRZ_JSON_NUMBER)
        return brz_parse_i64(value->text, number);
    brz_json_token t = members_as_number(ctx, value);
    return t.kind == BRZ_JSON_NUMBER && brz_parse_i64(t.text, number);
}

uint32_t members_number(const brz_json_token *value, uint32_t otherwise)
{
    uint64_t n;
    bool text = value->kind == BRZ_JSON_NUMBER || value->kind == BRZ_JSON_STRING;
    bool good = text && brz_parse_u64(value->text, &n) && n <= UINT32_MAX;
    return good ? (uint32_t)n : otherwise;
}
