/* SPDX-License-Identifier: MIT */
/* Finds the frames of locations. */
#include "frames.h"

#include "../../common/names/unresolved.h"

/* ---- ids ------------------------------------------------------------------------------------- */

static uint64_t read_id(brz_str entry)
{
    brz_bytes b = tables_message(entry);
    brz_proto_field f;
    uint64_t id = 0;
    while (brz_proto_next(&b, &f))
        if (f.number == 1 && f.type == BRZ_PROTO_VARINT) {
            id = f.value;
            break; /* writers begin with the id */
        }
    return id;
}

/* Returns the position of the entry with an id, or NO_ENTRY. */
static uint32_t ids_find(const ids *map, uint64_t id)
{
    return id < map->n_dense ? map->dense[id] - 1 : pair_map_find(&map->sparse, id, 0);
}

/* Adds an id. Returns false if an earlier entry has it. */
static bool add_id(ids *map, brz_ctx *ctx, uint64_t id, uint32_t position)
{
    if (ids_find(map, id) != NO_ENTRY)
        return false;
    if (id < map->n_dense)
        map->dense[id] = position + 1;
    else
        pair_map_put(&map->sparse, ctx, id, 0, position);
    return true;
}

/* Reads the ids of all entries of a table, in their field 1. Of two entries with the same id the
 * first one counts. `code` is for warnings. Returns false after reporting that no entry has an id.
 */
static bool ids_read(ids *map, brz_ctx *ctx, const table *entries, const char *code)
{
    size_t known = 0;
    map->n_dense = entries->n + 1;
    map->dense = ctx->host->alloc(ctx, map->n_dense * sizeof *map->dense, 0);
    pair_map_init(&map->sparse, ctx);
    for (size_t i = 0; i < entries->n && i < PAIR_MISS; i++) {
        const brz_str entry = entries->items[i];
        uint64_t id = read_id(entry);
        known += id != 0;
        if (id == 0)
            BRZ_WARN(ctx, code, entry.data, 0, "an entry without an id: left out");
        else if (!add_id(map, ctx, id, (uint32_t)i))
            BRZ_WARN(ctx, code, entry.data, 0, "an earlier entry has this id: left out");
    }
    if (known > 0 || entries->n == 0)
        return true;
    brz_report(ctx, BRZ_FATAL, "pprof.ids", entries->items[0].data, 0,
               BRZ_STR("no entry of this table has an id: the stacks cannot be read"));
    return false;
}

/* ---- tables -------------------------------------------------------------------------------- */

/* A mapping: a program or library in memory. */
typedef struct mapping {
    brz_str file, build_id;
} mapping;

typedef struct function {
    brz_str name, system_name, file;
    uint32_t first_line;
} function;

typedef struct line {
    uint64_t function;
    uint32_t line, column;
    const void *at; /* position in the input */
} line;

/* A location without its lines. */
typedef struct place {
    mapping mapping;
    uint64_t address;
} place;

bool frames_are_spent(const frames *f)
{
    brz_report(f->ctx, BRZ_FATAL, "pprof.size", NULL, 0,
               BRZ_STR("the stacks are implausibly large for an input of this size"));
    return false;
}

/* Converts a line number; one that is out of range is unknown. */
static uint32_t line_number(uint64_t value)
{
    return value <= INT32_MAX ? (uint32_t)value : 0;
}

/* ---- messages ------------------------------------------------------------------------------ */

static void report_part(frames *f, const brz_bytes *b)
{
    if (b->error != NULL)
        BRZ_WARN(f->ctx, "pprof.entry", b->error_at, 0, "a damaged entry: its rest is missing");
}

static mapping read_mapping(frames *f, uint64_t id, const void *at)
{
    mapping m = {{"", 0}, {"", 0}};
    uint32_t i = ids_find(&f->mappings, id);
    if (id != 0 && i == NO_ENTRY)
        BRZ_WARN(f->ctx, "pprof.mapping", at, 0, "no mapping has this id: the module is unknown");
    if (i == NO_ENTRY)
        return m;
    brz_bytes b = tables_message(f->tables->of[PROFILE_MAPPING].items[i]);
    brz_proto_field field;
    while (brz_proto_next(&b, &field))
        if (field.number == 5)
            m.file = tables_text(f->tables, field.value, b.at);
        else if (field.number == 6)
            m.build_id = tables_text(f->tables, field.value, b.at);
    report_part(f, &b);
    return m;
}

static function read_function(frames *f, uint64_t id, const void *at)
{
    function fn = {{"", 0}, {"", 0}, {"", 0}, 0};
    uint32_t i = ids_find(&f->functions, id);
    if (id != 0 && i == NO_ENTRY)
        BRZ_WARN(f->ctx, "pprof.function", at, 0, "no function has this id: the name is unknown");
    if (i == NO_ENTRY)
        return fn;
    brz_bytes b = tables_message(f->tables->of[PROFILE_FUNCTION].items[i]);
    brz_proto_field field;
    while (brz_proto_next(&b, &field)) {
        if (field.number == 5)
            fn.first_line = line_number(field.value);
        if (field.number < 2 || field.number > 4)
            continue;
        brz_str *to = field.number == 2 ? &fn.name : field.number == 3 ? &fn.system_name : &fn.file;
        *to = tables_text(f->tables, field.value, b.at);
    }
    report_part(f, &b);
    return fn;
}

