/* SPDX-License-Identifier: MIT */
/* Finds the frames of locations and stacks. */
#include "frames.h"

#include "../../common/budget.h"
#include "../../common/names/unresolved.h"

#define NO_FUNCTION INT64_MIN

typedef struct line {
    int64_t function; /* position, or NO_FUNCTION */
    uint32_t line, column;
    const void *at; /* place in the input */
} line;

/* A location without its lines. */
typedef struct place {
    const mapping *mapping;
    uint64_t address;
    uint32_t kind;
} place;

bool frames_spend(frames *f, uint64_t amount)
{
    if (budget_take(f->budget, amount))
        return true;
    brz_report(f->ctx, BRZ_FATAL, "otlp.size", NULL, 0,
               BRZ_STR("the stacks are implausibly large for an input of this size"));
    return false;
}

/* Converts a line number; one that is out of range is unknown. */
static uint32_t line_number(int64_t value)
{
    return value > 0 && value <= INT32_MAX ? (uint32_t)value : 0;
}

/* ---- entries of tables ----------------------------------------------------------------------- */

/* Returns whether an attribute of a mapping is a build id. The one of GNU's linker is preferred. */
static bool is_build_id(brz_str key, bool has_one)
{
    return brz_str_is(key, "process.executable.build_id.gnu") ||
           (!has_one && brz_starts_with(key, BRZ_STR("process.executable.build_id.")));
}

static void read_mapping(frames *f, mapping *m, brz_str message)
{
    fields of;
    m->is_read = true;
    fields_start(&of, f->tables->document, &schema_mapping, message);
    while (fields_next(&of)) {
        if (of.member == MAPPING_FILE) {
            m->file = tables_text(f->tables, of.number, of.at);
            continue;
        }
        const brz_label *label = attributes_find(f->attributes, of.number, of.at);
        if (label != NULL && is_build_id(label->key, m->build_id.len > 0))
            m->build_id = label->text;
    }
    fields_finish(&of, "otlp.mapping");
}

static const mapping no_mapping = {{"", 0}, {"", 0}, true};

static const mapping *find_mapping(frames *f, int64_t position, const void *at)
{
    const table *of = &f->tables->of[TABLE_MAPPINGS];
    if (position >= 0 && (uint64_t)position < of->n) {
        if (!f->mappings[position].is_read)
            read_mapping(f, &f->mappings[position], of->items[position]);
        return &f->mappings[position];
    }
    if (position != 0)
        BRZ_WARN(f->ctx, "otlp.mapping-index", at, 0,
                 "no mapping has this number: the module is unknown");
    return &no_mapping;
}

static void read_function(frames *f, function *fn, brz_str message)
{
    fields of;
    fn->is_read = true;
    fields_start(&of, f->tables->document, &schema_function, message);
    while (fields_next(&of)) {
        if (of.member == FUNCTION_FIRST_LINE) {
            fn->first_line = line_number(of.number);
            continue;
        }
        brz_str *to = of.member == FUNCTION_NAME          ? &fn->name
                      : of.member == FUNCTION_SYSTEM_NAME ? &fn->system_name
                                                          : &fn->file;
        *to = tables_text(f->tables, of.number, of.at);
    }
    fields_finish(&of, "otlp.function");
}

static const function *find_function(frames *f, const line *l)
{
    static const function none = {{"", 0}, {"", 0}, {"", 0}, 0, true};
    const table *of = &f->tables->of[TABLE_FUNCTIONS];
    if (l->function >= 0 && (uint64_t)l->function < of->n) {
        if (!f->functions[l->function].is_read)
            read_function(f, &f->functions[l->function], of->items[l->function]);
        return &f->functions[l->function];
    }
    if (l->function != NO_FUNCTION)
        BRZ_WARN(f->ctx, "otlp.function-index", l->at, 0,
                 "no function has this number: the name is unknown");
    return &none;
}

