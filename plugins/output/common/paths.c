/* Builds the table of paths. */
#include "paths.h"

#include "calls.h"

static uint32_t longest(const brz_tree *tree)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < tree->n_stacks; i++)
        n = brz_stack_at(tree, i)->n > n ? brz_stack_at(tree, i)->n : n;
    return n;
}

/* Adds the paths of all stacks. `open` has the path of the stack before at each depth. */
static void add_paths(paths *p, const brz_tree *tree, uint32_t *open)
{
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        for (uint32_t k = s->shared; k < s->n; k++)
            open[k + 1] = keys_add(&p->items, key_of_two(open[k], s->frames[k])) + 1;
        p->of_stack[i] = open[s->n];
    }
}

static void add_sums(paths *p, const brz_tree *tree)
{
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        int64_t *self = p->self + (size_t)p->of_stack[i] * p->n_weights;
        for (uint32_t w = 0; w < p->n_weights; w++)
            self[w] = add_saturated(self[w], s->values[w]);
    }
}

void paths_init(paths *p, brz_output_ctx *ctx, const brz_tree *tree)
{
    size_t depth = (size_t)longest(tree) + 1;
    keys_init(&p->items, ctx);
    p->n_weights = tree->n_weights;
    p->of_stack = ctx->host->alloc(ctx, ((size_t)tree->n_stacks + 1) * sizeof *p->of_stack, 0);
    add_paths(p, tree, ctx->host->alloc(ctx, depth * sizeof(uint32_t), 0));
    p->self = ctx->host->alloc(ctx, ((size_t)p->items.n + 1) * p->n_weights * sizeof *p->self, 0);
    add_sums(p, tree);
}
