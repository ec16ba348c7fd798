/* SPDX-License-Identifier: MIT */
/* Converts stack lines to frames, through caches keyed by text: frame_name.c runs once per distinct
 * symbol and module.
 *
 * A cached value is a frame, or, with LIST set, an index into `lists`: a symbol may stand for
 * several frames (inlined calls), for none, or end the stack.
 */
#include "address_columns.h"
#include "reader.h"

#include <brazier/symbol.h>

#include <string.h>

#define STOPS 0x80000000u /* flag in a list's length: outer frames are dropped */

void symbols_init(perf *p, brz_ctx *ctx)
{
    brz_frame_cache_init(&p->modules, ctx);
    p->n_modules = 1;
    brz_frame_cache_init(&p->frames, ctx);
    p->naming.addresses = p->options->addrs;
    p->naming.kernel = p->options->kernel || p->options->all;
    p->naming.jit = p->options->jit || p->options->all;
    p->naming.inlined = p->options->inlined;
    p->naming.source = p->options->srcline;
    p->naming.cut_at_bracket = p->options->compat == COMPAT_INFERNO;
    p->naming.places = (ctx->flags & BRZ_CTX_WANTS_ADDRESSES) != 0;
}

const brz_frame *symbol_frames(const perf *p, const uint32_t *value, size_t *n, bool *stops)
{
    *n = 1;
    *stops = false;
    if (!(*value & LIST))
        return value;
    const brz_frame *list = p->lists.ids + (*value & ~LIST);
    *n = list[0] & ~STOPS;
    *stops = (list[0] & STOPS) != 0;
    return list + 1;
}

static bool stops_stack(const perf *p, brz_str symbol)
{
    for (size_t i = 0; i < p->options->skip_after.count; i++)
        if (brz_str_equal(symbol, p->options->skip_after.items[i]))
            return true;
    return false;
}

/* Converts a symbol to a value without the cache. */
static uint32_t resolve(perf *p, brz_ctx *ctx, const frame_line *line)
{
    brz_str symbol = line->symbol;
    if (symbol.len == 1 && brz_is_blank(symbol.data[0]))
        symbol = BRZ_STR(" ");
    if (symbol.len == 0)
        symbol = BRZ_STR("[unknown]");
    p->names.len = 0;
    brz_text_append(&p->names, ctx, symbol);
    brz_str name = brz_str_of(p->names.data, brz_rust_repair(symbol, p->names.data));
    bool stops = stops_stack(p, name);
    p->found.n = 0;
    frame_name_resolve(ctx, &p->naming, line, name, p->java, &p->scratch, &p->found);
    if (p->naming.waker && p->found.n > 0)
        off_cpu_name_waker(&p->off, ctx, p->found.ids[0], name);
    if (p->found.n == 1 && !stops && p->found.ids[0] < LIST)
        return p->found.ids[0];
    uint32_t place = (uint32_t)p->lists.n;
    brz_frame_list_push(&p->lists, ctx, (uint32_t)p->found.n | (stops ? STOPS : 0));
    for (size_t i = 0; i < p->found.n; i++)
        brz_frame_list_push(&p->lists, ctx, p->found.ids[i]);
    return place | LIST;
}

static bool is_plain(brz_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == '(' || text.data[i] == ')' || text.data[i] == ' ')
            return false;
    return true;
}

/* Fills in a module that is not known. */
static void learn_module(perf *p, brz_ctx *ctx, brz_str text, perf_module *m)
{
    brz_frame_key key = brz_frame_key_of(&p->modules, text.data, text.len, 0);
    m->number = brz_frame_cache_find(&p->modules, &key);
    if (m->number == BRZ_CACHE_MISS) {
        m->number = p->n_modules++;
        brz_frame_cache_put(&p->modules, ctx, &key, m->number);
    }
    m->is_plain = is_plain(text);
    m->len = (uint32_t)text.len;
    memcpy(m->text, text.data, text.len < MODULE_TEXT ? text.len : 0);
}

const perf_module *symbol_module(perf *p, brz_ctx *ctx, brz_str text)
{
    perf_module *m = &p->long_module;
    if (text.len < MODULE_TEXT) {
        uint64_t end = brz_load64(text.data + text.len - 8); /* bytes of the line are in front */
        m = &p->known_modules[brz_hash_pair(&p->modules.keys, end, text.len) % KNOWN_MODULES];
        if (m->len == text.len && memcmp(m->text, text.data, text.len) == 0)
            return m;
    }
    learn_module(p, ctx, text, m);
    return m;
}

/* Returns whether a symbol contains the address and the symbol of another stack line. */
static bool has_second_line(brz_str symbol)
{
    const char *tab = symbol.len == 0 ? NULL : memchr(symbol.data, '\t', symbol.len);
    if (tab != NULL) /* which few symbols have */
        tab = brz_rfind(symbol, '\t');
    return tab != NULL && is_stack_columns(brz_str_from(symbol, (size_t)(tab - symbol.data)));
}

uint32_t symbol_value(perf *p, brz_ctx *ctx, const frame_line *line, const perf_module *module)
{
    uint32_t value;
    brz_frame_key key = symbol_key(p, line->symbol, module);
    if (symbol_find(p, &key, &value))
        return value;
    if (has_second_line(line->symbol))
        return TWO_LINES;
    value = resolve(p, ctx, line);
    if (!symbol_varies(p, line->symbol))
        brz_frame_cache_put(&p->frames, ctx, &key, value);
    return value;
}

/* Does the same for a stack line with a known source: `source` is its text, `without` the line's
 * frame without source. */
uint32_t symbol_value_with_source(perf *p, brz_ctx *ctx, const frame_line *line, brz_str source,
                                  brz_frame without)
{
    if (p->sources.slots == NULL) /* most recordings have no sources */
        brz_frame_cache_init(&p->sources, ctx);
    brz_frame_key key = brz_frame_key_of(&p->sources, source.data, source.len, without);
    uint32_t value = brz_frame_cache_find(&p->sources, &key);
    if (value == BRZ_CACHE_MISS) {
        value = resolve(p, ctx, line);
        brz_frame_cache_put(&p->sources, ctx, &key, value);
    }
    return value;
}
