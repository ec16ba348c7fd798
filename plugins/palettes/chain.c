/* SPDX-License-Identifier: MIT */
/* Defines the palette "chain" for wake-up chains: frames after a frame "--" belong to the stacks of
 * wakers. These frames, and those that have the attribute, are aqua; the waiting ones before it are
 * blue. */
#include "ramp.h"
#include "../common/shipped.h"

#include <brazier/symbol.h>

typedef struct chain {
    bool *woke; /* indexed by node: whether it follows a "--" */
} chain;

static brz_rc prepare(brz_palette_ctx *ctx, const brz_tree *tree)
{
    chain *c = ctx->inst;
    c->woke = ctx->host->alloc(ctx, tree->n_nodes, 0);
    for (uint32_t i = 1; i < tree->n_nodes; i++) {
        uint32_t parent = brz_node_at(tree, i)->parent;
        uint32_t frame = brz_node_at(tree, parent)->frame;
        c->woke[i] = c->woke[parent] || brz_str_is(brz_frame_at(tree, frame)->name, "--");
    }
    return BRZ_OK;
}

static uint32_t number_of(const brz_color_in *in)
{
    const char *first = in->tree->nodes;
    return (uint32_t)((size_t)((const char *)in->node - first) / in->tree->node_size);
}

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    const chain *c = ctx->inst;
    bool is_waker = (in->frame->flags & BRZ_FRAME_WAKER) != 0 || c->woke[number_of(in)];
    bool is_annotated = brz_name_annotation(in->frame->name) == 'w';
    if (!is_waker || is_annotated)
        return ramp_answer(ctx, in, is_waker ? RAMP_AQUA : RAMP_BLUE);
    return ramp_answer_with(ctx, in, RAMP_AQUA, BRZ_STR("_[w]"));
}

static const brz_palette palette = {
    .struct_size = sizeof palette,
    .depends = BRZ_ON_NAME | BRZ_ON_KIND | BRZ_ON_PATH | BRZ_ON_SEED,
    .inst_size = sizeof(chain),
    .background = BACKGROUND_BLUE,
    .prepare = prepare,
    .color = color,
};

SHIPPED_PLUGIN("chain", BRZ_PALETTE, &palette,
               .summary = "wake-up chains: aqua for wakers, blue for waiters",
               .options = ramp_option_table, .n_options = RAMP_N_OPTIONS,
               .option_size = sizeof(brz_option), .cfg_size = sizeof(ramp_options))
