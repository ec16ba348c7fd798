/** @file
 * What a plug-in puts together in its instance's memory: text, and lists. Nothing of it is freed
 * before the instance is: what grows leaves its smaller selves behind.
 */
#ifndef BRAZIER_TEXT_BUFFER_H
#define BRAZIER_TEXT_BUFFER_H

#include <brazier/host.h>

#include <string.h>

/** Text that grows; 32 bytes behind it can be read. Zeroed, it is empty. */
typedef struct brz_text {
    char *data; /**< its bytes */
    size_t len; /**< how many */
    size_t cap; /**< how many there is room for */
} brz_text;

/** Makes room for `more` bytes behind the text. */
static inline void brz_text_room(brz_text *t, brz_ctx *ctx, size_t more)
{
    if (t->data != NULL && t->cap - t->len >= more + 32)
        return;
    size_t cap = 2 * (t->len + more) + 256;
    char *data = (char *)ctx->host->alloc(ctx, cap, 0);
    if (t->len > 0)
        memcpy(data, t->data, t->len);
    t->data = data;
    t->cap = cap;
}

/** Puts a text behind it. */
static inline void brz_text_append(brz_text *t, brz_ctx *ctx, brz_str s)
{
    brz_text_room(t, ctx, s.len);
    if (s.len > 0)
        memcpy(t->data + t->len, s.data, s.len);
    t->len += s.len;
}

/** A view of it, valid until it grows. */
static inline brz_str brz_text_str(const brz_text *t)
{
    return brz_str_of(t->data, t->len);
}

/** A copy that lives as long as the instance, with a zero behind it that is not counted. */
static inline brz_str brz_text_keep(brz_ctx *ctx, brz_str s)
{
    char *copy = (char *)ctx->host->alloc(ctx, s.len + 1, 1);
    if (s.len > 0)
        memcpy(copy, s.data, s.len);
    return brz_str_of(copy, s.len);
}

/** Room for one more element of `size` bytes behind the n of a list, *cap of which fit: returns the
 * list, which has moved if they were all there. A list of NULL with n and *cap 0 is empty. */
static inline void *brz_list_room(brz_ctx *ctx, void *items, size_t n, size_t *cap, size_t size)
{
    if (n < *cap)
        return items;
    *cap = *cap > 0 ? 2 * *cap : 64;
    void *moved = ctx->host->alloc(ctx, *cap * size, 0);
    if (n > 0)
        memcpy(moved, items, n * size);
    return moved;
}

/** A list of frames that grows. Zeroed, it is empty. */
typedef struct brz_frame_list {
    brz_frame *ids; /**< the frames */
    size_t n;       /**< how many */
    size_t cap;     /**< how many there is room for */
} brz_frame_list;

/** Puts a frame behind the others. */
static inline void brz_frame_list_push(brz_frame_list *list, brz_ctx *ctx, brz_frame id)
{
    list->ids = (brz_frame *)brz_list_room(ctx, list->ids, list->n, &list->cap, sizeof id);
    list->ids[list->n++] = id;
}

#endif
