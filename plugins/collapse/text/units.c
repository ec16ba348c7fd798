/* Converts numbers between units. */
#include "units.h"

#include <brazier/symbol.h>

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
