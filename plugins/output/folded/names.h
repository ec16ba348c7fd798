/* SPDX-License-Identifier: MIT */
/* Adapts the names of a profile to folded text, so that their lines read back as the same frames.
 *
 * Three parts of names have a meaning there: bytes that divide a line (<brazier/folded.h>), a "#"
 * that makes the line a comment, and a quote such as `x:"a`, which makes one frame of all frames up
 * to the first one that ends in a quote.
 */
#ifndef OUTPUT_FOLDED_NAMES_H
#define OUTPUT_FOLDED_NAMES_H

#include <brazier/output.h>

/* Returns the names of the tree's frames, by frame, as folded text can hold them. Sets *reordered
 * if lines with these names may be out of order, or equal. */
brz_str *folded_names(brz_output_ctx *ctx, const brz_tree *tree, bool *reordered);

#endif
