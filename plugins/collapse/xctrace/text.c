/* Text that grows. */
#include "xctrace.h"

void text_clear(text_buffer *t)
{
    t->len = 0;
}

void text_add(text_buffer *t, brz_ctx *ctx, brz_str s)
{
    if (t->cap - t->len < s.len) {
        size_t cap = 2 * (t->len + s.len) + 256;
        char *data = ctx->host->alloc(ctx, cap, 0);
        if (t->len > 0)
            memcpy(data, t->data, t->len);
        t->data = data;
        t->cap = cap;
    }
    if (s.len > 0)
        memcpy(t->data + t->len, s.data, s.len);
    t->len += s.len;
}

brz_str text_str(const text_buffer *t)
{
    return brz_str_of(t->data, t->len);
}

brz_str text_keep(brz_ctx *ctx, brz_str s)
{
    char *copy = ctx->host->alloc(ctx, s.len + 1, 0);
    if (s.len > 0)
        memcpy(copy, s.data, s.len);
    return brz_str_of(copy, s.len);
}
