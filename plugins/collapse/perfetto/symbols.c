/* SPDX-License-Identifier: MIT */
/* Names that were added to a trace after it was recorded. */
#include "symbols.h"

#include <brazier/symbol.h>
#include <brazier/text/find.h>

#include "../../common/budget.h"

void symbols_init(symbols *s, brz_ctx *ctx, size_t len)
{
    *s = (symbols){.ctx = ctx, .budget = budget_of(len)};
    brz_frame_cache_init(&s->modules, ctx);
    brz_frame_cache_init(&s->names, ctx);
    pair_map_init(&s->by_address, ctx);
}

/* Joins texts with zero bytes, which no name has, into a key. */
static brz_frame_key key_of(symbols *s, const brz_frame_cache *cache, brz_str a, brz_str b,
                            brz_str c)
{
    s->key.len = 0;
    brz_text_append(&s->key, s->ctx, a);
    brz_text_append(&s->key, s->ctx, brz_str_of("", 1));
    brz_text_append(&s->key, s->ctx, b);
    brz_text_append(&s->key, s->ctx, brz_str_of("", 1));
    brz_text_append(&s->key, s->ctx, c);
    return brz_frame_key_of(cache, s->key.data, s->key.len, 0);
}

/* ---- addresses ------------------------------------------------------------------------------- */

enum { MODULE_PATH = 1, MODULE_BUILD_ID = 2, MODULE_ADDRESS = 3 };
enum { ADDRESS_VALUE = 1, ADDRESS_LINE = 2 };
enum { LINE_FUNCTION = 1, LINE_FILE = 2, LINE_NUMBER = 3 };

static brz_frame_key module_key(symbols *s, brz_str path, brz_str build_id)
{
    return key_of(s, &s->modules, path, build_id, brz_str_of("", 0));
}

static void take_address(symbols *s, uint32_t module, brz_bytes b)
{
    brz_str whole = brz_str_of((const char *)b.at, brz_bytes_left(&b));
    uint64_t address = 0;
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == ADDRESS_VALUE)
            address = f.value;
    s->lines = brz_list_room(s->ctx, s->lines, s->n_lines, &s->lines_cap, sizeof *s->lines);
    s->lines[s->n_lines] = whole;
    pair_map_put(&s->by_address, s->ctx, module, address, (uint32_t)s->n_lines++);
}

void symbols_take(symbols *s, brz_bytes b)
{
    brz_str path = {"", 0}, build_id = {"", 0};
    brz_bytes again = b;
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == MODULE_PATH && f.type == BRZ_PROTO_BYTES)
            path = brz_proto_text(&f);
        else if (f.number == MODULE_BUILD_ID && f.type == BRZ_PROTO_BYTES)
            build_id = brz_proto_text(&f);
    brz_frame_key key = module_key(s, path, build_id);
    uint32_t module = brz_frame_cache_find(&s->modules, &key);
    if (module == BRZ_CACHE_MISS) {
        module = s->n_modules++;
        brz_frame_cache_put(&s->modules, s->ctx, &key, module);
    }
    while (brz_proto_next(&again, &f))
        if (f.number == MODULE_ADDRESS && f.type == BRZ_PROTO_BYTES)
            take_address(s, module, f.part);
}

brz_bytes symbols_of(symbols *s, brz_str path, brz_str build_id, uint64_t address)
{
    brz_frame_key key = module_key(s, path, build_id);
    uint32_t module = brz_frame_cache_find(&s->modules, &key);
    uint32_t found =
        module == BRZ_CACHE_MISS ? PAIR_MISS : pair_map_find(&s->by_address, module, address);
    if (found == PAIR_MISS)
        return brz_bytes_of("", 0);
    return brz_bytes_of(s->lines[found].data, s->lines[found].len);
}

bool symbols_next_line(brz_bytes *message, symbol_line *line)
{
    brz_proto_field f, inner;
    *line = (symbol_line){{"", 0}, {"", 0}, 0};
    while (brz_proto_next(message, &f)) {
        if (f.number != ADDRESS_LINE || f.type != BRZ_PROTO_BYTES)
            continue;
        while (brz_proto_next(&f.part, &inner))
            if (inner.number == LINE_FUNCTION && inner.type == BRZ_PROTO_BYTES)
                line->function = brz_proto_text(&inner);
            else if (inner.number == LINE_FILE && inner.type == BRZ_PROTO_BYTES)
                line->file = brz_proto_text(&inner);
            else if (inner.number == LINE_NUMBER)
                line->line = inner.value <= INT32_MAX ? (uint32_t)inner.value : 0;
        return true;
    }
    return false;
}

/* ---- original names -------------------------------------------------------------------------- */

enum { ORIGINALS_PACKAGE = 1, ORIGINALS_CLASS = 3 };
enum { CLASS_SHORT = 1, CLASS_ORIGINAL = 2, CLASS_METHOD = 4 };
enum { METHOD_SHORT = 1, METHOD_ORIGINAL = 2 };

