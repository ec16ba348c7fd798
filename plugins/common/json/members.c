/* Reads the members of JSON objects by their keys. */
#include "members.h"

#include <brazier/text/integer.h>

size_t members_find(brz_str key, const char *const *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (brz_json_text_is(key, brz_str_of(keys[i], strlen(keys[i]))))
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
