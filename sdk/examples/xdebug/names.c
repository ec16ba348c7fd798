/* SPDX-License-Identifier: MIT */
/* Names calls as Xdebug does; include and similar functions get the file's name. */
#include "trace.h"

#include <brazier/symbol.h>

/* Returns whether a call includes a file. The "file" of eval is its code, which is no useful
 * name. */
static bool includes_file(const entry *e)
{
    return e->included.len > 0 && !brz_str_is(e->name, "eval");
}

/* Writes the name to `scratch`. */
static void make_name(xdebug *x, brz_ctx *ctx, entry *e)
{
    computerized_place(e);
    x->scratch.len = 0;
    brz_text_append(&x->scratch, ctx, e->name);
    if (includes_file(e)) {
        brz_text_append(&x->scratch, ctx, BRZ_STR("("));
        brz_text_append(&x->scratch, ctx, e->included);
        brz_text_append(&x->scratch, ctx, BRZ_STR(")"));
    }
    if (x->options->callsite && e->file.len > 0) {
        brz_text_append(&x->scratch, ctx, BRZ_STR(":"));
        brz_text_append(&x->scratch, ctx, e->file);
        brz_text_append(&x->scratch, ctx, BRZ_STR(":"));
        brz_text_append(&x->scratch, ctx, e->line);
    }
}

static brz_frame make_frame(xdebug *x, brz_ctx *ctx, entry *e)
{
    brz_frame_desc d = {.struct_size = sizeof d};
    make_name(x, ctx, e);
    d.name = brz_text_str(&x->scratch);
    if (includes_file(e))
        d.file = e->included;
    else if (brz_str_is(e->name, "{main}"))
        d.file = e->file;
    d.kind = e->user_defined ? BRZ_KIND_USER : BRZ_KIND_OTHER;
    return ctx->host->frame(ctx, &d);
}

/* Returns the frame of a call. The key of the cache is text of the line, unless the call site is
 * part of the name. */
brz_frame frame_of(xdebug *x, brz_ctx *ctx, entry *e)
{
    brz_str text = e->key;
    if (x->options->callsite) {
        make_name(x, ctx, e);
        text = brz_text_str(&x->scratch);
    }
    brz_frame_key key = brz_frame_key_of(&x->cache, text.data, text.len, e->user_defined);
    uint32_t id = brz_frame_cache_find(&x->cache, &key);
    if (id != BRZ_CACHE_MISS)
        return id;
    id = make_frame(x, ctx, e);
    brz_frame_cache_put(&x->cache, ctx, &key, id);
    return id;
}
