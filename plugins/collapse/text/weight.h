/* SPDX-License-Identifier: MIT */
/* Weights of samples: numbers of lines, as values of a column. */
#ifndef TEXT_WEIGHT_H
#define TEXT_WEIGHT_H

#include <brazier/text.h>

#include "options.h"
#include "units.h"

/* The column of a format. Values are kept exactly: it becomes finer with the first number that has
 * more decimals. */
typedef struct text_weight {
    int64_t factor; /* a multiple of 10^-factor_decimals */
    uint32_t factor_decimals;
    uint32_t column, decimals;
    text_unit unit; /* if has_unit */
    bool has_unit;  /* the option is a unit that others convert to */
    brz_rc status;  /* what the host answered last: BRZ_STOP ends the run */
} text_weight;

/* Reads the options. Returns false if the factor is wrong. */
bool text_weight_init(text_weight *w, const text_options *options);

/* Declares the column. `has_group`: an expression has the group with the weight. */
void text_weight_declare(text_weight *w, brz_ctx *ctx, const text_options *options, bool has_group);

/* Returns whether a unit converts to that of the weight. The empty text does. */
bool text_weight_takes(const text_weight *w, brz_str unit);

/* Parses a number, which may have a sign, commas between thousands, and a fraction or exponent; or
 * several with units, which add up. Converts it from its unit, unless that is empty, and multiplies
 * it by the factor. A number that fits only a column with fewer decimals saturates, as it would if
 * the column became finer later. Returns false if the text is no number, it is too large, or the
 * unit does not convert. */
bool text_weight_read(text_weight *w, brz_stacks *stacks, brz_ctx *ctx, brz_str text, brz_str unit,
                      int64_t *value);

/* Returns a value that was read when the column had `decimals`, in units that it has now.
 * Saturates, which `stacks` remembers. */
int64_t text_weight_now(const text_weight *w, brz_stacks *stacks, int64_t value, uint32_t decimals);

#endif
