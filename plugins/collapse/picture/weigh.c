/* SPDX-License-Identifier: MIT */
/* Finds what the boxes of a picture count: what their titles state, checked against their widths
 * and their shares of the whole, or else their widths. */
#include "boxes.h"

#include <math.h>

#define LARGEST 9e18

void boxes_add(boxes *b, brz_ctx *ctx, const box *item)
{
    b->items = brz_list_room(ctx, b->items, b->n, &b->cap, sizeof *b->items);
    b->items[b->n++] = *item;
    if (item->decimals > b->decimals)
        b->decimals = item->decimals;
}

static int64_t rounded(double v)
{
    return v < 0 ? 0 : v < LARGEST ? (int64_t)llround(v) : INT64_MAX;
}

static void align_decimals(boxes *b)
{
    for (size_t i = 0; i < b->n; i++) {
        box *x = &b->items[i];
        int64_t factor = brz_power_of_ten(b->decimals - x->decimals);
        if (__builtin_mul_overflow(x->count, factor, &x->count))
            x->count = x->count > 0 ? INT64_MAX : 0;
        if (x->count < 0)
            x->count = -x->count; /* old comparisons sign what their colours show */
    }
}

const box *boxes_widest(const boxes *b)
{
    const box *widest = NULL;
    for (size_t i = 0; i < b->n; i++)
        if (b->items[i].has_count && b->items[i].count > 0 && b->items[i].width > 0 &&
            (widest == NULL || b->items[i].width > widest->width))
            widest = &b->items[i];
    return widest;
}

/* Returns whether a count fits a width, given the width of a unit. Both are rounded, the count by
 * the unit that its title shows. */
static bool fits(const boxes *b, const box *x, double per_unit)
{
    double step = (double)brz_power_of_ten(b->decimals - x->decimals);
    double expected = (double)x->count * per_unit;
    return fabs(expected - x->width) <= 1.5 * b->precision + step * per_unit;
}

/* Returns whether a count fits the share that the title states, which is rounded. */
static bool fits_percent(const box *x, double whole)
{
    return x->percent >= 0 && fabs(100 * (double)x->count / whole - x->percent) <= 0.011;
}

/* Replaces the width of a box if that is damaged, or otherwise its count. */
static void repair(brz_ctx *ctx, box *x, double per_unit, double whole)
{
    if (fits_percent(x, whole)) {
        BRZ_WARN(ctx, "picture.width", x->at, 0,
                 "the width of a frame does not fit its title: the title counts");
        x->width = (double)x->count * per_unit;
        return;
    }
    BRZ_WARN(ctx, "picture.count", x->at, 0,
             "the count in a title does not fit the width of the frame: the width counts");
    x->count = rounded(x->width / per_unit);
}

/* Compares counts with widths. If most do not fit, the picture has another scale. */
static void check_counts(boxes *b, brz_ctx *ctx, double per_unit, double whole)
{
    size_t n_odd = 0, n_counts = 0;
    for (size_t i = 0; i < b->n; i++) {
        n_counts += b->items[i].has_count;
        n_odd += b->items[i].has_count && !fits(b, &b->items[i], per_unit);
    }
    for (size_t i = 0; i < b->n && n_odd < (n_counts + 1) / 2; i++)
        if (b->items[i].has_count && !fits(b, &b->items[i], per_unit))
            repair(ctx, &b->items[i], per_unit, whole);
}

/* Makes widths counts, as precise as they are written. */
static void count_widths(boxes *b)
{
    b->unit = BRZ_STR("width");
    while (b->decimals < 4 && pow(10, -(double)b->decimals) > b->precision * 1.01)
        b->decimals++;
    for (size_t i = 0; i < b->n; i++)
        b->items[i].count = rounded(b->items[i].width * (double)brz_power_of_ten(b->decimals));
}

void boxes_weigh(boxes *b, brz_ctx *ctx)
{
    align_decimals(b);
    const box *widest = boxes_widest(b);
    if (widest == NULL) {
        count_widths(b);
        return;
    }
    double per_unit = widest->width / (double)widest->count;
    check_counts(b, ctx, per_unit, (double)widest->count);
    for (size_t i = 0; i < b->n; i++)
        if (!b->items[i].has_count)
            b->items[i].count = rounded(b->items[i].width / per_unit);
}
