/* SPDX-License-Identifier: MIT */
/* Converts stack lines to frames. A single cache parses each text only once.
 *
 * The context of a cache entry tells the type of its text: a stack line (the value is an index into
 * `symbols`), a scalar of a key (a frame), the name of a map (a column).
 */
#include "reader.h"

#include <brazier/symbol.h>

enum { CACHE_LINE, CACHE_ROOT, CACHE_MAP };

void symbols_init(bpftrace *b, brz_ctx *ctx)
{
    brz_frame_cache_init(&b->cache, ctx);
    b->symbols = brz_list_room(ctx, NULL, 0, &b->symbols_cap, sizeof *b->symbols);
    b->symbols[b->n_symbols++] = (symbol){.line = 0};
}

/* ---- names ----------------------------------------------------------------------------------- */

static void name_unresolved(bpftrace *b, brz_ctx *ctx, const stack_line *l)
{
    const char *slash = brz_rfind(l->module, '/');
    brz_str module = l->module;
    if (slash != NULL)
        module = brz_str_of(slash + 1, (size_t)(module.data + module.len - slash - 1));
    bool known = module.len > 0 && module.data[0] != '[';
    if (l->address.len > 0 && b->options->addrs) {
        brz_text_append(&b->scratch, ctx, BRZ_STR("0x"));
        brz_text_append(&b->scratch, ctx, l->address);
        return;
    }
    brz_text_append(&b->scratch, ctx, BRZ_STR("["));
    brz_text_append(&b->scratch, ctx, known ? module : BRZ_STR("unknown"));
    brz_text_append(&b->scratch, ctx, BRZ_STR("]"));
}

/* Writes the name of a stack line to `scratch`. */
static void make_name(bpftrace *b, brz_ctx *ctx, const stack_line *l)
{
    b->scratch.len = 0;
    if (l->unresolved) {
        name_unresolved(b, ctx, l);
        return;
    }
    if (l->name.len == 0) { /* raw mode: only addresses */
        brz_text_append(&b->scratch, ctx, BRZ_STR("0x"));
        brz_text_append(&b->scratch, ctx, l->address);
        return;
    }
    brz_text_room(&b->scratch, ctx, l->name.len);
    b->scratch.len = brz_rust_repair(l->name, b->scratch.data);
    if (b->options->offsets)
        brz_text_append(&b->scratch, ctx, l->offset);
}

static uint32_t make_symbol(bpftrace *b, brz_ctx *ctx, brz_str text)
{
    stack_line l;
    stack_line_parse(text, &l);
    make_name(b, ctx, &l);
    b->symbols = brz_list_room(ctx, b->symbols, b->n_symbols, &b->symbols_cap, sizeof *b->symbols);
    symbol *s = &b->symbols[b->n_symbols];
    s->text = brz_text_keep(ctx, text);
    s->next = 0;
    s->name = brz_text_keep(ctx, brz_text_str(&b->scratch));
    s->module = brz_text_keep(ctx, l.module);
    s->file = brz_text_keep(ctx, l.file);
    s->line = l.line;
    s->inlined = l.inlined;
    s->evidence = stack_line_evidence(&l);
    for (size_t i = 0; i < N_SIDES; i++)
        s->frames[i] = BRZ_NO_FRAME;
    return (uint32_t)b->n_symbols++;
}

/* ---- look-ups -------------------------------------------------------------------------------- */

static uint32_t look_up(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    brz_frame_key key = brz_frame_key_of(&b->cache, line.data, line.len, CACHE_LINE);
    uint32_t number = brz_frame_cache_find(&b->cache, &key);
    if (number != BRZ_CACHE_MISS)
        return number;
    number = make_symbol(b, ctx, line);
    brz_frame_cache_put(&b->cache, ctx, &key, number);
    return number;
}

/* Returns the number of the symbol on a trimmed stack line, which is not empty. A function is
 * usually called from the same place as the last time, so comparing the line with the one that
 * followed then saves most look-ups. */
