/* Small pieces of text, written to where there is room for them.
 *
 * Each function returns the end of what it wrote. Room is reserved once for many pieces, which is
 * what makes this faster than a writer.
 */
#ifndef SVG_PEN_H
#define SVG_PEN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A string literal. */
#define PEN(to, literal) pen_bytes((to), "" literal, sizeof(literal) - 1)

/* The room that a number needs; what lies behind its end may be overwritten. */
#define PEN_NUMBER 64

static inline char *pen_bytes(char *to, const char *data, size_t n)
{
    memcpy(to, data, n);
    return to + n;
}

/* "00" to "99". */
static const char pen_pairs[] = "0001020304050607080910111213141516171819"
                                "2021222324252627282930313233343536373839"
                                "4041424344454647484950515253545556575859"
                                "6061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";

static inline char *pen_pair(char *to, uint64_t v)
{
    return pen_bytes(to, pen_pairs + 2 * v, 2);
}

/* The decimal digits of v so that they end at `end`; returns where they begin. */
static inline char *pen_digits(char *end, uint64_t v)
{
    for (; v >= 100; v /= 100)
        pen_pair(end -= 2, v % 100);
    if (v < 10) {
        *--end = (char)('0' + v);
        return end;
    }
    pen_pair(end - 2, v);
    return end - 2;
}

static inline char *pen_u64(char *to, uint64_t v)
{
    char text[PEN_NUMBER], *end = text + 24, *start = pen_digits(end, v);
    memcpy(to, start, 24); /* and what lies behind, for the sake of a fixed size */
    return to + (end - start);
}

static inline char *pen_i64(char *to, int64_t v)
{
    if (v >= 0)
        return pen_u64(to, (uint64_t)v);
    *to = '-';
    return pen_u64(to + 1, 0 - (uint64_t)v);
}

/* "1234567" as "1,234,567". */
static inline char *pen_grouped(char *to, uint64_t v)
{
    if (v < 1000)
        return pen_u64(to, v);
    to = pen_grouped(to, v / 1000);
    uint32_t rest = (uint32_t)(v % 1000);
    *to++ = ',';
    *to++ = (char)('0' + rest / 100);
    *to++ = (char)('0' + rest / 10 % 10);
    *to++ = (char)('0' + rest % 10);
    return to;
}

/* A number below 100, times 10^4 or 10^2. */
static inline char *pen_small(char *to, uint64_t k, uint32_t decimals)
{
    uint64_t whole = decimals == 4 ? k / 10000 : k / 100;
    if (whole < 10)
        *to++ = (char)('0' + whole);
    else
        to = pen_pair(to, whole);
    *to++ = '.';
    if (decimals == 4)
        to = pen_pair(to, k / 100 % 100);
    return pen_pair(to, k % 100);
}

/* A number with `decimals` (at most 9) digits behind the point, rounded to nearest as printf does.
 * Close to a half, where the last bit decides, printf is asked. */
static inline char *pen_fixed(char *to, double v, uint32_t decimals)
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    double scaled = (v < 0 ? -v : v) * powers[decimals];
    uint64_t k = scaled < 9e15 ? (uint64_t)scaled : 0;
    double rest = scaled - (double)k;
    if (!(scaled < 9e15) || (rest > 0.49999 && rest < 0.50001)) {
        int n = snprintf(to, PEN_NUMBER, "%.*f", (int)decimals, v);
        return to + (n > 0 && n < PEN_NUMBER ? n : 0);
    }
    k += rest > 0.5;
    if (v >= 0 && ((decimals == 4 && k < 1000000) || (decimals == 2 && k < 10000)))
        return pen_small(to, k, decimals);
    char text[2 * PEN_NUMBER], *end = text + 24, *start = pen_digits(end, k);
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
