/* SPDX-License-Identifier: MIT */
/* Reads JSON numbers as values of a column. */
#include "column.h"

#include <brazier/symbol.h>

#include "../sample_count.h"
#include "../table/decimal.h"
#include "members.h"

#define MOST_DECIMALS 9

uint32_t column_most(brz_str unit)
{
    if (brz_str_is(unit, "milliseconds"))
        return 6;
    if (brz_str_is(unit, "microseconds"))
        return 3;
    return brz_str_is(unit, "nanoseconds") ? 0 : MOST_DECIMALS;
}

void column_declare(column *c, brz_ctx *ctx, uint32_t flags)
{
    c->weight = BRZ_DECLARE_COLUMN(ctx, .name = c->name, .unit = c->unit,
                                   .flags = flags | sample_count_flags(c->name));
}

/* Removes zeros at the end of a fraction. */
static void simplify(decimal *d)
{
    while (d->decimals > 0 && d->digits % 10 == 0 && d->digits != 0) {
        d->digits /= 10;
        d->decimals--;
    }
    if (d->digits == 0)
        d->decimals = 0;
}

/* Reads the text of a number. */
static bool read_amount(const column *c, brz_str text, amount *a)
{
    decimal d;
    if (brz_parse_i64(text, &a->value)) {
        a->decimals = 0;
        return true;
    }
    bool negative = text.len > 0 && text.data[0] == '-';
    bool sign = negative || (text.len > 0 && text.data[0] == '+');
    brz_str rest = brz_str_of(text.data + sign, text.len - sign);
    if (!decimal_take(&rest, false, &d) || rest.len > 0)
        return false;
    simplify(&d);
    a->decimals = d.decimals <= 0                 ? 0
                  : d.decimals < (int32_t)c->most ? (uint32_t)d.decimals
                                                  : c->most;
    if (!decimal_scale(&d, (int32_t)a->decimals, &a->value))
        return false;
    a->value = negative ? -a->value : a->value;
    return true;
}

bool column_read(const column *c, brz_ctx *ctx, const brz_json_token *t, amount *a)
{
    if (t->kind == BRZ_JSON_NUMBER)
        return read_amount(c, t->text, a);
    brz_json_token number = members_as_number(ctx, t);
    return number.kind == BRZ_JSON_NUMBER && read_amount(c, number.text, a);
}

brz_rc column_refine(column *c, brz_ctx *ctx, brz_stacks *stacks, uint32_t decimals)
{
    if (decimals <= c->decimals)
        return BRZ_OK;
    brz_rc rc = brz_stacks_flush(stacks, ctx);
    brz_stacks_rescale(stacks, c->weight, brz_power_of_ten(decimals - c->decimals));
    ctx->host->decimals(ctx, c->weight, decimals);
    c->decimals = decimals;
    return rc;
}

int64_t amount_in(amount a, uint32_t decimals)
{
    int64_t value;
    if (decimals <= a.decimals)
        return a.value;
    if (__builtin_mul_overflow(a.value, brz_power_of_ten(decimals - a.decimals), &value))
        return a.value < 0 ? INT64_MIN : INT64_MAX;
    return value;
}
