/* SPDX-License-Identifier: MIT */
/** @file
 * Formats numbers into a buffer that the caller provides.
 *
 * Each brz_format function returns a pointer to the end of the text it wrote. The buffer needs
 * BRZ_NUMBER_ROOM bytes: bytes after the end may be overwritten, because copies of a fixed size are
 * fast.
 */
#ifndef BRAZIER_DIGITS_H
#define BRAZIER_DIGITS_H

#include <brazier/base.h>

#include <stdio.h>
#include <string.h>

/** Size of a buffer that holds any formatted number. */
#define BRZ_NUMBER_ROOM 64

/** Writes the two digits of `v`, which must be below 100. */
static inline char *brz_format_pair(char *to, uint64_t v)
{
    static const char pairs[] = "0001020304050607080910111213141516171819"
                                "2021222324252627282930313233343536373839"
                                "4041424344454647484950515253545556575859"
                                "6061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    memcpy(to, pairs + 2 * v, 2);
    return to + 2;
}

/** Writes the digits of `v` so that they end at `end`. Returns a pointer to the first digit. */
static inline char *brz_digits(char *end, uint64_t v)
{
    for (; v >= 100; v /= 100)
        brz_format_pair(end -= 2, v % 100);
    if (v < 10) {
        *--end = (char)('0' + v);
        return end;
    }
    brz_format_pair(end - 2, v);
    return end - 2;
}

/** Writes an unsigned integer. */
static inline char *brz_format_u64(char *to, uint64_t v)
{
    char text[BRZ_NUMBER_ROOM], *end = text + 24, *start = brz_digits(end, v);
    memcpy(to, start, 24); /* copies bytes after the digits, too */
    return to + (end - start);
}

/** Writes a signed integer. */
static inline char *brz_format_i64(char *to, int64_t v)
{
    if (v >= 0)
        return brz_format_u64(to, (uint64_t)v);
    *to = '-';
    return brz_format_u64(to + 1, 0 - (uint64_t)v);
}

/** Writes v / 10^decimals (at most 18) exactly, without zeros at the end of the fraction. */
static inline char *brz_format_scaled(char *to, int64_t v, uint32_t decimals)
{
    uint64_t magnitude = v < 0 ? 0 - (uint64_t)v : (uint64_t)v, scale = 1;
    for (; decimals > 0 && magnitude % 10 == 0; decimals--)
        magnitude /= 10;
    for (uint32_t i = 0; i < decimals; i++)
        scale *= 10;
    if (v < 0)
        *to++ = '-';
    to = brz_format_u64(to, magnitude / scale);
    if (decimals == 0)
        return to;
    char digits[24], *end = digits + sizeof digits, *start = brz_digits(end, magnitude % scale);
    while (end - start < (ptrdiff_t)decimals)
        *--start = '0';
    *to++ = '.';
    memcpy(to, start, decimals);
    return to + decimals;
}

/** Writes a number below 100 that is given as a multiple `k` of 10^-decimals. `decimals` is 2 or 4.
 */
static inline char *brz_format_small(char *to, uint64_t k, uint32_t decimals)
{
    uint64_t whole = decimals == 4 ? k / 10000 : k / 100;
    if (whole < 10)
        *to++ = (char)('0' + whole);
    else
        to = brz_format_pair(to, whole);
    *to++ = '.';
    if (decimals == 4)
        to = brz_format_pair(to, k / 100 % 100);
    return brz_format_pair(to, k % 100);
}

/** Writes a number with `decimals` (at most 9) digits after the decimal point, rounded to nearest
 * as printf does. Calls printf if the number is so close to a half that the last bit decides. */
static inline char *brz_format_fixed(char *to, double v, uint32_t decimals)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    double scaled = (v < 0 ? -v : v) * powers[decimals];
    uint64_t k = scaled < 9e15 ? (uint64_t)scaled : 0;
    double rest = scaled - (double)k;
    if (!(scaled < 9e15) || (rest > 0.49999 && rest < 0.50001)) {
        int n = snprintf(to, BRZ_NUMBER_ROOM, "%.*f", (int)decimals, v);
        return to + (n > 0 && n < BRZ_NUMBER_ROOM ? n : 0);
    }
    k += rest > 0.5;
    if (v >= 0 && ((decimals == 4 && k < 1000000) || (decimals == 2 && k < 10000)))
        return brz_format_small(to, k, decimals);
    char text[2 * BRZ_NUMBER_ROOM], *end = text + 24, *start = brz_digits(end, k);
    while (end - start <= (ptrdiff_t)decimals)
        *--start = '0';
    if (v < 0 && k > 0)
        *to++ = '-';
    size_t whole = (size_t)(end - start) - decimals;
    memcpy(to, start, 24);
    if (decimals == 0)
        return to + whole;
    to[whole] = '.';
    memcpy(to + whole + 1, end - decimals, 9);
    return to + whole + 1 + decimals;
}

#endif
