/* Finds the columns of weights, and names weights in messages. */
#include "profile/weight.h"

#include <string.h>

uint32_t brz_weight_find(const brz_profile *p, const char *name)
{
    if (name == NULL)
        return BRZ_NO_WEIGHT;
    uint32_t found = brz_profile_find_weight(p, brz_str_of_text(name));
    const char *colon = strrchr(name, ':');
    if (found != BRZ_NO_WEIGHT || colon == NULL)
        return found;
    return brz_profile_find_weight(p, brz_str_of(name, (size_t)(colon - name)));
}

uint32_t brz_weight_default(const brz_profile *p)
{
    for (uint32_t i = 0; i < p->n_weights; i++)
        if (p->weights[i].flags & BRZ_WEIGHT_DEFAULT)
            return i;
    return 0;
}

bool brz_weight_has_values(const brz_profile *p, uint32_t column)
{
    for (size_t s = 0; column != BRZ_NO_WEIGHT && s < p->weights[column].n_values; s++)
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
