/* Writes locations and mappings. */
#include <brazier/symbol.h>

#include "file.h"

#include <string.h>

/* A mapping, and what is known at its locations. */
typedef struct mapping {
    bool addresses, functions, files, lines, inlined;
} mapping;

/* State of the locations being written. */
typedef struct places {
    file *file;
    keys modules;      /* (build id, module), as texts: the mappings */
    mapping *mappings; /* by number of the module */
    place *items;      /* places of the current location, innermost first */
    size_t n;
    Brazier__Pprof__Line *lines, **list; /* the same as messages */
} places;

static const function *function_at(const places *p, size_t i)
{
    return &p->file->functions.items[p->items[i].function];
}

static brz_str text_at(const places *p, uint32_t number)
{
    return p->file->functions.texts.items[number];
}

/* ---- addresses without functions ----------------------------------------------------------- */

/* Removes the folder of a path. */
static brz_str base_name(brz_str path)
{
    size_t start = path.len;
    while (start > 0 && path.data[start - 1] != '/')
        start--;
    return brz_str_of(path.data + start, path.len - start);
}

/* Returns whether a function without a name got this one after its module. */
static bool is_substitute(brz_str name, brz_str module)
{
    brz_str base = base_name(module);
    if (base.len == 0)
        return brz_str_equal(name, BRZ_STR("[unknown]"));
    if (base.data[0] == '[')
        return brz_str_equal(name, base);
    return name.len == base.len + 2 && name.data[0] == '[' && name.data[name.len - 1] == ']' &&
           memcmp(name.data + 1, base.data, base.len) == 0;
}

/* Returns whether the current location is an address without a function. */
static bool is_unresolved(const places *p)
{
    const function *fn = function_at(p, 0);
    return p->n == 1 && p->items[0].address != 0 && p->items[0].line == 0 && fn->file == 0 &&
           fn->system_name == 0 && is_substitute(text_at(p, fn->name), text_at(p, fn->module));
}

/* ---- locations ----------------------------------------------------------------------------- */

/* Returns the id of the mapping of the current location, or 0, and notes what the location knows.
 */
static uint64_t mapping_of(places *p, bool resolved)
{
    const function *fn = function_at(p, 0);
    if (fn->module == 0)
        return 0;
    uint32_t number = keys_add(&p->modules, key_of_two(fn->build_id, fn->module));
    mapping *m = &p->mappings[number];
    m->addresses |= p->items[0].address != 0;
    m->functions |= resolved;
    m->inlined |= p->n > 1;
    for (size_t i = 0; i < p->n; i++) {
        m->files |= function_at(p, i)->file != 0;
        m->lines |= p->items[i].line > 0;
    }
    return number + UINT64_C(1);
}

static void fill_lines(places *p)
{
    for (size_t i = 0; i < p->n; i++) {
        p->lines[i] = (Brazier__Pprof__Line)BRAZIER__PPROF__LINE__INIT;
        p->lines[i].function_id = p->items[i].function + UINT64_C(1);
        p->lines[i].line = p->items[i].line;
        p->lines[i].column = p->items[i].column;
        p->list[i] = &p->lines[i];
    }
}

static void put_location(places *p, uint32_t i)
{
    Message m = BRAZIER__PPROF__PROFILE__INIT;
    Brazier__Pprof__Location location = BRAZIER__PPROF__LOCATION__INIT, *list = &location;
    p->n = locations_places(&p->file->locations, i, p->items);
    bool resolved = !is_unresolved(p);
    fill_lines(p);
    location.id = i + UINT64_C(1);
    location.mapping_id = mapping_of(p, resolved);
    location.address = p->items[0].address;
    location.n_line = resolved ? p->n : 0;
    location.line = p->list;
    m.n_location = 1;
    m.location = &list;
    put(p->file, &m);
}

/* ---- mappings ------------------------------------------------------------------------------ */

/* Writes a mapping. One without addresses claims that all is known, which keeps readers from
 * looking for the binary. */
static void put_mapping(places *p, uint32_t i)
{
    Message m = BRAZIER__PPROF__PROFILE__INIT;
    Brazier__Pprof__Mapping to = BRAZIER__PPROF__MAPPING__INIT, *list = &to;
    const mapping *from = &p->mappings[i];
    to.id = i + UINT64_C(1);
    to.filename = key_second(p->modules.items[i]);
    to.build_id = key_first(p->modules.items[i]);
    to.has_functions = from->functions || !from->addresses;
    to.has_filenames = from->files || !from->addresses;
    to.has_line_numbers = from->lines || !from->addresses;
    to.has_inline_frames = from->inlined;
    m.n_mapping = 1;
    m.mapping = &list;
    put(p->file, &m);
}

void put_locations(file *f)
{
    const locations *l = &f->locations;
    places p = {.file = f};
    brz_output_ctx *ctx = f->ctx;
    keys_init(&p.modules, ctx);
    p.mappings = ctx->host->alloc(ctx, ((size_t)f->functions.n + 1) * sizeof *p.mappings, 0);
    p.items = ctx->host->alloc(ctx, l->deepest * sizeof *p.items, 0);
    p.lines = ctx->host->alloc(ctx, l->deepest * sizeof *p.lines, 0);
    p.list = ctx->host->alloc(ctx, l->deepest * sizeof(Brazier__Pprof__Line *), 0);
    for (uint32_t i = 0; i < l->written.n && f->stream.w.rc == BRZ_OK; i++)
        put_location(&p, i);
    for (uint32_t i = 0; i < p.modules.n; i++)
        put_mapping(&p, i);
}
