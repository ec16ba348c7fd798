/* SPDX-License-Identifier: MIT */
/* Takes words from the front of texts. */
#include "legacy_words.h"

#include <brazier/symbol.h>
#include <brazier/text.h>

static void skip(brz_str *s, size_t n)
{
    *s = brz_str_of(s->data + n, s->len - n);
}

bool legacy_take(brz_str *text, const char *expected)
{
    brz_str s = brz_trim_start(*text), e = brz_str_of(expected, strlen(expected));
    if (!brz_starts_with(s, e))
        return false;
    skip(&s, e.len);
    *text = s;
    return true;
}

bool legacy_take_at(brz_str *text)
{
    return text->len > 0 && brz_is_blank(text->data[0]) && legacy_take(text, "@");
}

bool legacy_take_decimal(brz_str *text, uint64_t *number)
{
    brz_str s = brz_trim_start(*text);
    if (!brz_take_u64(&s, number) || *number > INT64_MAX)
        return false;
    *text = s;
    return true;
}

bool legacy_take_signed(brz_str *text, int64_t *number)
{
    uint64_t amount;
    *text = brz_trim_start(*text);
    bool is_negative = text->len > 0 && text->data[0] == '-';
    if (is_negative)
        skip(text, 1);
    if (!legacy_take_decimal(text, &amount))
        return false;
    *number = is_negative ? -(int64_t)amount : (int64_t)amount;
    return true;
}

bool legacy_take_hex(brz_str *text, uint64_t *number)
{
    brz_str s = brz_trim_start(*text);
    if (!brz_take_hex(&s, number))
        return false;
    *text = s;
    return true;
}

bool legacy_take_address(brz_str *text, uint64_t *address)
{
    brz_str s = brz_trim_start(*text);
    if (s.len < 2 || s.data[0] != '0' || s.data[1] != 'x')
        return false;
    skip(&s, 2);
    if (!brz_take_hex(&s, address))
        return false;
    *text = s;
    return true;
}

bool legacy_is_comment(brz_str line)
{
    return line.len > 0 && line.data[0] == '#' &&
           brz_str_find(line, BRZ_STR(" @ 0x"), 0) == SIZE_MAX;
}
