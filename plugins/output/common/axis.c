/* SPDX-License-Identifier: MIT */
/* Weights as lengths on a time axis. */
#include "axis.h"

#include <string.h>

#include <brazier/symbol.h>

const char *const axis_words[] = {"s", "ms", "us", "ns", NULL};

static const struct {
    const char *name;
    int32_t digits; /* the unit is 10^-digits seconds */
} times[] = {{"seconds", 0}, {"milliseconds", 3}, {"microseconds", 6}, {"nanoseconds", 9}};

int32_t axis_digits(brz_str unit)
{
    for (uint32_t i = 0; i < BRZ_COUNT_OF(times); i++)
        if (brz_str_is(unit, times[i].name))
            return times[i].digits;
    return -1;
}

axis axis_of(const brz_column_info *weight, int32_t count_as, int32_t unit)
{
    int32_t digits = axis_digits(weight->unit);
    if (digits < 0)
        digits = 3 * count_as;
    return (axis){unit - digits - (int32_t)weight->decimals};
}

void put_on_axis(brz_writer *w, axis a, uint64_t length)
{
    char digits[64], *end = digits + sizeof digits;
    int32_t after = a.exponent < 0 ? -a.exponent : 0;
    for (int32_t e = a.exponent; e > 0 && length > 0; e--)
        *--end = '0';
    char *stop = end, *start = brz_digits(stop, length);
    while (stop - start <= after)
        *--start = '0';
    while (after > 0 && stop[-1] == '0') {
        stop--;
        after--;
    }
    brz_put(w, start, (size_t)(stop - start - after));
    if (after > 0) {
        brz_put_char(w, '.');
        brz_put(w, stop - after, (size_t)after);
    }
    brz_put(w, end, (size_t)(digits + sizeof digits - end));
}

static bool is_negative(const brz_tree *tree, const brz_stack_info *s, uint32_t weight)
{
    for (uint32_t w = 0; w < tree->n_columns; w++)
        if ((w == weight || weight == BRZ_NO_COLUMN) && s->values[w] < 0)
            return true;
    return false;
}

/* Returns whether a stack has a negative weight; checks all weights if `weight` is BRZ_NO_COLUMN.
 */
static bool has_negative(const brz_tree *tree, uint32_t weight)
{
    for (uint32_t i = 0; i < tree->n_stacks; i++)
        if (is_negative(tree, brz_stack_at(tree, i), weight))
            return true;
    return false;
}

bool axis_has_negative(const brz_tree *tree)
{
    return has_negative(tree, BRZ_NO_COLUMN);
}

void axis_report_negative(brz_output_ctx *ctx)
{
    brz_output_report(ctx, BRZ_WARNING, "output.negative",
                      BRZ_STR("stacks with a negative weight cannot be shown and are left out"));
}

void axis_check(brz_output_ctx *ctx, const brz_tree *tree, uint32_t weight)
{
    if (has_negative(tree, weight))
        axis_report_negative(ctx);
}