/* Adds an original name. The first one of several counts: overloads share a short name. */
static void add_original(symbols *s, brz_str package, brz_str class, brz_str method,
                         brz_str original)
{
    brz_frame_key key = key_of(s, &s->names, package, class, method);
    if (original.len == 0 || brz_frame_cache_find(&s->names, &key) != BRZ_CACHE_MISS)
        return;
    if (!budget_take(&s->budget, key.text.len)) {
        s->is_spent = true;
        return;
    }
    brz_frame_cache_put(&s->names, s->ctx, &key, (uint32_t)s->n_originals);
    s->originals = brz_list_room(s->ctx, s->originals, s->n_originals, &s->originals_cap,
                                 sizeof *s->originals);
    s->originals[s->n_originals++] = original;
}

/* Adds a package. Returns false if there are too many, or if its name is implausibly long. */
static bool add_package(symbols *s, brz_str package)
{
    for (size_t i = 0; i < s->n_packages; i++)
        if (brz_str_equal(s->packages[i], package))
            return true;
    if (s->n_packages == MOST_PACKAGES || package.len > LONGEST_PACKAGE) {
        s->is_spent = true;
        return false;
    }
    s->packages[s->n_packages++] = package;
    return true;
}

/* Reads two texts of a message. */
static void take_pair(brz_bytes b, uint32_t first, uint32_t second, brz_str pair[2])
{
    brz_proto_field f;
    pair[0] = pair[1] = brz_str_of("", 0);
    while (brz_proto_next(&b, &f))
        if (f.type == BRZ_PROTO_BYTES && (f.number == first || f.number == second))
            pair[f.number == second] = brz_proto_text(&f);
}

static void take_class(symbols *s, brz_str package, brz_bytes b)
{
    brz_str class[2], method[2];
    brz_proto_field f;
    take_pair(b, CLASS_SHORT, CLASS_ORIGINAL, class);
    add_original(s, package, class[0], brz_str_of("", 0), class[1]);
    while (brz_proto_next(&b, &f)) {
        if (f.number != CLASS_METHOD || f.type != BRZ_PROTO_BYTES)
            continue;
        take_pair(f.part, METHOD_SHORT, METHOD_ORIGINAL, method);
        add_original(s, package, class[0], method[0], method[1]);
    }
}

void symbols_take_originals(symbols *s, brz_bytes b)
{
    brz_str package[2];
    brz_proto_field f;
    take_pair(b, ORIGINALS_PACKAGE, ORIGINALS_PACKAGE, package);
    if (!add_package(s, package[1]))
        return;
    while (brz_proto_next(&b, &f))
        if (f.number == ORIGINALS_CLASS && f.type == BRZ_PROTO_BYTES && !s->is_spent)
            take_class(s, package[1], f.part);
}

static brz_str find_original(symbols *s, brz_str package, brz_str class, brz_str method)
{
    brz_frame_key key = key_of(s, &s->names, package, class, method);
    uint32_t i = brz_frame_cache_find(&s->names, &key);
    return i == BRZ_CACHE_MISS ? brz_str_of("", 0) : s->originals[i];
}

/* Returns whether code of a module may belong to a package: its path has the package's name, or the
 * runtime compiled it. */
static bool may_belong(const symbols *s, brz_str module, brz_str package)
{
    if (package.len == 0 || module.len == 0 || brz_str_has(module, package))
        return true;
    bool compiled =
        brz_starts_with(module, BRZ_STR("/memfd:")) || brz_starts_with(module, BRZ_STR("[anon"));
    return compiled && s->n_packages == 1;
}

/* Joins the original names of class and method. A name of a method may contain its class. */
static brz_str join(symbols *s, brz_str class, brz_str method)
{
    s->text.len = 0;
    if (brz_str_has(method, BRZ_STR(".")))
        return method;
    brz_text_append(&s->text, s->ctx, class);
    brz_text_append(&s->text, s->ctx, BRZ_STR("."));
    brz_text_append(&s->text, s->ctx, method);
    return brz_text_str(&s->text);
}

brz_str symbols_original(symbols *s, brz_str module, brz_str name)
{
    const char *dot = s->n_packages == 0 ? NULL : brz_rfind(name, '.');
    if (dot == NULL)
        return name;
    brz_str class = brz_str_of(name.data, (size_t)(dot - name.data));
    brz_str method = brz_str_from(name, class.len + 1);
    for (size_t i = 0; i < s->n_packages; i++) {
        brz_str package = s->packages[i];
        if (!may_belong(s, module, package))
            continue;
        brz_str original = find_original(s, package, class, brz_str_of("", 0));
        brz_str of_method = find_original(s, package, class, method);
        if (original.len == 0 && of_method.len == 0)
            continue;
        return join(s, original.len > 0 ? original : class, of_method.len > 0 ? of_method : method);
    }
    return name;
}
