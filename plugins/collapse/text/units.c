/* SPDX-License-Identifier: MIT */
/* Converts numbers between units. */
#include "units.h"

#include <brazier/symbol.h>
#include <brazier/text/integer.h>
#include <brazier/text/trim.h>

#define NS     INT64_C(1)
#define SECOND INT64_C(1000000000)
#define KIB    INT64_C(1024)

/* Decimals of a result that needs more of them. */
#define MOST_DECIMALS 9

__extension__ typedef __int128 wide;

bool text_unit_find(brz_str word, text_unit *unit)
{
    static const struct {
        const char *words[6];
        text_unit unit;
    } units[] = {
        {{"ns", "nsec", "nsecs", "nanosecond", "nanoseconds"}, {NS, true}},
        {{"us", "usec", "usecs", "microsecond", "microseconds"}, {1000 * NS, true}},
        {{"\302\265s", "\316\274s"}, {1000 * NS, true}}, /* micro sign, Greek mu */
        {{"ms", "msec", "msecs", "millisecond", "milliseconds"}, {1000000 * NS, true}},
        {{"s", "sec", "secs", "second", "seconds"}, {SECOND, true}},
        {{"m", "min", "mins", "minute", "minutes"}, {60 * SECOND, true}},
        {{"h", "hr", "hrs", "hour", "hours"}, {3600 * SECOND, true}},
        {{"B", "byte", "bytes", "Byte", "Bytes"}, {1, false}},
        {{"KB", "kB"}, {1000, false}},
        {{"MB"}, {1000000, false}},
        {{"GB"}, {1000000000, false}},
        {{"TB"}, {INT64_C(1000000000000), false}},
        {{"KiB"}, {KIB, false}},
        {{"MiB"}, {KIB * KIB, false}},
        {{"GiB"}, {KIB * KIB * KIB, false}},
        {{"TiB"}, {KIB * KIB * KIB * KIB, false}},
    };
    for (size_t i = 0; i < BRZ_COUNT_OF(units); i++)
        for (size_t k = 0; k < 6 && units[i].words[k] != NULL; k++)
            if (brz_str_is(word, units[i].words[k])) {
                *unit = units[i].unit;
                return true;
            }
    return false;
}

/* Makes a number whole. Returns false if it is too large. */
static bool drop_exponent(decimal *d)
{
    for (; d->decimals < 0 && d->digits != 0; d->decimals++)
        if (__builtin_mul_overflow(d->digits, 10, &d->digits))
            return false;
    if (d->digits == 0)
        d->decimals = 0;
    return true;
}

bool text_unit_convert(decimal *d, text_unit from, text_unit to)
{
    if (from.is_time != to.is_time || !drop_exponent(d))
        return false;
    wide n = (wide)d->digits * from.size;
    while (d->decimals < MOST_DECIMALS && n % to.size != 0) {
        if (__builtin_mul_overflow(n, 10, &n))
            return false;
        d->decimals++;
    }
    n = n / to.size + (n % to.size * 2 >= to.size);
    for (; d->decimals > 0 && n % 10 == 0 && n > 0; d->decimals--)
        n /= 10;
    d->digits = (int64_t)n;
    return n <= INT64_MAX;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* Takes a word of letters off the front, with the blanks around it. */
static brz_str take_word(brz_str *text)
{
    size_t n = 0;
    brz_str rest = brz_trim(*text);
    while (n < rest.len && is_letter(rest.data[n]))
        n++;
    *text = brz_trim(brz_str_from(rest, n));
    return brz_str_of(rest.data, n);
}

/* Finds the unit of a number, which may be the last one. */
static bool find_unit(brz_str word, bool is_last, brz_str last, text_unit *unit)
{
    if (!is_last)
        return text_unit_find(word, unit);
    if (word.len == 0)
        return last.len == 0 || text_unit_find(last, unit);
    return last.len == 0 && text_unit_find(word, unit);
}

bool text_unit_sum(brz_str text, brz_str last, text_unit otherwise, text_unit to, decimal *sum)
{
    const text_unit base = {1, to.is_time};
    int64_t total = 0, part;
    for (text = brz_trim(text); text.len > 0;) {
        text_unit from = otherwise;
        decimal d;
        if (!brz_is_digit(text.data[0]) || !decimal_take(&text, false, &d))
            return false;
        brz_str word = take_word(&text);
        if (!find_unit(word, text.len == 0, last, &from) || !text_unit_convert(&d, from, base) ||
            !decimal_scale(&d, 0, &part) || __builtin_add_overflow(total, part, &total))
            return false;
    }
    *sum = (decimal){.digits = total};
    return text_unit_convert(sum, base, to);
}
