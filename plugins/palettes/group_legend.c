/* SPDX-License-Identifier: MIT */
/* Adds the heaviest groups to a legend. */
#include "group_legend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <brazier/symbol.h>
#include <brazier/text/hash.h>

uint64_t group_hash(brz_str s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < s.len; i++)
        h = (h ^ (unsigned char)s.data[i]) * UINT64_C(0x100000001b3);
    return h ^ h >> 29;
}

#define MOST 12

static int by_group(const void *a, const void *b)
{
    return brz_str_compare(((const group_share *)a)->group, ((const group_share *)b)->group);
}

/* Orders heavy groups first; groups without weight, which only pages have, come last. */
static int by_weight(const void *a, const void *b)
{
    const group_share *x = a, *y = b;
    if (x->has_weight != y->has_weight)
        return x->has_weight ? -1 : 1;
    return x->self != y->self ? (x->self < y->self) - (x->self > y->self) : by_group(a, b);
}

/* Adds to a sum, which saturates at the limits of int64_t. */
static void add_self(group_share *to, int64_t self)
{
    if (__builtin_add_overflow(to->self, self, &to->self))
        to->self = self > 0 ? INT64_MAX : INT64_MIN;
}

/* A hash table of groups; slots hold numbers from 1. */
typedef struct group_slots {
    uint32_t *numbers;
    size_t n; /* a power of two */
    brz_hash_keys keys;
} group_slots;

static uint32_t *slot_of(const group_slots *s, const group_table *t, brz_str group)
{
    size_t at = (size_t)brz_hash_str(&s->keys, group) & (s->n - 1);
    while (s->numbers[at] != 0 && !brz_str_equal(t->shares[s->numbers[at] - 1].group, group))
        at = (at + 1) & (s->n - 1);
    return &s->numbers[at];
}

/* Keeps most of the slots free. */
static void grow(brz_palette_ctx *ctx, group_slots *s, group_table *t)
{
    if (4 * (size_t)t->n < s->n)
        return;
    group_share *shares = t->shares;
    s->n = s->n == 0 ? 1024 : 2 * s->n;
    s->numbers = ctx->host->alloc(ctx, s->n * sizeof *s->numbers, 0);
    t->shares = ctx->host->alloc(ctx, s->n / 4 * sizeof *t->shares + sizeof *t->shares, 0);
    if (t->n > 0)
        memcpy(t->shares, shares, t->n * sizeof *shares);
    for (uint32_t i = 0; i < t->n; i++)
        *slot_of(s, t, t->shares[i].group) = i + 1;
}

static uint32_t number_of(brz_palette_ctx *ctx, group_slots *s, group_table *t, brz_str group)
{
    if (group.len == 0)
        return 0;
    grow(ctx, s, t);
    uint32_t *slot = slot_of(s, t, group);
    if (*slot == 0) {
        t->shares[t->n] = (group_share){.group = group, .label = group, .number = t->n};
        *slot = ++t->n;
    }
    return *slot;
}

/* Sorts the groups and numbers them by their new places. */
static void sort(brz_palette_ctx *ctx, group_table *t, uint32_t n_frames)
{
    uint32_t *place = ctx->host->alloc(ctx, ((size_t)t->n + 1) * sizeof *place, 0);
    if (t->n > 0)
        qsort(t->shares, t->n, sizeof *t->shares, by_weight);
    for (uint32_t i = 0; i < t->n; i++)
        place[t->shares[i].number + 1] = i + 1;
    for (uint32_t i = 0; i < n_frames; i++)
        t->of_frame[i] = place[t->of_frame[i]];
}

/* Adds the weights of a tree to the groups of its frames. */
static void add_weights(group_table *t, const uint32_t *of_frame, const brz_tree *tree)
{
    const void *nodes = tree->nodes;
    const uint32_t stride = tree->node_size, n_nodes = tree->n_nodes;
    for (uint32_t i = 0; i < n_nodes; i++) {
        const brz_node *n = brz_at(nodes, stride, i);
        if (of_frame[n->frame] == 0)
            continue;
        group_share *share = &t->shares[of_frame[n->frame] - 1];
        add_self(share, n->self);
        share->has_weight |= n->total != 0;
    }
}

group_table group_table_of(brz_palette_ctx *ctx, const brz_tree *tree, group_of_frame *group)
{
    group_table t = {.tree = tree};
    group_slots s = {.keys = brz_hash_keys_of(ctx->seed)};
    t.of_frame = ctx->host->alloc(ctx, ((size_t)tree->n_frames + 1) * sizeof *t.of_frame, 0);
    for (uint32_t i = 0; i < tree->n_frames; i++)
        t.of_frame[i] = number_of(ctx, &s, &t, group(ctx, brz_frame_at(tree, i)));
    add_weights(&t, t.of_frame, tree);
    sort(ctx, &t, tree->n_frames);
    return t;
}

group_table group_table_weigh(brz_palette_ctx *ctx, const group_table *t, const brz_tree *tree)
{
    if (tree == t->tree)
        return *t;
    group_table w = {.tree = tree, .n = t->n};
    w.shares = ctx->host->alloc(ctx, ((size_t)t->n + 1) * sizeof *w.shares, 0);
    for (uint32_t i = 0; i < t->n; i++)
        w.shares[i] = (group_share){.group = t->shares[i].group, .label = t->shares[i].label};
    add_weights(&w, t->of_frame, tree);
    if (w.n > 0)
        qsort(w.shares, w.n, sizeof *w.shares, by_weight);
    return w;
}

static void add_rest(brz_legend *legend, uint32_t n)
{
    char text[64];
    int len = snprintf(text, sizeof text, "%u %s", n, n == 1 ? "other" : "others");
    if (n > 0 && len > 0)
        legend->add(legend, GROUP_REST, brz_str_of(text, (size_t)len));
}

void group_legend(brz_palette_ctx *ctx, const group_table *t, brz_legend *legend,
                  color_of_group *color)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        if (!t->shares[i].has_weight)
            continue;
        if (n++ < MOST)
            legend->add(legend, color(ctx, t->shares[i].group), t->shares[i].label);
    }
    add_rest(legend, n > MOST ? n - MOST : 0);
}
