/* SPDX-License-Identifier: MIT */
/* Collects the code of the heaviest functions. */
#include "collapse/collect_code.h"

#include <brazier/symbol.h>

#include <stdlib.h>

#include "base/mem.h"

/* A frame with which stacks end. */
typedef struct leaf {
    const brz_profile_frame *frame;
    brz_frame id;
    uint64_t share; /* sum of its shares of all weights */
} leaf;

/* A function whose code was found. */
typedef struct candidate {
    brz_module_code code;
    uint64_t share;
} candidate;

typedef struct candidates {
    candidate *items;
    size_t n, cap;
} candidates;

/* Returns the sum of all values of a weight, without their signs. */
static uint64_t total_of(const brz_profile_weight *w)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < w->n_values; i++)
        if (__builtin_add_overflow(sum, brz_size_of(w->values[i]), &sum))
            return UINT64_MAX;
    return sum;
}

/* The share of all. Shares are whole numbers: their sums do not depend on the order of stacks,
 * which threads may change. */
#define WHOLE 0x1p40

/* Adds the shares that stacks have of a weight to the frames with which they end. */
static void add_shares(uint64_t *shares, const brz_profile *p, const brz_profile_weight *w)
{
    double total = (double)total_of(w);
    for (size_t i = 0; i < w->n_values && i < p->n_stacks && total > 0; i++) {
        const brz_profile_stack *s = &p->stacks[i];
        double share = (double)brz_size_of(w->values[i]) / total;
        if (s->n > 0)
            shares[s->frames[s->n - 1]] += (uint64_t)(share * WHOLE) + (share > 0);
    }
}

/* Orders frames by their modules, then by their addresses. */
static int by_place(const void *a, const void *b)
{
    const brz_profile_frame *x = ((const leaf *)a)->frame, *y = ((const leaf *)b)->frame;
    if (x->module != y->module)
        return x->module < y->module ? -1 : 1;
    if (x->build_id != y->build_id)
        return x->build_id < y->build_id ? -1 : 1;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x > y) - (x < y);
}

/* Returns the frames in files with which stacks end, by their places. */
static leaf *list_leaves(const brz_profile *p, size_t *n)
{
    uint64_t *shares = brz_calloc(p->n_frames + 1, sizeof *shares);
    leaf *leaves = brz_calloc(p->n_frames + 1, sizeof *leaves);
    *n = 0;
    for (size_t w = 0; w < p->n_weights; w++)
        add_shares(shares, p, &p->weights[w]);
    for (size_t i = 0; i < p->n_frames; i++) {
        const brz_profile_frame *f = &p->frames[i];
        if (shares[i] > 0 && f->address != 0 && f->module != 0 && f->build_id != 0)
            leaves[(*n)++] = (leaf){f, (brz_frame)i, shares[i]};
    }
    free(shares);
    qsort(leaves, *n, sizeof *leaves, by_place);
    return leaves;
}

/* Adds the share of a frame to its function, which is that of the frame before or a new one. */
static void add_leaf(candidates *c, const brz_code_source *source, brz_ctx *ctx,
                     const brz_profile *p, const leaf *l)
{
    const brz_frame_info at = brz_profile_frame_info(p, l->id);
    brz_code code = {.struct_size = sizeof code};
    if (c->n > 0 && brz_module_code_contains(&c->items[c->n - 1].code, &at)) {
        c->items[c->n - 1].share += l->share;
        return;
    }
    if (!source->find(ctx, &at, &code))
        return;
    c->items = brz_grow(c->items, c->n, &c->cap, sizeof *c->items);
    c->items[c->n++] = (candidate){{at.module, at.build_id, code}, l->share};
}

/* Orders functions by their weight, and equal ones by their places. */
static int by_share(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    uint64_t left = x->code.code.address, right = y->code.code.address;
    if (left != right)
        return left < right ? -1 : 1;
    int order = brz_str_compare(x->code.module, y->code.module);
    return order != 0 ? order : brz_str_compare(x->code.build_id, y->code.build_id);
}

static const brz_code_source *source_of(const brz_drive *d)
{
    const brz_collapser *c = d->collapser;
    bool is_wanted = d->options->wants_code && d->n_instances > 0;
    return is_wanted && c->offer != NULL ? c->offer(BRZ_CODE_ID) : NULL;
}

void brz_collect_code(const brz_drive *d, brz_profile *p)
{
    const brz_code_source *source = source_of(d);
    candidates c = {.n = 0};
    size_t n;
    if (source == NULL || p == NULL)
        return;
    brz_instance *i = d->instances[0];
    leaf *leaves = list_leaves(p, &n);
    brz_instance_enter(i, "code", d->feed->source->name, 0, 0);
    for (size_t k = 0; k < n; k++)
        add_leaf(&c, source, &i->ctx, p, &leaves[k]);
    brz_instance_leave(i);
    if (c.n > 0)
        qsort(c.items, c.n, sizeof *c.items, by_share);
    for (size_t k = 0; k < c.n; k++)
        brz_codes_add(&p->codes, &c.items[k].code);
    free(c.items);
    free(leaves);
}
