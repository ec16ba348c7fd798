/* SPDX-License-Identifier: MIT */
/* Reads weights. */
#include "weight.h"

#include "../../common/sample_count.h"
#include "../../common/table/decimal.h"

#define MOST_DECIMALS 9

bool text_weight_init(text_weight *w, const text_options *options)
{
    double scaled = options->weight_factor;
    *w = (text_weight){0};
    w->has_unit = text_unit_find(options->weight_unit, &w->unit);
    for (; w->factor_decimals <= MOST_DECIMALS; w->factor_decimals++) {
        double whole = (double)(int64_t)(scaled < 1e15 ? scaled + 0.5 : 0);
        double rest = scaled - whole;
        if (whole > 0 && (rest < 0 ? -rest : rest) <= 1e-9 * whole) {
            w->factor = (int64_t)whole;
            return true;
        }
        scaled *= 10;
    }
    return false;
}

/* ---- the column ------------------------------------------------------------------------------ */

static brz_str full_unit(brz_str unit)
{
    static const struct {
        const char *word, *unit;
    } units[] = {
        {"ns", "nanoseconds"},  {"us", "microseconds"}, {"\302\265s", "microseconds"},
        {"ms", "milliseconds"}, {"s", "seconds"},       {"sec", "seconds"},
        {"B", "bytes"},
    };
    for (size_t i = 0; i < BRZ_COUNT_OF(units); i++)
        if (brz_str_is(unit, units[i].word))
            return brz_str_of_text(units[i].unit);
    return unit;
}

static brz_str column_name(const text_options *o, brz_str unit, bool has_group)
{
    if (o->weight_name.len > 0)
        return o->weight_name;
    if (brz_ends_with(unit, BRZ_STR("seconds")))
        return BRZ_STR("time");
    if (!has_group)
        return unit.len > 0 ? unit : BRZ_STR("samples");
    return unit.len > 0 ? unit : o->weight_group;
}

void text_weight_declare(text_weight *w, brz_ctx *ctx, const text_options *options, bool has_group)
{
    brz_str unit = full_unit(options->weight_unit);
    brz_str name = column_name(options, unit, has_group);
    w->decimals = w->factor_decimals;
    w->column =
        BRZ_DECLARE_COLUMN(ctx, .name = name, .decimals = w->decimals,
                           .unit = unit.len > 0 ? unit : name, .flags = sample_count_flags(name));
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns whether a comma stands between thousands: three digits follow, and no fourth one. */
static bool divides_thousands(brz_str text, size_t comma)
{
    size_t n = 0;
    while (comma + 1 + n < text.len && brz_is_digit(text.data[comma + 1 + n]))
        n++;
    return comma > 0 && brz_is_digit(text.data[comma - 1]) && n == 3;
}

/* Copies a number without the commas between its thousands. Returns false for other commas, and if
 * it is too long. */
static bool without_commas(brz_str *text, char copy[64])
{
    size_t n = 0;
    if (memchr(text->data, ',', text->len) == NULL)
        return true;
    for (size_t i = 0; i < text->len; i++) {
        if (text->data[i] == ',' && divides_thousands(*text, i))
            continue;
        if (n == 64 || text->data[i] == ',')
            return false;
        copy[n++] = text->data[i];
    }
    *text = brz_str_of(copy, n);
    return true;
}

static bool parse_number(brz_str text, decimal *d, bool *negative)
{
    char copy[64];
    text = brz_trim(text);
    if (text.len == 0 || !without_commas(&text, copy) || text.len == 0)
        return false;
    *negative = text.data[0] == '-';
    if (*negative || text.data[0] == '+')
        text = brz_str_from(text, 1);
    if (!decimal_take(&text, false, d) || text.len > 0)
        return false;
    for (; d->decimals > 0 && d->digits % 10 == 0; d->decimals--)
        d->digits /= 10;
    return true;
}

/* Makes the column fine enough for `decimals`. */
static void refine(text_weight *w, brz_stacks *stacks, brz_ctx *ctx, uint32_t decimals)
{
    if (decimals <= w->decimals)
        return;
    w->status = brz_stacks_flush(stacks, ctx);
    if (w->status != BRZ_OK)
        return;
    brz_stacks_rescale(stacks, w->column, brz_power_of_ten(decimals - w->decimals));
    ctx->host->decimals(ctx, w->column, decimals);
    w->decimals = decimals;
}

bool text_weight_takes(const text_weight *w, brz_str unit)
{
    text_unit from;
    return unit.len == 0 ||
           (w->has_unit && text_unit_find(unit, &from) && from.is_time == w->unit.is_time);
}

/* Converts a number to the unit of the weight. Returns false if that is too large, or impossible.
 */
static bool convert(const text_weight *w, brz_str unit, decimal *d)
{
    text_unit from;
    if (unit.len == 0)
        return true;
    return w->has_unit && text_unit_find(unit, &from) && text_unit_convert(d, from, w->unit);
}

/* Parses a number in the unit of the weight, or several with units of their own ("1m35s"). */
static bool parse_amount(const text_weight *w, brz_str text, brz_str unit, decimal *d,
                         bool *negative)
{
    if (parse_number(text, d, negative))
        return convert(w, unit, d);
    *negative = false;
    return w->has_unit && text.len > 0 && text_unit_sum(text, unit, w->unit, w->unit, d);
}

int64_t text_weight_now(const text_weight *w, brz_stacks *stacks, int64_t value, uint32_t decimals)
{
    int64_t now;
    if (!__builtin_mul_overflow(value, brz_power_of_ten(w->decimals - decimals), &now))
        return now;
    stacks->saturated = true;
    return value < 0 ? INT64_MIN : INT64_MAX;
}

/* Returns the decimals that a number needs in a column. */
static uint32_t decimals_of(const decimal *d)
{
    uint32_t n = d->decimals > 0 ? (uint32_t)d->decimals : 0;
    return n < MOST_DECIMALS ? n : MOST_DECIMALS;
}

bool text_weight_read(text_weight *w, brz_stacks *stacks, brz_ctx *ctx, brz_str text, brz_str unit,
                      int64_t *value)
{
    decimal d;
    bool negative;
    if (!parse_amount(w, text, unit, &d, &negative) ||
        __builtin_mul_overflow(d.digits, w->factor, &d.digits))
        return false;
    d.decimals += (int32_t)w->factor_decimals;
    for (; d.decimals > 0 && d.digits % 10 == 0; d.decimals--)
        d.digits /= 10;
    uint32_t decimals = decimals_of(&d);
    if (!decimal_scale(&d, (int32_t)decimals, value))
        return false;
    refine(w, stacks, ctx, decimals);
    if (w->decimals < decimals)
        return true; /* the run ends */
    *value = text_weight_now(w, stacks, negative ? -*value : *value, decimals);
    return true;
}
