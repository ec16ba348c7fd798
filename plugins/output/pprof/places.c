/* SPDX-License-Identifier: MIT */
/* Writes locations and mappings. */
#include <brazier/symbol.h>

#include "../../common/file_path.h"
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

/* Returns whether a function without a name got this one after its module. */
static bool is_substitute(brz_str name, brz_str module)
{
    brz_str base = path_base(module);
    if (base.len == 0)
        return brz_str_is(name, "[unknown]");
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

/* Returns the id of the mapping of the current location, or 0, and notes which facts the location
 * has.
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

static void add_lines(const places *p)
{
    message *line = &p->file->item;
    for (size_t i = 0; i < p->n; i++) {
        message_number(line, LINE_FUNCTION_ID, p->items[i].function + UINT64_C(1));
        message_number(line, LINE_LINE, p->items[i].line);
        message_number(line, LINE_COLUMN, p->items[i].column);
        message_part(&p->file->part, LOCATION_LINE, line);
    }
}

static void put_location(places *p, uint32_t i)
{
    message *location = &p->file->part;
    p->n = locations_places(&p->file->locations, i, p->items);
    bool resolved = !is_unresolved(p);
    message_number(location, LOCATION_ID, i + UINT64_C(1));
    message_number(location, LOCATION_MAPPING_ID, mapping_of(p, resolved));
    message_number(location, LOCATION_ADDRESS, p->items[0].address);
    if (resolved)
        add_lines(p);
    put_part(p->file, PROFILE_LOCATION);
}

/* ---- mappings ------------------------------------------------------------------------------ */

/* Writes a mapping. One without addresses claims that all is known, which keeps readers from
 * looking for the binary. */
static void put_mapping(places *p, uint32_t i)
{
    const mapping *from = &p->mappings[i];
    message *to = &p->file->part;
    message_number(to, MAPPING_ID, i + UINT64_C(1));
    message_number(to, MAPPING_FILENAME, key_second(p->modules.items[i]));
    message_number(to, MAPPING_BUILD_ID, key_first(p->modules.items[i]));
    message_number(to, MAPPING_HAS_FUNCTIONS, from->functions || !from->addresses);
    message_number(to, MAPPING_HAS_FILENAMES, from->files || !from->addresses);
    message_number(to, MAPPING_HAS_LINE_NUMBERS, from->lines || !from->addresses);
    message_number(to, MAPPING_HAS_INLINE_FRAMES, from->inlined);
    put_part(p->file, PROFILE_MAPPING);
}

void put_locations(file *f)
{
    const locations *l = &f->locations;
    places p = {.file = f};
    brz_output_ctx *ctx = f->ctx;
    keys_init(&p.modules, ctx);
    p.mappings = ctx->host->alloc(ctx, ((size_t)f->functions.n + 1) * sizeof *p.mappings, 0);
    p.items = ctx->host->alloc(ctx, l->deepest * sizeof *p.items, 0);
    for (uint32_t i = 0; i < l->written.n && f->w.rc == BRZ_OK; i++)
        put_location(&p, i);
    for (uint32_t i = 0; i < p.modules.n; i++)
        put_mapping(&p, i);
}
