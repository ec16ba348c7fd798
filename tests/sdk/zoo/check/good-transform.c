/* SPDX-License-Identifier: MIT */
/* A valid transform, which renames frames and puts one before them.
 *
 * only: all
 */
#include <brazier/new_stack.h>

#include "animal.h"

static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    brz_new_stack *s = ctx->inst;
    s->n = 0;
    brz_new_stack_push(ctx, s, ctx->host->intern(ctx, "all", 3));
    for (uint32_t i = 0; i < edit->n; i++) {
        brz_frame_desc d = brz_frame_desc_of(brz_frame_at(tree, edit->frames[i]));
        d.name = brz_str_of(d.name.data, d.name.len / 2);
        brz_new_stack_push(ctx, s, ctx->host->frame(ctx, &d));
    }
    brz_new_stack_use(s, edit);
    return BRZ_OK;
}

TRANSFORM_ANIMAL(.inst_size = sizeof(brz_new_stack), .apply = apply)
