/** @file
 * What a collapser puts together in its instance's memory: text, and lists of frames.
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
    if (t->cap - t->len >= more + 32)
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

/** A list of frames that grows. Zeroed, it is empty. */
typedef struct brz_frame_list {
    brz_frame *ids; /**< the frames */
    size_t n;       /**< how many */
    size_t cap;     /**< how many there is room for */
} brz_frame_list;

/** Puts a frame behind the others. */
static inline void brz_frame_list_push(brz_frame_list *list, brz_ctx *ctx, brz_frame id)
{
    if (list->n == list->cap) {
        size_t cap = list->cap > 0 ? 2 * list->cap : 64;
        brz_frame *ids = (brz_frame *)ctx->host->alloc(ctx, cap * sizeof *ids, 0);
        if (list->n > 0)
            memcpy(ids, list->ids, list->n * sizeof *ids);
        list->ids = ids;
        list->cap = cap;
    }
    list->ids[list->n++] = id;
}

#endif
