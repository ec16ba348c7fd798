/* Weights of samples: numbers of lines, as values of a column. */
#ifndef TEXT_WEIGHT_H
#define TEXT_WEIGHT_H

#include <brazier/text.h>

#include "options.h"

/* The column of a format. Values are kept exactly: it becomes finer with the first number that has
 * more decimals. */
typedef struct text_weight {
    int64_t factor; /* a multiple of 10^-factor_decimals */
    uint32_t factor_decimals;
    uint32_t column, decimals;
    brz_rc status; /* what the host answered last: BRZ_STOP ends the run */
} text_weight;

/* Reads the options. Returns false if the factor is wrong. */
bool text_weight_init(text_weight *w, const text_options *options);

/* Declares the column. `has_group`: an expression has the group with the weight. */
void text_weight_declare(text_weight *w, brz_ctx *ctx, const text_options *options, bool has_group);

/* Parses a number, which may have a sign, commas between thousands, and a fraction or exponent.
 * Multiplies it by the factor. Returns false if the text is no number, or it is too large. */
bool text_weight_read(text_weight *w, brz_stacks *stacks, brz_ctx *ctx, brz_str text,
                      int64_t *value);

/* Returns a value that was read when the column had `decimals`, in units that it has now. */
int64_t text_weight_now(const text_weight *w, int64_t value, uint32_t decimals);

#endif
