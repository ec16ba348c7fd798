/* SPDX-License-Identifier: MIT */
/* Measures names in columns of a fixed-width font. */
#include "columns.h"

#include <brazier/xml.h>

#include "screen_text.h"

bool columns_are_bytes(brz_str s)
{
    unsigned char any = 0;
    for (size_t i = 0; i < s.len; i++)
        any |= (unsigned char)s.data[i];
    return any < 0x80;
}

size_t columns_of(brz_str s)
{
    return columns_are_bytes(s) ? s.len : screen_width(s);
}

brz_str columns_first(brz_str s, size_t n)
{
    size_t at = 0, used = 0;
    while (at < s.len) {
        size_t step = brz_utf8_step(brz_str_of(s.data + at, s.len - at));
        used += columns_of(brz_str_of(s.data + at, step));
        if (used > n)
            break;
        at += step;
    }
    return brz_str_of(s.data, at);
}

brz_str columns_last(brz_str s, size_t n)
{
    size_t from = s.len, used = 0;
    for (size_t at = s.len; at > 0;) {
        size_t end = at;
        do
            at--;
        while (at > 0 && ((unsigned char)s.data[at] & 0xc0) == 0x80);
        size_t width = columns_of(brz_str_of(s.data + at, end - at));
        used += width;
        if (used > n)
            break;
        if (width > 0)
            from = at;
    }
    return brz_str_of(s.data + from, s.len - from);
}
