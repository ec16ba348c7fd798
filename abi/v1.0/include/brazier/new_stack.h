/* SPDX-License-Identifier: MIT */
/** @file
 * Collects the frames of a stack that a transform makes. Inline code, not part of the ABI.
 *
 *     typedef struct state { brz_new_stack stack; } state;
 *     ...
 *     s->stack.n = 0;
 *     brz_new_stack_push(ctx, &s->stack, frame);
 *     brz_new_stack_use(&s->stack, edit);
 */
#ifndef BRAZIER_NEW_STACK_H
#define BRAZIER_NEW_STACK_H

#include <brazier/transform.h>

/** Frames of a stack that a transform makes, in memory of the instance. A zeroed one is empty. */
typedef struct brz_new_stack {
    brz_frame *frames; /**< frames, root first */
    size_t n;          /**< number of frames */
    size_t cap;        /**< number of frames for which there is room */
} brz_new_stack;

/** Appends a frame. */
static inline void brz_new_stack_push(brz_transform_ctx *ctx, brz_new_stack *s, brz_frame frame)
{
    s->frames =
        (brz_frame *)brz_transform_list_room(ctx, s->frames, s->n, &s->cap, sizeof *s->frames);
    s->frames[s->n++] = frame;
}

/** Makes these frames the result of `apply`. */
static inline void brz_new_stack_use(const brz_new_stack *s, brz_stack_edit *edit)
{
    edit->frames = s->frames;
    edit->n = (uint32_t)s->n;
}

#endif
