/* Converts stack lines to frames, through caches keyed by text: frame_name.c runs once per distinct
 * symbol and module.
 *
 * A cached value is a frame, or, with LIST set, an index into `lists`: a symbol may stand for
 * several frames (inlined calls), for none, or end the stack.
 */
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

/* Returns the number of a module, usually that of the previous line; 0 is the empty module until
 * another one occurs. */
static inline uint32_t module_number(perf *p, brz_ctx *ctx, brz_str module)
{
    brz_words head = brz_words_load(module.data, module.len);
    perf_last_module *last = &p->last_module;
    if (module.len <= 32 && last->len == module.len && brz_words_differ(&last->head, &head) == 0)
        return last->number;
    brz_frame_key key = brz_frame_key_of(&p->modules, module.data, module.len, 0);
    uint32_t number = brz_frame_cache_find(&p->modules, &key);
    if (number == BRZ_CACHE_MISS) {
        number = p->n_modules++;
        brz_frame_cache_put(&p->modules, ctx, &key, number);
    }
    *last = (perf_last_module){head, module.len, number};
    return number;
}

brz_frame_key symbol_key(perf *p, brz_ctx *ctx, const frame_line *line)
{
    uint32_t context =
        module_number(p, ctx, line->module) << 2 | (uint32_t)p->naming.waker << 1 | p->java;
    return brz_frame_key_of(&p->frames, line->symbol.data, line->symbol.len, context);
}

uint32_t symbol_value(perf *p, brz_ctx *ctx, const frame_line *line, const brz_frame_key *key)
{
    bool unknown = line->symbol.len == 0 || line->symbol.data[0] == '[';
    if (p->naming.places || (p->naming.addresses && unknown)) /* the address matters */
        return resolve(p, ctx, line);
    uint32_t value = brz_frame_cache_find(&p->frames, key);
    if (value == BRZ_CACHE_MISS) {
        value = resolve(p, ctx, line);
        brz_frame_cache_put(&p->frames, ctx, key, value);
    }
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
