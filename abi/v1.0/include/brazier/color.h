/* SPDX-License-Identifier: MIT */
/** @file
 * Parses colours that users write in options, files and rules.
 */
#ifndef BRAZIER_COLOR_H
#define BRAZIER_COLOR_H

#include <brazier/base.h>

/** Returns the value of a hexadecimal digit, or -1 if `c` is not one. */
static inline int brz_hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/** Parses "#rrggbb" or "#rrggbbaa" into *color, as 0xRRGGBBAA. Returns false, without changing
 * *color, if the text has neither form. */
static inline bool brz_parse_color(brz_str s, uint32_t *color)
{
    uint32_t c = 0;
    if ((s.len != 7 && s.len != 9) || s.data[0] != '#')
        return false;
    for (size_t i = 1; i < s.len; i++) {
        int digit = brz_hex_value(s.data[i]);
        if (digit < 0)
            return false;
        c = c << 4 | (uint32_t)digit;
    }
    *color = s.len == 7 ? c << 8 | 0xff : c;
    return true;
}

#endif
