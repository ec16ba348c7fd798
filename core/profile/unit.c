/* Brings columns of two profiles to the same unit. */
#include "profile/unit.h"

#include "profile/unit_name.h"

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
    uint32_t x, y;
    if (brz_unit_is_plain(of_a) || brz_unit_is_plain(of_b) || brz_str_equal(of_a, of_b))
        return true;
    if (!brz_unit_is_time(of_a, &x) || !brz_unit_is_time(of_b, &y))
        return false;
    if (x > y)
        shorten(a, i, x - y, of_b);
    else
        shorten(b, k, y - x, of_a);
    return true;
}