uint32_t symbol_of(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    uint32_t number = b->symbols[b->last_symbol].next;
    if (!brz_str_equal(b->symbols[number].text, line)) {
        number = look_up(b, ctx, line);
        b->symbols[b->last_symbol].next = number;
    }
    b->last_symbol = number;
    return number;
}

static uint32_t kind_of(uint32_t side)
{
    return side == SIDE_KERNEL ? BRZ_KIND_KERNEL
           : side == SIDE_USER ? BRZ_KIND_USER
                               : BRZ_KIND_OTHER;
}

static brz_frame make_frame(bpftrace *b, brz_ctx *ctx, const symbol *s, uint32_t side)
{
    bool kernel = side == SIDE_KERNEL && b->options->kernel;
    bool inlined = s->inlined && b->options->inlined;
    b->scratch.len = 0;
    brz_text_append(&b->scratch, ctx, s->name);
    if (inlined || kernel)
        brz_text_append(&b->scratch, ctx, inlined ? BRZ_STR("_[i]") : BRZ_STR("_[k]"));
    brz_frame_desc d = {
        .struct_size = sizeof d,
        .kind = kind_of(side),
        .name = brz_text_str(&b->scratch),
        .module = s->module,
        .file = s->file,
        .line = s->line,
        .flags = s->inlined ? BRZ_FRAME_INLINED : 0,
    };
    return ctx->host->frame(ctx, &d);
}

/* Returns the frame of a symbol in a stack of the given side. */
brz_frame symbol_frame(bpftrace *b, brz_ctx *ctx, uint32_t number, uint32_t side)
{
    symbol *s = &b->symbols[number];
    if (s->frames[side] == BRZ_NO_FRAME)
        s->frames[side] = make_frame(b, ctx, s, side);
    return s->frames[side];
}

/* Returns the frame of a scalar: a process, a thread, or any other part of the key. */
brz_frame root_frame(bpftrace *b, brz_ctx *ctx, brz_str name)
{
    brz_frame_key key = brz_frame_key_of(&b->cache, name.data, name.len, CACHE_ROOT);
    uint32_t id = brz_frame_cache_find(&b->cache, &key);
    if (id != BRZ_CACHE_MISS)
        return id;
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_PROCESS, .name = name};
    id = ctx->host->frame(ctx, &d);
    brz_frame_cache_put(&b->cache, ctx, &key, id);
    return id;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Returns the unit of a map's values: maps of times and sizes are usually named after their
 * unit. */
static brz_str unit_of(brz_str map)
{
    static const char *const units[][2] = {
        {"", "samples"},           {"ns", "nanoseconds"},     {"nsecs", "nanoseconds"},
        {"us", "microseconds"},    {"usecs", "microseconds"}, {"ms", "milliseconds"},
        {"msecs", "milliseconds"}, {"bytes", "bytes"},
    };
    for (size_t i = 0; i < BRZ_COUNT_OF(units); i++)
        if (brz_str_is(map, units[i][0]))
            return brz_str_of_text(units[i][1]);
    return BRZ_STR("count");
}

/* Returns the column of a map: "samples" for the map without a name and for events. */
uint32_t map_weight(bpftrace *b, brz_ctx *ctx, brz_str map)
{
    static const char nothing[64];
    if (map.len == 0)
        map = brz_str_of(nothing, 0);
    brz_frame_key key = brz_frame_key_of(&b->cache, map.data, map.len, CACHE_MAP);
    uint32_t weight = brz_frame_cache_find(&b->cache, &key);
    if (weight != BRZ_CACHE_MISS)
        return weight;
    brz_column_desc d = {
        .struct_size = sizeof d,
        .name = map.len == 0 ? BRZ_STR("samples") : map,
        .unit = unit_of(map),
        .flags = map.len == 0 ? BRZ_COLUMN_SAMPLES : 0,
    };
    weight = ctx->host->column(ctx, &d);
    brz_frame_cache_put(&b->cache, ctx, &key, weight);
    return weight;
}
