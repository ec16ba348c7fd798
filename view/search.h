/* SPDX-License-Identifier: MIT */
/* Finds frames by a regular expression, with the weight of all of them. */
#ifndef BRZ_VIEW_SEARCH_H
#define BRZ_VIEW_SEARCH_H

#include "base/pattern.h"
#include "view/graph.h"

typedef struct view_search {
    brz_pattern *pattern; /* NULL: no search */
    uint8_t *matches;     /* by frame: its name matches */
    uint32_t *found;      /* nodes that match, by weight and then from left to right */
    uint32_t n_found;
    uint32_t current; /* index of the chosen one among them; VIEW_NO_NODE: none */
    int64_t total;    /* signed weight of all; a frame below another one counts once */
} view_search;

/* Searches a graph. Returns false and appends the reason to `error` if the expression is invalid or
 * exceeds the limits; the search stays as it was. */
bool view_search_start(view_search *s, const view_graph *g, brz_str expression, brz_buf *error);

/* Finds the same frames in another graph with the same frames. */
void view_search_apply(view_search *s, const view_graph *g);

/* Chooses the next heaviest of the nodes, or the one before if `step` is -1, and returns it; the
 * first one follows the last. Returns VIEW_NO_NODE if there is none. */
uint32_t view_search_next(view_search *s, int step);

/* Returns whether a node's name matches. */
static inline bool view_search_has(const view_search *s, const view_graph *g, uint32_t node)
{
    return s->pattern != NULL && node != 0 && s->matches[view_node(g, node)->frame] != 0;
}

/* Ends the search. */
void view_search_clear(view_search *s);

#endif
