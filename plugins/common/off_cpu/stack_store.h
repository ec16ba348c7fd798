/* SPDX-License-Identifier: MIT */
/* Stores stacks that are counted later, each distinct one once. */
#ifndef COMMON_OFF_CPU_STACK_STORE_H
#define COMMON_OFF_CPU_STACK_STORE_H

#include <brazier/text/buffer.h>
#include <brazier/text/frame_cache.h>
#include <brazier/text/stacks.h>

/* Stands for the absence of a stack. */
#define NO_STACK UINT32_MAX

typedef struct stored_stack {
    size_t at; /* position of its first frame */
    size_t n;  /* number of frames */
} stored_stack;

typedef struct stack_store {
    stored_stack *items;
    size_t n, cap;
    brz_frame_list frames;
    brz_frame_cache ids; /* bytes of frames to positions in `items` */
    brz_text scratch;
} stack_store;

/* Initialises an empty store. */
void stack_store_init(stack_store *s, brz_ctx *ctx);

/* Stores a stack of `n` frames in any order, unless it is there. Returns its number. */
uint32_t stack_store_add(stack_store *s, brz_ctx *ctx, const brz_frame *frames, size_t n);

/* Returns the frames of a stack, which are valid until another one is added. */
const brz_frame *stack_store_frames(const stack_store *s, uint32_t stack, size_t *n);

/* Makes a stored stack the current path. */
void stack_store_restore(const stack_store *s, brz_ctx *ctx, uint32_t stack, brz_path *path);

#endif
