/* SPDX-License-Identifier: MIT */
/* Makes graphs of another one: other orders, directions and parts of the same profile.
 *
 * Each takes one pass over the nodes of the graph, which may take seconds: any thread may do it,
 * while others read the graph. It ends early, with the result NULL, when `stop` becomes true;
 * `stop` may be NULL. */
#ifndef BRZ_VIEW_DERIVE_H
#define BRZ_VIEW_DERIVE_H

#include <stdatomic.h>

#include "view/builder.h"

/* Returns the same graph in an order. */
view_graph *view_derive_order(const view_graph *g, view_order order, const atomic_bool *stop);

/* Returns the graph from the ends of stacks to their roots. */
view_graph *view_derive_reverse(const view_graph *g, view_order order, const atomic_bool *stop);

/* Returns the graph without the frames of a name: their callees take their places. */
view_graph *view_derive_hide(const view_graph *g, uint32_t frame, view_order order,
                             const atomic_bool *stop);

/* Returns only a function with its callees, joined over all its callers. */
view_graph *view_derive_callees(const view_graph *g, uint32_t frame, view_order order,
                                const atomic_bool *stop);

/* Returns only a function with its callers as if these were called by it. */
view_graph *view_derive_callers(const view_graph *g, uint32_t frame, view_order order,
                                const atomic_bool *stop);

/* Returns a graph in which unnamed frames of a module that call each other are one node, the base
 * of which is `g`; or `g` itself if it has no such runs, or is in the order of time. Takes over
 * `g`, also if it ends early. */
view_graph *view_derive_fold(view_graph *g, view_order order, const atomic_bool *stop);

/* Returns the graph of another weight of the profile, whose stacks the tree of `g` has. Returns
 * NULL if that weight has losses and the tree has no room for signs. */
view_graph *view_derive_weight(const view_graph *g, uint32_t column, view_order order,
                               const atomic_bool *stop);

/* Returns the node of `g` whose callers have the frames of those of a node of another graph, as
 * far as it has them. Runs of unnamed frames may be folded in one of both. */
uint32_t view_derive_follow(const view_graph *g, const view_graph *other, uint32_t node);

#endif
