/* SPDX-License-Identifier: MIT */
/* Numbers the frames of a page by their number of calls, so that most calls take few bytes. */
#include "document.h"

#include <stdlib.h>

/* A frame with its number of calls. */
typedef struct counted {
    uint32_t frame, calls;
} counted;

/* Orders frames with many calls first, and equal ones as in the tree. */
static int by_calls(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    if (x->calls != y->calls)
        return x->calls > y->calls ? -1 : 1;
    return (x->frame > y->frame) - (x->frame < y->frame);
}

static counted *count_calls(html_page *p)
{
    const brz_tree *tree = p->tree;
    counted *items = p->ctx->host->alloc(p->ctx, (tree->n_frames + 1) * sizeof *items, 0);
    for (uint32_t i = 0; i < tree->n_frames; i++)
        items[i] = (counted){.frame = i};
    for (uint32_t i = 1; i < p->calls.n; i++)
        items[p->calls.items[i].frame].calls++;
    if (tree->starts != NULL)
        for (uint32_t i = 1; i < tree->n_nodes; i++)
            items[brz_node_at(tree, i)->frame].calls++;
    return items;
}

void html_number_frames(html_page *p)
{
    uint32_t n = p->tree->n_frames;
    counted *items = count_calls(p);
    p->frames = p->ctx->host->alloc(p->ctx, (n + 1) * sizeof *p->frames, 0);
    p->number_of = p->ctx->host->alloc(p->ctx, (n + 1) * sizeof *p->number_of, 0);
    qsort(items, n, sizeof *items, by_calls);
    for (uint32_t i = 0; i < n; i++) {
        p->frames[i] = items[i].frame;
        p->number_of[items[i].frame] = i;
    }
}
