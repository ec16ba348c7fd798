/* SPDX-License-Identifier: MIT */
/* The numbers of the status line: weights with their units, and shares. */
#ifndef BRZ_VIEW_FIGURES_H
#define BRZ_VIEW_FIGURES_H

#include "base/buf.h"
#include "view/graph.h"

/* Appends a weight of the run's column: "1.8 s", or "2,502 samples". */
void view_add_amount(brz_buf *b, const brz_tree *tree, int64_t value);

/* Appends a share in percent: "39.80 %". */
void view_add_share(brz_buf *b, double part, double whole);

/* Appends the numbers of a node: its total and self weight, its share of all, and of the node that
 * fills the width; in a comparison also what it was before, and with signs its gains and losses.
 * A share of a signed weight has its sign; the whole is the sum of gains and losses. `is_short`
 * leaves words out. */
void view_add_figures(brz_buf *b, const view_graph *g, uint32_t node, uint32_t zoom, bool is_short);

#endif
