/* SPDX-License-Identifier: MIT */
/* Parses times. */
#include "times.h"

#include <brazier/text/integer.h>
#include <brazier/text/pieces.h>
#include <brazier/text/trim.h>

#include "units.h"

const char *const text_time_units[] = {"s", "ms", "us", "ns", NULL};

/* Parses a number of at most two digits. */
static bool take_pair(brz_str *text, uint64_t most, uint64_t *number)
{
    return brz_take_u64(text, number) && *number <= most;
}

/* Returns the days from 1970-01-01 to a date of the Gregorian calendar. */
static int64_t days_until(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = year / 400, year_of_era = year % 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
           719468;
}

/* Removes "2024-05-31T" from the front, if it is there. */
static bool take_date(brz_str *text, int64_t *days)
{
    uint64_t part[3];
    brz_str rest = *text;
    *days = 0;
    if (rest.len < 11 || rest.data[4] != '-' || rest.data[7] != '-')
        return true;
    for (size_t i = 0; i < 3; i++) {
        if (!brz_take_u64(&rest, &part[i]) || part[i] > 9999 || rest.len == 0)
            return false;
        rest = brz_str_from(rest, 1);
    }
    *days = days_until((int64_t)part[0], (int64_t)part[1], (int64_t)part[2]);
    *text = rest;
    return part[1] >= 1 && part[1] <= 12 && part[2] >= 1 && part[2] <= 31;
}

/* Parses a time of day with colons. */
static bool read_clock(brz_str text, int64_t *nanoseconds)
{
    uint64_t part = 0, seconds = 0;
    int64_t days, fraction;
    if (!take_date(&text, &days))
        return false;
    for (size_t i = 0; i < 2 && memchr(text.data, ':', text.len) != NULL; i++) {
        if (!take_pair(&text, i == 0 ? 9999 : 59, &part) || text.len < 2 || text.data[0] != ':')
            return false;
        text = brz_str_from(text, 1);
        seconds = (seconds + part) * 60;
    }
    if (text.data[text.len - 1] == 'Z')
        text.len--;
    if (!brz_parse_scaled(text, 9, &fraction) || text.data[0] == '-')
        return false;
    int64_t whole = days * 86400 + (int64_t)seconds;
    return !__builtin_mul_overflow(whole, INT64_C(1000000000), &whole) &&
           !__builtin_add_overflow(whole, fraction, nanoseconds);
}

bool text_time_read(brz_str text, text_time_unit unit, int64_t *nanoseconds)
{
    static const uint32_t decimals[] = {9, 6, 3, 0};
    text = brz_trim(text);
    if (text.len == 0)
        return false;
    if (memchr(text.data, ':', text.len) != NULL)
        return read_clock(text, nanoseconds);
    return brz_parse_scaled(text, decimals[unit], nanoseconds);
}

bool text_time_read_in(brz_str text, brz_str unit, text_time_unit otherwise, int64_t *nanoseconds)
{
    static const text_unit units[] = {{1000000000, true}, {1000000, true}, {1000, true}, {1, true}};
    decimal d;
    text = brz_trim(text);
    if (unit.len == 0 && text_time_read(text, otherwise, nanoseconds))
        return true;
    return text.len > 0 && text_unit_sum(text, unit, units[otherwise], units[TIME_NS], &d) &&
           decimal_scale(&d, 0, nanoseconds);
}
