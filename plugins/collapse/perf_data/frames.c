/* Makes frames of addresses. */
#include "frames.h"

#include <brazier/symbol.h>

#include <stdio.h>

/* Flag of a cached value: a position in `lists`, not a frame. */
#define LIST 0x80000000u

void frames_init(frames *f, recording *p)
{
    pair_map_init(&f->cache, p->ctx);
    brz_frame_cache_init(&f->roots, p->ctx);
}

/* ---- names ------------------------------------------------------------------------------------
 */

static void append_number(frames *f, brz_ctx *ctx, const char *format, uint64_t number)
{
    char text[32];
    int n = snprintf(text, sizeof text, format, (unsigned long long)number);
    brz_text_append(&f->scratch, ctx, brz_str_of(text, (size_t)n));
}

/* Appends the annotation that the options ask for. */
static void append_annotation(frames *f, brz_ctx *ctx, const brz_frame_desc *d)
{
    if (f->kernel && d->kind == BRZ_KIND_KERNEL)
        brz_text_append(&f->scratch, ctx, BRZ_STR("_[k]"));
    else if (f->jit && (d->flags & BRZ_FRAME_JIT))
        brz_text_append(&f->scratch, ctx, BRZ_STR("_[j]"));
}

/* Names code without a symbol by its module, with its address if the options ask for it. */
static void name_unknown(frames *f, brz_ctx *ctx, const module *m, uint64_t address)
{
    f->scratch.len = 0;
    brz_text_append(&f->scratch, ctx, m->label);
    if (!f->addrs)
        return;
    f->scratch.len--;
    append_number(f, ctx, " <%llx>]", address);
}

static void describe(const recording *p, const place_of_code *at, brz_frame_desc *d)
{
    const module *m = &p->modules.items[at->module];
    *d = (brz_frame_desc){.struct_size = sizeof *d, .kind = at->kind};
    d->module = m->name;
    d->flags = m->kind == MODULE_JIT ? BRZ_FRAME_JIT : 0;
    d->address = at->address;
}

/* ---- frames -----------------------------------------------------------------------------------
 */

/* Makes the frames of an address. Returns the value to cache. */
static uint32_t resolve(recording *p, const place_of_code *at)
{
    frames *f = &p->frames;
    brz_frame_desc d;
    describe(p, at, &d);
    p->modules.items[at->module].unknown++;
    name_unknown(f, p->ctx, &p->modules.items[at->module], at->address);
    append_annotation(f, p->ctx, &d);
    d.name = brz_text_str(&f->scratch);
    return p->ctx->host->frame(p->ctx, &d);
}

static void push_value(recording *p, uint32_t value)
{
    if (!(value & LIST)) {
        brz_path_push(p->stacks.path, p->ctx, value);
        return;
    }
    const brz_frame *list = p->frames.lists.ids + (value & ~LIST);
    for (uint32_t i = 1; i <= list[0]; i++)
        brz_path_push(p->stacks.path, p->ctx, list[i]);
}

void frames_push(recording *p, const place_of_code *place)
{
    frames *f = &p->frames;
    uint64_t context = (uint64_t)place->module << 8 | place->kind << 1 | place->is_java;
    uint32_t value = pair_map_find(&f->cache, place->address, context);
    if (value == PAIR_MISS) {
        value = resolve(p, place);
        pair_map_put(&f->cache, p->ctx, place->address, context, value);
    }
    push_value(p, value);
}

/* ---- threads ----------------------------------------------------------------------------------
 */

static void name_root(frames *f, brz_ctx *ctx, const thread *of)
{
    f->scratch.len = 0;
    if (of->name.len > 0)
        brz_text_append(&f->scratch, ctx, of->name);
    else
        append_number(f, ctx, ":%llu", of->tid);
    for (size_t i = 0; f->by_perf_script && i < f->scratch.len; i++)
        if (f->scratch.data[i] == ' ')
            f->scratch.data[i] = '_';
    if (f->pid || f->tid)
        append_number(f, ctx, "-%llu", of->pid);
    if (f->tid)
        append_number(f, ctx, "/%llu", of->tid);
}

brz_frame frames_root(recording *p, thread *of)
{
    frames *f = &p->frames;
    if (of->root != BRZ_NO_FRAME)
        return of->root;
    name_root(f, p->ctx, of);
    brz_frame_key key = brz_frame_key_of(&f->roots, f->scratch.data, f->scratch.len, 0);
    of->root = brz_frame_cache_find(&f->roots, &key);
    if (of->root != BRZ_CACHE_MISS)
        return of->root;
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_PROCESS};
    d.name = brz_text_str(&f->scratch);
    of->root = p->ctx->host->frame(p->ctx, &d);
    brz_frame_cache_put(&f->roots, p->ctx, &key, of->root);
    return of->root;
}
