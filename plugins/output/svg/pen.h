/* SPDX-License-Identifier: MIT */
/* Writes small pieces of text into reserved memory.
 *
 * Each function returns the end of the text it wrote. The caller reserves room once for many
 * pieces, which makes this faster than a writer.
 */
#ifndef SVG_PEN_H
#define SVG_PEN_H

#include <brazier/digits.h>

/* Writes a string literal. */
#define PEN(to, literal) pen_bytes((to), "" literal, sizeof(literal) - 1)

static inline char *pen_bytes(char *to, const char *data, size_t n)
{
    memcpy(to, data, n);
    return to + n;
}

/* Writes an integer with thousands separators: 1234567 as "1,234,567". */
static inline char *pen_grouped(char *to, uint64_t v)
{
    if (v < 1000)
        return brz_format_u64(to, v);
    to = pen_grouped(to, v / 1000);
    uint32_t rest = (uint32_t)(v % 1000);
    *to++ = ',';
    *to++ = (char)('0' + rest / 100);
    *to++ = (char)('0' + rest / 10 % 10);
    *to++ = (char)('0' + rest % 10);
    return to;
}

/* Writes a colour 0xRRGGBBAA as #rrggbb, or as #rgb if that is the same. */
static inline char *pen_hex(char *to, uint32_t color)
{
    static const char digits[] = "0123456789abcdef";
    bool is_short = (color >> 28) == (color >> 24 & 15) &&
                    (color >> 20 & 15) == (color >> 16 & 15) &&
                    (color >> 12 & 15) == (color >> 8 & 15);
    *to++ = '#';
    for (uint32_t shift = 28; shift >= 8; shift -= is_short ? 8 : 4)
        *to++ = digits[color >> shift & 15];
    return to;
}

#endif
