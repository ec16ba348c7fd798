/* SPDX-License-Identifier: MIT */
/* Converts stack lines and process names to frames. A cache parses each text only once. */
#include "reader.h"

#include <brazier/symbol.h>
#include <brazier/tree.h>

enum { CACHE_LINE, CACHE_PROCESS };

void symbols_init(bcc *b, brz_ctx *ctx)
{
    brz_frame_cache_init(&b->cache, ctx);
}

/* Returns whether an address lies in the upper end of the address space, which belongs to the
 * kernel. */
static bool is_kernel_address(brz_str digits)
{
    return digits.len == 16 && memcmp(digits.data, "ffff", 4) == 0;
}

static enum part part_of(const frame_text *f, brz_str name)
{
    if (brz_ends_with(name, BRZ_STR("_[k]")) || brz_str_is(f->module, "kernel"))
        return PART_KERNEL;
    if (f->address.len > 0)
        return is_kernel_address(f->address) ? PART_KERNEL : PART_USER;
    return PART_UNKNOWN;
}

static uint32_t make_symbol(bcc *b, brz_ctx *ctx, brz_str line)
{
    frame_text f;
    frame_text_parse(line, &f);
    b->scratch.len = 0;
    brz_text_room(&b->scratch, ctx, f.name.len);
    b->scratch.len = brz_rust_repair(f.name, b->scratch.data);
    if (b->options->offsets)
        brz_text_append(&b->scratch, ctx, f.offset);
    b->symbols = brz_list_room(ctx, b->symbols, b->n_symbols, &b->symbols_cap, sizeof *b->symbols);
    symbol *s = &b->symbols[b->n_symbols];
    s->name = brz_text_keep(ctx, brz_text_str(&b->scratch));
    s->module = brz_text_keep(ctx, f.module);
    s->by_itself = part_of(&f, s->name);
    for (size_t i = 0; i < N_PARTS; i++)
        s->frames[i] = BRZ_NO_FRAME;
    return (uint32_t)b->n_symbols++;
}

/* Returns the number of the symbol on a trimmed stack line. */
uint32_t symbol_of(bcc *b, brz_ctx *ctx, brz_str line)
{
    brz_frame_key key = brz_frame_key_of(&b->cache, line.data, line.len, CACHE_LINE);
    uint32_t number = brz_frame_cache_find(&b->cache, &key);
    if (number != BRZ_CACHE_MISS)
        return number;
    number = make_symbol(b, ctx, line);
    brz_frame_cache_put(&b->cache, ctx, &key, number);
    return number;
}

static brz_frame make_frame(bcc *b, brz_ctx *ctx, const symbol *s, enum part part)
{
    static const uint32_t kinds[N_PARTS] = {
        [PART_UNKNOWN] = BRZ_KIND_OTHER,
        [PART_USER] = BRZ_KIND_USER,
        [PART_KERNEL] = BRZ_KIND_KERNEL,
        [PART_WAKER] = BRZ_KIND_OTHER,
    };
    bool annotated = brz_name_annotation(s->name) != 0;
    b->scratch.len = 0;
    brz_text_append(&b->scratch, ctx, s->name);
    if (part == PART_KERNEL && b->options->kernel && !annotated)
        brz_text_append(&b->scratch, ctx, BRZ_STR("_[k]"));
    if (part == PART_WAKER && b->options->waker && !annotated)
        brz_text_append(&b->scratch, ctx, BRZ_STR("_[w]"));
    brz_frame_desc d = {.struct_size = sizeof d, .kind = kinds[part], .module = s->module};
    d.flags = part == PART_WAKER ? BRZ_FRAME_WAKER : 0;
    d.name = brz_text_str(&b->scratch);
    return ctx->host->frame(ctx, &d);
}

brz_frame symbol_frame(bcc *b, brz_ctx *ctx, uint32_t number, enum part part)
{
    symbol *s = &b->symbols[number];
    if (part == PART_UNKNOWN)
        part = s->by_itself;
    if (s->frames[part] == BRZ_NO_FRAME)
        s->frames[part] = make_frame(b, ctx, s, part);
    return s->frames[part];
}

brz_frame process_frame(bcc *b, brz_ctx *ctx, brz_str name, brz_str pid)
{
    b->scratch.len = 0;
    brz_text_append(&b->scratch, ctx, name);
    if (b->options->pid && pid.len > 0) {
        brz_text_append(&b->scratch, ctx, BRZ_STR("-"));
        brz_text_append(&b->scratch, ctx, pid);
    }
    brz_text_append(&b->scratch, ctx,
                    BRZ_STR(" ")); /* makes sure that there is text, even if the name is empty */
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_PROCESS};
    d.name = brz_str_of(b->scratch.data, b->scratch.len - 1);
    brz_frame_key key = brz_frame_key_of(&b->cache, d.name.data, d.name.len, CACHE_PROCESS);
    uint32_t id = brz_frame_cache_find(&b->cache, &key);
    if (id != BRZ_CACHE_MISS)
        return id;
    id = ctx->host->frame(ctx, &d);
    brz_frame_cache_put(&b->cache, ctx, &key, id);
    return id;
}
