/* Adds the heaviest groups to a legend. */
#include "group_legend.h"

#include <stdlib.h>
#include <string.h>

#include <brazier/symbol.h>

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
    brz_str s = ((const group_share *)a)->group, t = ((const group_share *)b)->group;
    size_t n = s.len < t.len ? s.len : t.len;
    int d = n > 0 ? memcmp(s.data, t.data, n) : 0;
    return d != 0 ? d : (s.len > t.len) - (s.len < t.len);
}

static int by_weight(const void *a, const void *b)
{
    int64_t v = ((const group_share *)a)->self, w = ((const group_share *)b)->self;
    return v != w ? (v < w) - (v > w) : by_group(a, b);
}

/* Adds to a sum, which saturates at the limits of int64_t. */
static void add_self(group_share *to, int64_t self)
{
    if (__builtin_add_overflow(to->self, self, &to->self))
        to->self = self > 0 ? INT64_MAX : INT64_MIN;
}

uint32_t group_shares(brz_palette_ctx *ctx, const brz_tree *tree, group_of_frame *group,
                      group_share **list)
{
    group_share *shares = ctx->host->alloc(ctx, tree->n_frames * sizeof *shares, 0);
    uint32_t n = 0;
    for (uint32_t i = 0; i < tree->n_frames; i++)
        shares[i].group = group(ctx, brz_frame_at(tree, i));
    for (uint32_t i = 0; i < tree->n_nodes; i++)
        add_self(&shares[brz_node_at(tree, i)->frame], brz_node_at(tree, i)->self);
    qsort(shares, tree->n_frames, sizeof *shares, by_group);
    for (uint32_t i = 0; i < tree->n_frames; i++) {
        if (shares[i].group.len == 0)
            continue;
        if (n > 0 && brz_str_equal(shares[n - 1].group, shares[i].group))
            add_self(&shares[n - 1], shares[i].self);
        else
            shares[n++] = shares[i];
    }
    qsort(shares, n, sizeof *shares, by_weight);
    *list = shares;
    return n;
}

void group_legend(brz_palette_ctx *ctx, const brz_tree *tree, brz_legend *legend,
                  group_of_frame *group, color_of_group *color)
{
    group_share *shares;
    uint32_t n = group_shares(ctx, tree, group, &shares);
    for (uint32_t i = 0; i < n && i < MOST; i++)
        legend->add(legend, color(ctx, shares[i].group), shares[i].group);
}
