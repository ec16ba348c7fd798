/* Removes the frames of a runtime library from stacks.
 *
 * SPDX-License-Identifier: MIT
 */
#include <brazier/new_stack.h>
#include <brazier/plugin.h>
#include <brazier/symbol.h>

typedef struct config {
    brz_str prefix;
} config;

/* Makes the stack without frames whose names begin with the prefix. The function is pure: its
 * result depends only on the stack and the options. */
static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    const config *cfg = ctx->cfg;
    brz_new_stack *stack = ctx->inst;
    stack->n = 0;
    for (uint32_t i = 0; i < edit->n; i++)
        if (!brz_starts_with(brz_frame_at(tree, edit->frames[i])->name, cfg->prefix))
            brz_new_stack_push(ctx, stack, edit->frames[i]);
    if (stack->n > 0) /* a stack without frames would be left out, with its weight */
        brz_new_stack_use(stack, edit);
    return BRZ_OK;
}

static const brz_transform transform = {
    .struct_size = sizeof transform,
    .inst_size = sizeof(brz_new_stack),
    .apply = apply,
};

static const brz_option options[] = {
    BRZ_OPTION(config, "prefix", STR, prefix, "std::", "how names of the frames to remove begin"),
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_TRANSFORM,
    .id = "@NAME@",
    .summary = "stacks without the frames of a runtime library",
    .vtable = &transform,
    BRZ_OPTIONS(options, config),
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("@NAME@", "0.1.0", "MIT", "https://example.org/@NAME@/issues", components)