static line read_line(frames *f, brz_str message)
{
    line l = {.at = message.data};
    fields of;
    fields_start(&of, f->tables->document, &schema_line, message);
    while (fields_next(&of))
        if (of.member == LINE_FUNCTION)
            l.function = of.number;
        else if (of.member == LINE_LINE)
            l.line = line_number(of.number);
        else
            l.column = line_number(of.number);
    fields_finish(&of, "otlp.line");
    return l;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Adds the frame of a line to the list. Returns false if the budget is spent. */
static bool add_line(frames *f, const place *p, const line *l, uint32_t flags)
{
    const function *fn = find_function(f, l);
    const mapping *m = p->mapping;
    brz_frame_desc d = {.struct_size = sizeof d,
                        .flags = flags,
                        .kind = mapping_is_kernel(m->file) ? BRZ_KIND_KERNEL : p->kind,
                        .name = fn->name,
                        .system_name = fn->system_name,
                        .module = m->file,
                        .build_id = m->build_id,
                        .address = p->address,
                        .file = fn->file,
                        .first_line = fn->first_line,
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
static bool add_lines(frames *f, const place *p, brz_str message)
{
    fields of;
    line last = {.function = NO_FUNCTION, .at = message.data};
    bool any = false;
    fields_start(&of, f->tables->document, &schema_location, message);
    while (fields_next(&of)) {
        if (of.member != LOCATION_LINES)
            continue;
        if (any && !add_line(f, p, &last, BRZ_FRAME_INLINED))
            return false;
        last = read_line(f, of.text);
        any = true;
    }
    return add_line(f, p, &last, 0);
}

/* ---- locations ------------------------------------------------------------------------------- */

/* Returns the kind of code that an attribute states, or else `kind`. */
static uint32_t stated_kind(frames *f, const fields *of, uint32_t kind)
{
    const brz_label *label = attributes_find(f->attributes, of->number, of->at);
    if (label == NULL || !brz_str_is(label->key, "profile.frame.type"))
        return kind;
    return brz_str_is(label->text, "kernel") ? BRZ_KIND_KERNEL : BRZ_KIND_USER;
}

static place read_place(frames *f, brz_str message)
{
    place p = {&no_mapping, 0, BRZ_KIND_OTHER};
    fields of;
    fields_start(&of, f->tables->document, &schema_location, message);
    while (fields_next(&of))
        if (of.member == LOCATION_MAPPING)
            p.mapping = find_mapping(f, of.number, of.at);
        else if (of.member == LOCATION_ADDRESS)
            p.address = (uint64_t)of.number;
        else if (of.member == LOCATION_ATTRIBUTES)
            p.kind = stated_kind(f, &of, p.kind);
    fields_finish(&of, "otlp.location");
    return p;
}

static bool read_location(frames *f, location_frames *l, brz_str message)
{
    place p = read_place(f, message);
    f->list.n = 0;
    if (!add_lines(f, &p, message))
        return false;
    brz_frame *copy = f->ctx->host->alloc(f->ctx, f->list.n * sizeof *copy, 0);
    memcpy(copy, f->list.ids, f->list.n * sizeof *copy);
    l->frames = copy;
    l->n = f->list.n;
    return true;
}

static void push_unknown(frames *f)
{
    brz_path_push(f->stacks->path, f->ctx, f->unknown);
}

bool frames_push(frames *f, int64_t position, const void *at)
{
    const table *locations = &f->tables->of[TABLE_LOCATIONS];
    if (position < 0 || (uint64_t)position >= locations->n) {
        BRZ_WARN(f->ctx, "otlp.location", at, 0,
                 "no location has this number: the frame is unknown");
        push_unknown(f);
        return frames_spend(f, 1);
    }
    location_frames *l = &f->of_location[position];
    if (l->frames == NULL && !read_location(f, l, locations->items[position]))
        return false;
    for (size_t i = 0; i < l->n; i++)
        brz_path_push(f->stacks->path, f->ctx, l->frames[i]);
    return frames_spend(f, l->n);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

brz_stack frames_store(frames *f, const void *at)
{
    if (f->stacks->path->n == 0) {
        BRZ_WARN(f->ctx, "otlp.no-frames", at, 0, "a stack without locations: [unknown]");
        push_unknown(f);
    }
    return brz_stacks_entry_of(f->stacks, f->ctx, 0)->stack;
}

static bool read_stack(frames *f, int64_t position, const void *at)
{
    fields of;
    bool good = true;
    if (!tables_entry(f->tables, TABLE_STACKS, position, at, &schema_stack, &of))
        return true;
    while (good && fields_next(&of))
        good = frames_push(f, of.number, of.at);
    fields_finish(&of, "otlp.stack");
    return good;
}

bool frames_read_stack(frames *f, int64_t position, const void *at, brz_stack *stack)
{
    brz_path_cut(f->stacks->path, 0);
    if (!read_stack(f, position, at))
        return false;
    *stack = frames_store(f, at);
    if ((uint64_t)position < f->tables->of[TABLE_STACKS].n)
        f->of_stack[position] = *stack;
    return true;
}

void frames_init(frames *f, const tables *t, attributes *a, brz_stacks *stacks, bool addresses,
                 uint64_t *budget)
{
    brz_ctx *ctx = t->document->ctx;
    size_t n = t->of[TABLE_STACKS].n;
    memset(f, 0, sizeof *f);
    f->tables = t;
    f->ctx = ctx;
    f->attributes = a;
    f->stacks = stacks;
    f->addresses = addresses;
    f->budget = budget;
    f->unknown = ctx->host->intern(ctx, "[unknown]", 9);
    f->mappings = ctx->host->alloc(ctx, (t->of[TABLE_MAPPINGS].n + 1) * sizeof *f->mappings, 0);
    f->functions = ctx->host->alloc(ctx, (t->of[TABLE_FUNCTIONS].n + 1) * sizeof *f->functions, 0);
    f->of_location =
        ctx->host->alloc(ctx, (t->of[TABLE_LOCATIONS].n + 1) * sizeof *f->of_location, 0);
    f->of_stack = ctx->host->alloc(ctx, (n + 1) * sizeof *f->of_stack, 0);
    for (size_t i = 0; i < n; i++)
        f->of_stack[i] = NO_STACK;
}
