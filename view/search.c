/* SPDX-License-Identifier: MIT */
/* Finds frames by a regular expression. */
#include "view/search.h"

#include <stdlib.h>

#include "base/mem.h"

/* Marks the frames whose names match. Returns NULL if the expression exceeds its limits. */
static uint8_t *match_frames(const brz_pattern *p, const brz_tree *tree, brz_buf *error)
{
    uint8_t *matches = brz_calloc(tree->n_frames + (size_t)1, 1);
    for (uint32_t i = 0; i < tree->n_frames; i++) {
        brz_match m = brz_pattern_search(p, brz_display_name(brz_frame_at(tree, i)), error);
        matches[i] = m == BRZ_MATCH_FOUND;
        if (m == BRZ_MATCH_FAILED) {
            free(matches);
            return NULL;
        }
    }
    return matches;
}

bool view_search_start(view_search *s, const view_graph *g, brz_str expression, brz_buf *error)
{
    brz_pattern *p = brz_pattern_create(expression, error);
    uint8_t *matches = p == NULL ? NULL : match_frames(p, &g->tree, error);
    if (matches == NULL) {
        brz_pattern_destroy(p);
        return false;
    }
    view_search_clear(s);
    s->pattern = p;
    s->matches = matches;
    view_search_apply(s, g);
    return true;
}

/* A node that matches, with its weight. */
typedef struct found_node {
    int64_t total;
    uint32_t node;
} found_node;

static int by_weight(const void *a, const void *b)
{
    const found_node *left = a, *right = b;
    if (left->total != right->total)
        return left->total > right->total ? -1 : 1;
    return left->node < right->node ? -1 : left->node > right->node;
}

static void keep_sorted(view_search *s, found_node *nodes, size_t n)
{
    qsort(nodes, n, sizeof *nodes, by_weight);
    free(s->found);
    s->found = brz_malloc((n + 1) * sizeof *s->found);
    for (size_t i = 0; i < n; i++)
        s->found[i] = nodes[i].node;
    s->n_found = (uint32_t)n;
    s->current = VIEW_NO_NODE;
}

void view_search_apply(view_search *s, const view_graph *g)
{
    found_node *nodes = NULL;
    size_t n = 0, cap = 0;
    uint32_t counted_to = 0; /* nodes before it are below one that is counted */
    s->total = 0;
    for (uint32_t i = 1; i < g->tree.n_nodes && s->pattern != NULL; i++) {
        if (!view_search_has(s, g, i))
            continue;
        nodes = brz_grow(nodes, n, &cap, sizeof *nodes);
        nodes[n++] = (found_node){view_node(g, i)->total, i};
        if (i < counted_to)
            continue;
        s->total = view_sum(s->total, brz_signed_total(&g->tree, i));
        counted_to = i + view_node(g, i)->subtree;
    }
    if (n > 0)
        keep_sorted(s, nodes, n);
    else
        s->n_found = 0;
    free(nodes);
}

uint32_t view_search_next(view_search *s, int step)
{
    if (s->pattern == NULL || s->n_found == 0)
        return VIEW_NO_NODE;
    if (s->current == VIEW_NO_NODE)
        s->current = step > 0 ? 0 : s->n_found - 1;
    else if (step > 0)
        s->current = s->current + 1 < s->n_found ? s->current + 1 : 0;
    else
        s->current = s->current > 0 ? s->current - 1 : s->n_found - 1;
    return s->found[s->current];
}

void view_search_clear(view_search *s)
{
    brz_pattern_destroy(s->pattern);
    free(s->matches);
    free(s->found);
    *s = (view_search){.current = VIEW_NO_NODE};
}
