/* SPDX-License-Identifier: MIT */
/* Names the columns of weights. */
#ifndef ROWS_NAMES_H
#define ROWS_NAMES_H

#include <brazier/output.h>

/* Returns the names of the weights' columns: distinct, and none of the `n` names in `taken`. The
 * memory belongs to the plug-in instance. */
brz_str *rows_weight_names(brz_output_ctx *ctx, const brz_tree *tree, bool units,
                           const brz_str *taken, size_t n);

#endif
