/* Brings columns of two profiles to the same unit. */
#include "profile/unit.h"

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

static const time_unit *find_time(brz_str unit)
{
    for (size_t i = 0; i < sizeof time_units / sizeof *time_units; i++)
        if (brz_str_equal(unit, brz_str_of(time_units[i].name, strlen(time_units[i].name))))
            return &time_units[i];
    return NULL;
}

static bool is_plain(brz_str unit)
{
    return unit.len == 0 || brz_str_equal(unit, BRZ_STR("samples")) ||
           brz_str_equal(unit, BRZ_STR("count")) || brz_str_equal(unit, BRZ_STR("none"));
}

/* Expresses a column in a unit that is 10 to the power of `power` times shorter. Decimals become
 * digits of the whole number first, which needs no change of values. */
static void shorten(brz_profile *p, size_t column, uint32_t power, brz_str unit)
{
    if (p->weights[column].decimals < power)
        brz_profile_set_decimals(p, (uint32_t)column, power);
    p->weights[column].decimals -= power;
    p->weights[column].unit = brz_strings_intern(&p->strings, unit);
}

bool brz_unit_match(brz_profile *a, size_t i, brz_profile *b, size_t k)
{
    brz_str of_a = brz_strings_at(&a->strings, a->weights[i].unit);
    brz_str of_b = brz_strings_at(&b->strings, b->weights[k].unit);
    const time_unit *x = find_time(of_a), *y = find_time(of_b);
    if (is_plain(of_a) || is_plain(of_b) || brz_str_equal(of_a, of_b))
        return true;
    if (x == NULL || y == NULL)
        return false;
    if (x->power > y->power)
        shorten(a, i, x->power - y->power, of_b);
    else
        shorten(b, k, y->power - x->power, of_a);
    return true;
}
