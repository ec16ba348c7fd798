/* SPDX-License-Identifier: MIT */
/* Compares two profiles, stored as two columns of one profile. */
#include "profile/compare.h"

#define SIDES (BRZ_COLUMN_BEFORE | BRZ_COLUMN_AFTER)

void brz_mark_compared(brz_profile *p, uint32_t column, uint32_t side)
{
    p->weights[column].flags = (p->weights[column].flags & ~SIDES) | side;
}

/* Returns the first column of a side, or BRZ_NO_COLUMN. */
static uint32_t find_side(const brz_profile *p, uint32_t side)
{
    for (uint32_t i = 0; i < p->n_weights; i++)
        if ((p->weights[i].flags & SIDES) == side)
            return i;
    return BRZ_NO_COLUMN;
}

bool brz_find_comparison(const brz_profile *p, uint32_t *before, uint32_t *after)
{
    *before = find_side(p, BRZ_COLUMN_BEFORE);
    *after = find_side(p, BRZ_COLUMN_AFTER);
    if (*before != BRZ_NO_COLUMN && *after != BRZ_NO_COLUMN)
        return true;
    *before = *after = BRZ_NO_COLUMN;
    return false;
}

void brz_align_comparison(brz_profile *p, uint32_t before, uint32_t after)
{
    brz_profile_set_decimals(p, before, p->weights[after].decimals);
    brz_profile_set_decimals(p, after, p->weights[before].decimals);
}

/* ---- scaling ------------------------------------------------------------------------------- */

/* Returns the sum of a column's values without their signs. */
static uint64_t sum_of(const brz_profile *p, uint32_t column)
{
    bool saturated = false;
    int64_t sum = 0;
    for (size_t s = 0; s < p->n_stacks; s++)
        sum = brz_add_saturated(sum, brz_size_of(brz_profile_value(p, (brz_stack)s, column)),
                                &saturated);
    return (uint64_t)sum;
}

/* Adds `more` to a remainder, modulo `of`, and returns the carry. Both are below `of`, which is
 * below 2^63. */
static uint64_t carry(uint64_t *rest, uint64_t more, uint64_t of)
{
    *rest += more;
    if (*rest < of)
        return 0;
    *rest -= of;
    return 1;
}

/* Returns v * to / of, rounded down, and stores the remainder. Combines long multiplication and
 * long division. `v` must be at most `of`, so the result is at most `to`; all are below 2^63. */
static uint64_t scale(uint64_t v, uint64_t to, uint64_t of, uint64_t *rest)
{
    uint64_t quotient = 0;
    *rest = 0;
    for (int bit = 62; bit >= 0; bit--) {
        quotient = 2 * quotient + carry(rest, *rest, of);
        if (v >> bit & 1)
            quotient += to / of + carry(rest, to % of, of);
    }
    return quotient;
}

/* Scales the size of a value, and keeps its sign. */
static int64_t scaled(int64_t value, uint64_t to, uint64_t of, bool down)
{
    uint64_t rest, v = (uint64_t)brz_size_of(value);
    uint64_t result = scale(v < of ? v : of, to, of, &rest);
    if (!down && rest >= of - rest)
        result++;
    return value < 0 ? -(int64_t)result : (int64_t)result;
}

void brz_scale_column(brz_profile *p, uint32_t column, uint32_t to, uint32_t more, bool down)
{
    brz_profile_weight *w = &p->weights[column];
    brz_align_comparison(p, column, to);
    brz_profile_set_decimals(p, column, w->decimals + more);
    brz_align_comparison(p, column, to);
    uint64_t of = sum_of(p, column), wanted = sum_of(p, to);
    for (size_t i = 0; i < w->n_values && of > 0 && of != wanted; i++)
        w->values[i] = scaled(w->values[i], wanted, of, down);
}

/* ---- new columns ---------------------------------------------------------------------------- */

/* Adds a column with the unit of another one. If the input has a column of this name, the new one
 * gets a number. Returns its index. */
static uint32_t add_like(brz_profile *p, uint32_t column, const char *name, uint64_t position)
{
    brz_buf own = {0};
    const brz_profile_weight w = p->weights[column];
    brz_buf_add_text(&own, name);
    for (unsigned n = 2; brz_profile_find_weight(p, brz_buf_str(&own)) != BRZ_NO_COLUMN; n++) {
        brz_buf_clear(&own);
        brz_buf_printf(&own, "%s %u", name, n);
    }
    uint32_t added = brz_profile_add_weight(
        p, brz_buf_str(&own), brz_strings_at(&p->strings, w.unit), w.decimals, position);
    brz_buf_finish(&own);
    return added;
}

/* ---- sum of both columns -------------------------------------------------------------------- */

uint32_t brz_add_both(brz_profile *p, uint32_t before, uint32_t after)
{
    brz_align_comparison(p, before, after);
    uint32_t both = add_like(p, after, "both", p->weights[after].position + 1);
    brz_mark_compared(p, both, SIDES);
    for (size_t s = 0; s < p->n_stacks; s++) {
        brz_profile_add_value(p, (brz_stack)s, both, brz_profile_value(p, (brz_stack)s, before));
        brz_profile_add_value(p, (brz_stack)s, both, brz_profile_value(p, (brz_stack)s, after));
    }
    return both;
}

/* ---- signs ---------------------------------------------------------------------------------- */

bool brz_has_losses(const brz_profile *p, uint32_t column)
{
    for (size_t s = 0; column < p->n_weights && s < p->weights[column].n_values; s++)
        if (p->weights[column].values[s] < 0)
            return true;
    for (size_t i = 0; i < p->samples.n; i++)
        if (p->samples.items[i].weight == column && p->samples.items[i].value < 0)
            return true;
    return false;
}
