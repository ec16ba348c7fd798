/* SPDX-License-Identifier: MIT */
/* Names of units: which ones are times, and which ones agree. */
#include "profile/unit_name.h"

#include <brazier/symbol.h>
#include <string.h>

/* A name of a unit of time, and its length: 10 to the power of `power` nanoseconds. */
typedef struct time_unit {
    const char *name;
    uint32_t power;
} time_unit;

static const time_unit time_units[] = {
    {"nanoseconds", 0}, {"nanosecond", 0}, {"ns", 0},      {"microseconds", 3}, {"microsecond", 3},
    {"us", 3},          {"\u00b5s", 3},    {"\u03bcs", 3}, {"milliseconds", 6}, {"millisecond", 6},
    {"ms", 6},          {"seconds", 9},    {"second", 9},  {"sec", 9},          {"s", 9},
};

bool brz_unit_is_time(brz_str unit, uint32_t *power)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(time_units); i++)
        if (brz_str_is(unit, time_units[i].name)) {
            *power = time_units[i].power;
            return true;
        }
    return false;
}

bool brz_unit_is_plain(brz_str unit)
{
    return unit.len == 0 || brz_str_is(unit, "samples") || brz_str_is(unit, "count") ||
           brz_str_is(unit, "none");
}

bool brz_units_differ(brz_str a, brz_str b)
{
    uint32_t x, y;
    if (brz_unit_is_plain(a) || brz_unit_is_plain(b) || brz_str_equal(a, b))
        return false;
    return !brz_unit_is_time(a, &x) || !brz_unit_is_time(b, &y) || x != y;
}
