/* SPDX-License-Identifier: MIT */
/* Compares totals with samples. */
#include "total.h"

void text_total_add(text_total *t, const text_weight *w, brz_stacks *stacks, int64_t value)
{
    int64_t sum = text_weight_now(w, stacks, t->sum, t->decimals);
    t->decimals = w->decimals;
    t->is_open = true;
    if (__builtin_add_overflow(sum, value, &t->sum))
        t->sum = value < 0 ? INT64_MIN : INT64_MAX;
}

void text_total_compare(text_total *t, const text_weight *w, brz_stacks *stacks, brz_ctx *ctx,
                        brz_str line, bool is_known, int64_t total)
{
    int64_t missing = 0;
    bool is_clear =
        is_known &&
        !__builtin_sub_overflow(total, text_weight_now(w, stacks, t->sum, t->decimals), &missing);
    if (is_clear && missing > 0)
        brz_report_lost_weight(ctx, "text.total", line.data, line.len,
                               BRZ_STR("more than the samples above: some are missing"), missing);
    else if (!is_clear || missing < 0)
        BRZ_WARN(ctx, "text.total", line.data, line.len, "not the sum of the samples above");
    *t = (text_total){.n_lost = is_clear ? 0 : t->n_lost};
}

void text_total_finish(const text_total *t, brz_ctx *ctx, bool has)
{
    if (has && t->is_open)
        BRZ_WARN(ctx, "text.no-total", NULL, 0,
                 "the input ends without the line of a total: samples at its end may be missing");
    brz_report_count(ctx, BRZ_WARNING, "text.lost", t->n_lost, t->n_lost,
                     BRZ_STR("blocks without the line that begins them left out: {count}"));
}
