/* SPDX-License-Identifier: MIT */
/* Traverses the frames in drawing order.
 *
 * Nodes come in the order of sorted folded lines, by weight, or in chronological order. A frame is
 * drawn when the traversal leaves it; of those left at once, the outer ones come first. Palettes
 * that draw random numbers depend on this order, so it is part of a picture's appearance.
 */
#include <string.h>

#include "picture.h"

/* Open frames, indexed by depth. */
typedef struct open_frames {
    svg_frame *frames;
    uint32_t n;
    size_t cap;
} open_frames;

static void open_frame(svg_picture *p, open_frames *o, const svg_frame *f)
{
    o->frames = brz_output_list_room(p->ctx, o->frames, o->n, &o->cap, sizeof *o->frames);
    o->frames[o->n++] = *f;
}

/* Leaves the frames from `depth` on: the ones that end first come first, and outer ones first among
 * those that end together. */
static void leave_frames(svg_picture *p, open_frames *o, uint32_t depth, svg_draw *draw, void *arg)
{
    while (o->n > depth) {
        uint32_t first = o->n - 1;
        while (first > depth && o->frames[first - 1].end == o->frames[o->n - 1].end)
            first--;
        for (uint32_t i = first; i < o->n; i++)
            draw(p, &o->frames[i], arg);
        o->n = first;
    }
}

static uint64_t weight(int64_t v)
{
    return v > 0 ? (uint64_t)v : 0;
}

static uint64_t width_of(const svg_picture *p, uint32_t node)
{
    return node == 0 ? p->m.whole : weight(brz_node_at(p->tree, node)->total);
}

/* Prefetches nodes some distance after a node: those of narrow frames are skipped, so the processor
 * does not see the order. */
BRZ_PREFETCHING
static inline void fetch_ahead(const brz_node *n)
{
    const char *next = (const char *)(n + 16);
    __builtin_prefetch(next);
    __builtin_prefetch(next + 64);
    __builtin_prefetch(next + 128);
}

void svg_count_frames(svg_picture *p)
{
    p->m.max_depth = 0;
    p->n_drawn = p->n_narrow = 0;
    for (uint32_t i = 0; i < p->tree->n_nodes;) {
        const brz_node *n = brz_node_at(p->tree, i);
        fetch_ahead(n);
        if ((double)width_of(p, i) < p->m.min_width) {
            p->n_narrow += n->subtree; /* its callees are narrower still */
            i += n->subtree;
            continue;
        }
        p->n_drawn++;
        if (n->depth > p->m.max_depth)
            p->m.max_depth = n->depth;
        i++;
    }
}

void svg_walk(svg_picture *p, svg_draw *draw, void *arg)
{
    open_frames open = {0};
    uint64_t time = 0;
    uint32_t place = 0;
    for (uint32_t i = 0; i < p->tree->n_nodes;) {
        const brz_node *n = brz_node_at(p->tree, i);
        fetch_ahead(n);
        if (p->tree->starts != NULL)
            time = weight(p->tree->starts[i]);
        uint64_t total = width_of(p, i);
        svg_frame f = {.node = i, .start = time, .end = time + total};
        leave_frames(p, &open, n->depth, draw, arg);
        if ((double)total < p->m.min_width) {
            if (open.n > 0)
                open.frames[open.n - 1].narrow += weight(n->total);
            time = f.end;
            i += n->subtree;
            continue;
        }
        f.place = place++;
        open_frame(p, &open, &f);
        time += weight(n->self);
        i++;
    }
    leave_frames(p, &open, 0, draw, arg);
}