static line read_line(frames *f, brz_bytes b)
{
    line l = {.at = b.at};
    brz_proto_field field;
    while (brz_proto_next(&b, &field))
        if (field.number == 1)
            l.function = field.value;
        else if (field.number == 2)
            l.line = line_number(field.value);
        else if (field.number == 3)
            l.column = line_number(field.value);
    report_part(f, &b);
    return l;
}

/* ---- frames -------------------------------------------------------------------------------- */

/* Adds the frame of a line to the list. Returns false if the budget is spent. */
static bool add_line(frames *f, const place *p, const line *l, uint32_t flags)
{
    const function fn = read_function(f, l->function, l->at);
    const mapping *m = &p->mapping;
    brz_frame_desc d = {.struct_size = sizeof d,
                        .flags = flags,
                        .kind = mapping_is_kernel(m->file) ? BRZ_KIND_KERNEL : BRZ_KIND_OTHER,
                        .name = fn.name,
                        .system_name = fn.system_name,
                        .module = m->file,
                        .build_id = m->build_id,
                        .address = p->address,
                        .file = fn.file,
                        .first_line = fn.first_line,
                        .line = l->line,
                        .column = l->column};
    frame_complete_name(&d, &f->scratch, f->ctx, f->addresses);
    if (!frames_spend(f, budget_for_frame(&d)))
        return false;
    brz_frame_list_push(&f->list, f->ctx, f->ctx->host->frame(f->ctx, &d));
    return true;
}

/* Adds the frames of a location to the list. All lines but the last one are inlined calls; a
 * location without lines has one frame without a function. */
static bool add_lines(frames *f, const place *p, brz_bytes b)
{
    brz_proto_field field;
    line last = {.at = b.at};
    bool any = false;
    while (brz_proto_next(&b, &field)) {
        if (field.number != 4 || field.type != BRZ_PROTO_BYTES)
            continue;
        if (any && !add_line(f, p, &last, BRZ_FRAME_INLINED))
            return false;
        last = read_line(f, field.part);
        any = true;
    }
    return add_line(f, p, &last, 0);
}

/* ---- locations ----------------------------------------------------------------------------- */

static place read_place(frames *f, brz_bytes b)
{
    place p = {{{"", 0}, {"", 0}}, 0};
    uint64_t id = 0;
    brz_proto_field field;
    const void *at = b.at;
    while (brz_proto_next(&b, &field))
        if (field.number == 2)
            id = field.value;
        else if (field.number == 3)
            p.address = field.value;
    report_part(f, &b);
    p.mapping = read_mapping(f, id, at);
    return p;
}

static bool read_location(frames *f, location *l, brz_str message)
{
    brz_bytes b = tables_message(message);
    place p = read_place(f, b);
    f->list.n = 0;
    if (!add_lines(f, &p, b))
        return false;
    brz_frame *copy = f->ctx->host->alloc(f->ctx, f->list.n * sizeof *copy, 0);
    memcpy(copy, f->list.ids, f->list.n * sizeof *copy);
    l->frames = copy;
    l->n = f->list.n;
    return true;
}

static const location *missing_location(frames *f, const void *at)
{
    f->n_missing++;
    BRZ_WARN(f->ctx, "pprof.location", at, 0, "no location has this id: the frame is unknown");
    if (f->missing.n == 0) {
        f->missing_frame = f->ctx->host->intern(f->ctx, "[unknown]", 9);
        f->missing.frames = &f->missing_frame;
        f->missing.n = 1;
    }
    return &f->missing;
}

const location *frames_of(frames *f, uint64_t id, const void *at)
{
    uint32_t i = ids_find(&f->locations, id);
    if (i == NO_ENTRY)
        return missing_location(f, at);
    location *l = &f->of_location[i];
    if (l->frames != NULL || read_location(f, l, f->tables->of[PROFILE_LOCATION].items[i]))
        return l;
    return NULL;
}

bool frames_init(frames *f, brz_ctx *ctx, const tables *t, size_t len, bool addresses)
{
    f->tables = t;
    f->ctx = ctx;
    f->addresses = addresses;
    f->budget = budget_of(len);
    f->of_location =
        ctx->host->alloc(ctx, (t->of[PROFILE_LOCATION].n + 1) * sizeof *f->of_location, 0);
    return ids_read(&f->mappings, ctx, &t->of[PROFILE_MAPPING], "pprof.mapping-id") &&
           ids_read(&f->functions, ctx, &t->of[PROFILE_FUNCTION], "pprof.function-id") &&
           ids_read(&f->locations, ctx, &t->of[PROFILE_LOCATION], "pprof.location-id");
}
