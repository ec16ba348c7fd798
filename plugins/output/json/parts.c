/* Divides the weight of nodes by labels. */
#include "parts.h"

#include <stdlib.h>

#include <brazier/symbol.h>

#include "../common/calls.h"

/* ---- nodes --------------------------------------------------------------------------------- */

/* Returns the number of leading frames with the same names. */
static uint32_t shared_names(const brz_tree *tree, const brz_stack_info *a, const brz_stack_info *b)
{
    uint32_t n = 0;
    while (a != NULL && n < a->n && n < b->n &&
           (a->frames[n] == b->frames[n] || brz_str_equal(brz_frame_at(tree, a->frames[n])->name,
                                                          brz_frame_at(tree, b->frames[n])->name)))
        n++;
    return n;
}

/* Returns the node in which each stack ends. Stacks are in the order of nodes; those without a
 * value in the run's weight have none. */
static uint32_t *find_ends(brz_output_ctx *ctx, const brz_tree *tree)
{
    uint32_t *ends = ctx->host->alloc(ctx, ((size_t)tree->n_stacks + 1) * sizeof *ends, 0);
    uint32_t *open = ctx->host->alloc(ctx, ((size_t)tree->max_depth + 1) * sizeof *open, 0);
    const brz_stack_info *last = NULL;
    uint32_t n = 1; /* number of nodes so far */
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        if (s->values[tree->weight] == 0)
            continue;
        for (uint32_t k = shared_names(tree, last, s); k < s->n; k++)
            open[k + 1] = n++;
        ends[i] = open[s->n];
        last = s;
    }
    return ends;
}

/* ---- parts --------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const part *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->labels != y->labels)
        return x->labels < y->labels ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* Adds up the parts of a node with the same labels, which are sorted, and drops sums of 0. */
static void add_up(parts *p)
{
    size_t n = 0;
    for (size_t i = 0, end; i < p->n; i = end) {
        part sum = p->items[i];
        for (end = i + 1;
             end < p->n && p->items[end].node == sum.node && p->items[end].labels == sum.labels;
             end++)
            sum.value = add_saturated(sum.value, p->items[end].value);
        if (sum.value != 0)
            p->items[n++] = sum;
    }
    p->n = n;
}

void parts_init(parts *p, brz_output_ctx *ctx, const brz_tree *tree)
{
    *p = (parts){.n = 0};
    label_sets_init(&p->labels, ctx, tree);
    if (p->labels.n == 1)
        return;
    if (tree->flags & BRZ_TREE_TIME_ORDER) {
        brz_output_report(ctx, BRZ_NOTE, "json.labels",
                          BRZ_STR("the labels of samples are left out in the order of time"));
        return;
    }
    const uint32_t *ends = find_ends(ctx, tree);
    p->items = ctx->host->alloc(ctx, (size_t)tree->n_samples * sizeof *p->items, 0);
    for (uint64_t i = 0; i < tree->n_samples; i++) {
        const brz_sample_info *s = brz_sample_at(tree, i);
        if (s->weight == tree->weight && brz_stack_at(tree, s->stack)->values[s->weight] != 0)
            p->items[p->n++] = (part){ends[s->stack], p->labels.of_tags[s->tag], s->value};
    }
    if (p->n > 0)
        qsort(p->items, p->n, sizeof *p->items, compare);
    add_up(p);
}

bool parts_has(const parts *p, uint32_t node)
{
    return p->at < p->n && p->items[p->at].node == node;
}

bool parts_next(parts *p, uint32_t node, part *next)
{
    if (!parts_has(p, node))
        return false;
    *next = p->items[p->at++];
    return true;
}
