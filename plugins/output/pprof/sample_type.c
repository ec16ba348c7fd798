/* SPDX-License-Identifier: MIT */
/* Converts weights to pprof sample types. */
#include "sample_type.h"

#include <stdio.h>
#include <string.h>

#include <brazier/symbol.h>
#include <brazier/text/integer.h>

static const struct {
    const char *name;
    uint32_t digits; /* the unit is 10^-digits seconds */
} times[] = {{"seconds", 0}, {"milliseconds", 3}, {"microseconds", 6}, {"nanoseconds", 9}};

#define N_TIMES BRZ_COUNT_OF(times)

/* Finds the unit of time that can hold the weight's last digit, and the factor for its values.
 * Returns false if no unit is fine enough. */
static bool finer_time(const brz_column_info *weight, sample_type *t)
{
    for (size_t i = 0; i < N_TIMES; i++) {
        if (!brz_str_is(weight->unit, times[i].name))
            continue;
        uint32_t digits = times[i].digits + weight->decimals;
        while (i < N_TIMES && times[i].digits < digits)
            i++;
        if (i == N_TIMES)
            return false;
        t->unit = brz_str_of_text(times[i].name);
        t->factor = brz_power_of_ten(times[i].digits - digits);
        return true;
    }
    return false;
}

sample_type sample_type_of(brz_output_ctx *ctx, const brz_column_info *weight)
{
    sample_type t = {weight->name, weight->unit, 1};
    if (t.unit.len == 0 || brz_str_is(t.unit, "samples"))
        t.unit = BRZ_STR("count");
    if (finer_time(weight, &t) || weight->decimals == 0)
        return t;
    size_t room = weight->name.len + 16;
    char *name = ctx->host->alloc(ctx, room, 1);
    memcpy(name, weight->name.data, weight->name.len);
    int n = snprintf(name + weight->name.len, 16, "_e%u", (unsigned)weight->decimals);
    t.name = brz_str_of(name, weight->name.len + (size_t)n);
    return t;
}

int64_t sample_type_value(const sample_type *t, int64_t value)
{
    int64_t product;
    if (__builtin_mul_overflow(value, t->factor, &product))
        return value < 0 ? INT64_MIN : INT64_MAX;
    return product;
}
