/* SPDX-License-Identifier: MIT */
/* Finds the columns of weights, brings them to the same unit, and names weights in messages. */
#include "profile/weight.h"

#include <string.h>

#include "profile/unit_name.h"

uint32_t brz_weight_find(const brz_profile *p, const char *name)
{
    if (name == NULL)
        return BRZ_NO_COLUMN;
    uint32_t found = brz_profile_find_weight(p, brz_str_of_text(name));
    const char *colon = strrchr(name, ':');
    if (found != BRZ_NO_COLUMN || colon == NULL)
        return found;
    return brz_profile_find_weight(p, brz_str_of(name, (size_t)(colon - name)));
}

uint32_t brz_weight_default(const brz_profile *p)
{
    for (uint32_t i = 0; i < p->n_weights; i++)
        if (p->weights[i].flags & BRZ_COLUMN_DEFAULT)
            return i;
    return 0;
}

bool brz_weight_has_values(const brz_profile *p, uint32_t column)
{
    for (size_t s = 0; column < p->n_weights && s < p->weights[column].n_values; s++)
        if (p->weights[column].values[s] != 0)
            return true;
    return false;
}

bool brz_weights_have_values(const brz_profile *p)
{
    for (uint32_t i = 0; p != NULL && i < p->n_weights; i++)
        if (brz_weight_has_values(p, i))
            return true;
    return false;
}

void brz_weight_describe(brz_str name, brz_str unit, brz_buf *b)
{
    brz_buf_printf(b, "'%.*s'", (int)name.len, name.data);
    if (unit.len > 0 && !brz_str_equal(unit, name))
        brz_buf_printf(b, " in %.*s", (int)unit.len, unit.data);
}

void brz_weights_describe(const brz_profile *p, brz_buf *b)
{
    bool is_first = true;
    for (uint32_t i = 0; i < p->n_weights; i++) {
        if (!brz_weight_has_values(p, i))
            continue;
        brz_buf_add_text(b, is_first ? "" : ", ");
        brz_weight_describe(brz_weight_name(p, i), brz_weight_unit(p, i), b);
        is_first = false;
    }
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

bool brz_weight_match_units(brz_profile *a, size_t i, brz_profile *b, size_t k)
{
    brz_str of_a = brz_weight_unit(a, i);
    brz_str of_b = brz_weight_unit(b, k);
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
