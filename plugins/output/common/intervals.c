/* SPDX-License-Identifier: MIT */
/* Measures samples as intervals. */
#include "intervals.h"

#include "axis.h"
#include "calls.h"

#include <brazier/text/integer.h>

/* Returns the nanoseconds of a unit of a weight's values, or 0 if it is not a whole number. */
static int64_t unit_length(const brz_column_info *weight, int32_t count_as)
{
    axis a = axis_of(weight, count_as, 9);
    bool is_whole = a.exponent >= 0 && a.exponent <= 18;
    return is_whole ? brz_power_of_ten((uint32_t)a.exponent) : 0;
}

int64_t intervals_length(const intervals *v, int64_t value)
{
    int64_t length;
    if (value <= 0)
        return 0;
    return __builtin_mul_overflow(value, v->nanoseconds, &length) ? INT64_MAX : length;
}

intervals intervals_of(const tracks *t, const track *of, int32_t count_as)
{
    intervals v = {.start = of->start, .end = of->start};
    piece p;
    v.nanoseconds = unit_length(brz_column_at(t->tree, of->weight), count_as);
    for (uint64_t at = 0; tracks_next(t, of, &at, &p);) {
        int64_t length = intervals_length(&v, p.value);
        v.overlap |= p.time < v.end;
        v.apart |= p.time > v.end;
        v.negative |= p.value < 0;
        v.rootless |= brz_stack_at(t->tree, p.stack)->n == 0;
        v.length = add_saturated(v.length, length);
        v.end = add_saturated(p.time, length);
    }
    return v;
}

uint32_t intervals_shared(const brz_stack_info *a, const brz_stack_info *b)
{
    uint32_t n = 0;
    while (a != NULL && b != NULL && n < a->n && n < b->n && a->frames[n] == b->frames[n])
        n++;
    return n;
}
