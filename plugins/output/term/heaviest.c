/* SPDX-License-Identifier: MIT */
/* Finds the functions with the largest self weight, as gains or losses, or with the largest change
 * of it. */
#include "heaviest.h"

#include <brazier/symbol.h>

#include <math.h>
#include <string.h>

#include "../common/calls.h"
#include "../common/texts.h"

/* Sums of all functions, in the order of `names`. */
typedef struct functions {
    texts names;
    heavy *items;
    uint32_t *of_frame;
    bool compares, is_signed;
} functions;

static void init(functions *f, brz_output_ctx *ctx, const brz_tree *tree)
{
    texts_init(&f->names, ctx);
    f->compares = tree->before != BRZ_NO_COLUMN && tree->after != BRZ_NO_COLUMN;
    f->is_signed = (tree->flags & BRZ_TREE_SIGNED) != 0;
    f->items = ctx->host->alloc(ctx, ((size_t)tree->n_frames + 1) * sizeof *f->items, 0);
    f->of_frame = ctx->host->alloc(ctx, ((size_t)tree->n_frames + 1) * sizeof *f->of_frame, 0);
    for (uint32_t i = 0; i < tree->n_frames; i++) {
        brz_str name = brz_display_name(brz_frame_at(tree, i));
        f->of_frame[i] = texts_add(&f->names, name);
        f->items[f->of_frame[i]].name = name;
    }
}

static void note_sides(functions *f, const brz_tree *tree, const brz_stack_info *s)
{
    for (uint32_t k = 0; k < s->n; k++) {
        heavy *h = &f->items[f->of_frame[s->frames[k]]];
        h->was_before |= s->values[tree->before] != 0;
        h->is_after |= s->values[tree->after] != 0;
    }
}

static void add_up(functions *f, const brz_tree *tree)
{
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        if (s->n == 0)
            continue;
        heavy *h = &f->items[f->of_frame[s->frames[s->n - 1]]];
        h->self = add_saturated(h->self, s->values[tree->main_column]);
        if (!f->compares)
            continue;
        h->before = add_saturated(h->before, s->values[tree->before]);
        h->after = add_saturated(h->after, s->values[tree->after]);
        note_sides(f, tree, s);
    }
}

/* Returns what functions are ordered by. */
static double rank_of(const functions *f, const heavy *h)
{
    double change = (double)h->after - (double)h->before;
    if (f->compares)
        return fabs(change);
    return f->is_signed ? fabs((double)h->self) : (double)h->self;
}

static bool precedes(const functions *f, const heavy *a, const heavy *b)
{
    double x = rank_of(f, a), y = rank_of(f, b);
    if (x > y || x < y)
        return x > y;
    return brz_str_compare(a->name, b->name) < 0;
}

uint32_t heaviest_find(brz_output_ctx *ctx, const brz_tree *tree, heavy top[HEAVIEST])
{
    functions f;
    uint32_t n = 0;
    init(&f, ctx, tree);
    add_up(&f, tree);
    for (uint32_t i = 0; i < f.names.n; i++) {
        const heavy *h = &f.items[i];
        if (!(rank_of(&f, h) > 0) || (n == HEAVIEST && !precedes(&f, h, &top[n - 1])))
            continue;
        uint32_t at = n < HEAVIEST ? n++ : n - 1;
        for (; at > 0 && precedes(&f, h, &top[at - 1]); at--)
            top[at] = top[at - 1];
        top[at] = *h;
    }
    return n;
}
