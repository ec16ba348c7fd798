/* SPDX-License-Identifier: MIT */
/* Totals: lines that state the sum of the samples above, which shows whether some are missing. */
#ifndef TEXT_TOTAL_H
#define TEXT_TOTAL_H

#include "weight.h"

/* The samples since the last total. */
typedef struct text_total {
    int64_t sum;
    uint32_t decimals; /* of the sum */
    bool is_open;      /* there are some */
    uint64_t n_lost;   /* samples whose weight is not known; the total has it */
} text_total;

/* Adds a sample, which counts, or is left out with a report of its weight. */
void text_total_add(text_total *t, const text_weight *w, brz_stacks *stacks, int64_t value);

/* Compares the sum with the total that a line states, and begins the next one. The total is not
 * known if `is_known` is false. */
void text_total_compare(text_total *t, const text_weight *w, brz_stacks *stacks, brz_ctx *ctx,
                        brz_str line, bool is_known, int64_t total);

/* Reports what is left at the end of the input, if the format `has` totals. */
void text_total_finish(const text_total *t, brz_ctx *ctx, bool has);

#endif
