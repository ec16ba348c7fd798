/* SPDX-License-Identifier: MIT */
/** @file
 * Growing text and lists in an instance's memory. Nothing is freed before the instance is: growing
 * allocates a larger block and abandons the old one.
 */
#ifndef BRAZIER_TEXT_BUFFER_H
#define BRAZIER_TEXT_BUFFER_H

#include <brazier/host.h>

#include <string.h>

/** A growing text, initially zeroed. The 32 bytes after the text are readable. */
typedef struct brz_text {
    char *data; /**< the bytes */
    size_t len; /**< number of bytes */
    size_t cap; /**< capacity in bytes */
} brz_text;

/** Makes room for `more` bytes after the text. */
static inline void brz_text_room(brz_text *t, brz_ctx *ctx, size_t more)
{
    if (t->data != NULL && t->cap - t->len >= more + 32)
        return;
    size_t cap = 2 * (t->len + more) + 256;
    char *data = (char *)ctx->host->alloc(ctx, cap, 0);
    if (t->data != NULL && t->len > 0)
        memcpy(data, t->data, t->len);
    t->data = data;
    t->cap = cap;
}

/** Appends a text. */
static inline void brz_text_append(brz_text *t, brz_ctx *ctx, brz_str s)
{
    brz_text_room(t, ctx, s.len);
    if (s.len > 0)
        memcpy(t->data + t->len, s.data, s.len);
    t->len += s.len;
}

/** Returns a view of the text, which is valid until the text grows. */
static inline brz_str brz_text_str(const brz_text *t)
{
    return brz_str_of(t->data, t->len);
}

/** Copies a text into memory that lives as long as the instance. Adds a terminating zero byte,
 * which the length does not include. */
static inline brz_str brz_text_keep(brz_ctx *ctx, brz_str s)
{
    return brz_str_copy(ctx->host->alloc(ctx, s.len + 1, 1), s);
}

/** Makes room for another element of `size` bytes in a list of `n` elements with capacity *cap.
 * Returns the list, which has moved if it was full. An empty list is NULL, with `n` and *cap 0. */
static inline void *brz_list_room(brz_ctx *ctx, void *items, size_t n, size_t *cap, size_t size)
{
    if (n < *cap)
        return items;
    *cap = brz_list_grown(*cap);
    return brz_list_move(ctx->host->alloc(ctx, *cap * size, 0), items, n * size);
}

/** A growing list of frames, initially zeroed. */
typedef struct brz_frame_list {
    brz_frame *ids; /**< the frames */
    size_t n;       /**< number of frames */
    size_t cap;     /**< capacity in frames */
} brz_frame_list;

/** Appends a frame. */
static inline void brz_frame_list_push(brz_frame_list *list, brz_ctx *ctx, brz_frame id)
{
    list->ids = (brz_frame *)brz_list_room(ctx, list->ids, list->n, &list->cap, sizeof id);
    list->ids[list->n++] = id;
}

#endif
