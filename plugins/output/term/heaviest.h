/* SPDX-License-Identifier: MIT */
/* The functions with the largest self weight, or in a comparison with the largest change of it. */
#ifndef TERM_HEAVIEST_H
#define TERM_HEAVIEST_H

#include <brazier/plugin.h>

#define HEAVIEST 5 /* number of functions */

typedef struct heavy {
    brz_str name;
    int64_t self;              /* of the weight that is drawn */
    int64_t before, after;     /* self weights in a comparison */
    bool was_before, is_after; /* the function is in a stack of that side of a comparison */
} heavy;

/* Stores the heaviest functions, heaviest first, and returns their number. Functions without self
 * weight, or without a change of it, are left out. */
uint32_t heaviest_find(brz_output_ctx *ctx, const brz_tree *tree, heavy top[HEAVIEST]);

#endif
