/* SPDX-License-Identifier: MIT */
/* Interprets elements.
 *
 *     node      := schema row*
 *     row       := (weight | cycle-weight | process | thread | core | thread-state
 *                   | backtrace | tagged-backtrace | anything)*
 *     tagged-backtrace := backtrace | frame*
 *     backtrace := frame*                      from the leaf to the root
 *     frame     := [binary] [source]           source := [path]
 *
 * Each element may be a reference to an earlier one with the same name, wherever that was: a thread
 * contains its process. The value of an element therefore does not depend on its surroundings; only
 * the use of the value does.
 */
#include "reader.h"

#include <brazier/symbol.h>

/* ---- known elements -------------------------------------------------------------------------- */

/* Elements sorted by the length of their names. */
typedef struct element_name {
    const char *name;
    element_kind kind;
} element_name;

#define NAMES_MAX   5
#define LENGTHS_MAX 16

static const element_name names[LENGTHS_MAX + 1][NAMES_MAX] = {
    [3] = {{"row", ELEMENT_ROW}},
    [4] = {{"core", ELEMENT_CORE}, {"path", ELEMENT_PATH}, {"node", ELEMENT_NODE}},
    [5] = {{"frame", ELEMENT_FRAME}},
    [6] = {{"weight", ELEMENT_WEIGHT},
           {"thread", ELEMENT_THREAD},
           {"binary", ELEMENT_BINARY},
           {"source", ELEMENT_SOURCE},
           {"schema", ELEMENT_SCHEMA}},
    [7] = {{"process", ELEMENT_PROCESS}},
    [9] = {{"backtrace", ELEMENT_BACKTRACE}},
    [12] = {{"thread-state", ELEMENT_STATE}, {"cycle-weight", ELEMENT_CYCLES}},
    [16] = {{"tagged-backtrace", ELEMENT_BACKTRACE}},
};

element_kind element_kind_of(brz_str name)
{
    if (name.len > LENGTHS_MAX)
        return ELEMENT_OTHER;
    const element_name *n = names[name.len];
    for (size_t i = 0; i < NAMES_MAX && n[i].name != NULL; i++)
        if (memcmp(n[i].name, name.data, name.len) == 0)
            return n[i].kind;
    return ELEMENT_OTHER;
}

brz_str *element_attribute(element_attributes *a, brz_str name)
{
    const struct {
        const char *name;
        size_t len;
        brz_str *to;
    } known[] = {
        {"id", 2, &a->id},           {"ref", 3, &a->ref},   {"name", 4, &a->name},
        {"fmt", 3, &a->fmt},         {"addr", 4, &a->addr}, {"line", 4, &a->line},
        {"inlined", 7, &a->inlined},
    };
    for (size_t i = 0; i < BRZ_COUNT_OF(known); i++)
        if (known[i].len == name.len && memcmp(known[i].name, name.data, name.len) == 0)
            return known[i].to;
    return NULL;
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint32_t add_text(xctrace *x, brz_str s)
{
    if (x->n_texts == x->texts_cap)
        x->texts = brz_stacks_double(x->ctx, x->texts, x->n_texts, &x->texts_cap, sizeof *x->texts);
    x->texts[x->n_texts] = brz_text_keep(x->ctx, s);
    return (uint32_t)x->n_texts++;
}

static uint32_t add_place(xctrace *x, xctrace_place place)
{
    if (x->n_places == x->places_cap)
        x->places =
            brz_stacks_double(x->ctx, x->places, x->n_places, &x->places_cap, sizeof *x->places);
    x->places[x->n_places] = place;
    return (uint32_t)x->n_places++;
}

/* Parses an integer. Returns false for other text. */
static bool parse_amount(brz_str s, int64_t *value)
{
    return s.len > 0 && s.data[0] != '-' && brz_parse_i64(s, value);
}

static uint32_t add_amount(xctrace *x)
{
    int64_t value;
    if (!parse_amount(brz_trim(brz_text_str(&x->content)), &value)) {
        report_here(x, "xctrace.weight",
                    BRZ_STR("the weight is not a whole number: rows count without one"));
        return NO_VALUE;
    }
    if (x->n_amounts == x->amounts_cap)
        x->amounts = brz_stacks_double(x->ctx, x->amounts, x->n_amounts, &x->amounts_cap,
                                       sizeof *x->amounts);
    x->amounts[x->n_amounts] = value;
    return (uint32_t)x->n_amounts++;
}

/* Returns the frame of a label, with the name that Instruments shows. */
static uint32_t label_frame(xctrace *x, const element_attributes *a)
{
    brz_str name = a->fmt;
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_PROCESS};
    d.name = name.len > 0 ? name : BRZ_STR("[unknown]");
    return x->ctx->host->frame(x->ctx, &d);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void begin_frame(xctrace *x, const element_attributes *a)
{
    frame_draft *f = &x->draft;
    brz_str name = a->name;
    if (name.data == NULL && a->addr.len == 0)
        report_here(x, "xctrace.name", BRZ_STR("a frame without a name: [unknown]"));
    if (name.len == 0)
        name = a->addr;
    if (name.len == 0)
        name = BRZ_STR("[unknown]");
    f->name.len = 0;
    brz_text_append(&f->name, x->ctx, name);
    f->name.len = brz_rust_repair(brz_text_str(&f->name), f->name.data);
    f->binary = f->place = NO_VALUE;
    f->inlined = brz_str_is(a->inlined, "true");
}

static void add_source_line(xctrace *x, const xctrace_place *place)
{
    char digits[16], *end = digits + sizeof digits, *start = end;
    for (uint32_t n = place->line; n > 0; n /= 10)
        *--start = (char)('0' + n % 10);
    brz_text_append(&x->draft.name, x->ctx, BRZ_STR(":"));
    brz_text_append(&x->draft.name, x->ctx, place->file);
    if (place->line == 0)
        return;
    brz_text_append(&x->draft.name, x->ctx, BRZ_STR(":"));
    brz_text_append(&x->draft.name, x->ctx, brz_str_of(start, (size_t)(end - start)));
}

/* Returns the frame that was read. Its line is that of the sample, not of the function's beginning,
 * so it is part of the frame only if an option or the run asks for it. */
static uint32_t end_frame(xctrace *x)
{
    frame_draft *f = &x->draft;
    brz_frame_desc d = {.struct_size = sizeof d};
    d.flags = f->inlined ? BRZ_FRAME_INLINED : 0;
    if (f->binary != NO_VALUE)
        d.module = x->texts[f->binary];
    if (f->place != NO_VALUE) {
        const xctrace_place *place = &x->places[f->place];
        d.file = place->file;
        bool wanted = x->options->srcline || (x->ctx->flags & BRZ_CTX_WANTS_LINES) != 0;
        if (wanted && place->file.len > 0)
            d.line = place->line;
        if (x->options->srcline && place->file.len > 0)
            add_source_line(x, place);
    }
    d.name = brz_text_str(&f->name);
    return x->ctx->host->frame(x->ctx, &d);
}

static void push_frame(xctrace *x, uint32_t frame)
{
    if (frame == NO_VALUE)
        frame = x->ctx->host->intern(x->ctx, "[unknown]", strlen("[unknown]"));
    if (x->n_frames == x->frames_cap)
        x->frames =
            brz_stacks_double(x->ctx, x->frames, x->n_frames, &x->frames_cap, sizeof *x->frames);
    x->frames[x->n_frames++] = frame;
}

/* ---- element starts -------------------------------------------------------------------------- */

static bool is_label(element_kind kind)
{
    return kind >= ELEMENT_PROCESS && kind <= ELEMENT_STATE;
}

/* Returns the kinds of elements whose values are needed: their ids are stored. */
static uint32_t valued_kinds(const xctrace *x)
{
    uint32_t kinds = 0;
    for (uint32_t kind = ELEMENT_FRAME; kind <= ELEMENT_STATE; kind++)
        if (!is_label(kind) || label_is_wanted(x, kind - ELEMENT_PROCESS))
            kinds |= 1u << kind;
    return kinds;
}

static bool has_value(const xctrace *x, element_kind kind)
{
    return (x->valued_kinds >> kind & 1) != 0;
}

static void report_missing(xctrace *x, element_kind kind)
{
    if (kind == ELEMENT_BACKTRACE) {
        report_rows_here(x, "xctrace.reference",
                         BRZ_STR("refers to a backtrace that is not there: row left out"),
                         !x->row.bad && is_wanted_table(x));
        x->row.bad = true;
    } else if (kind == ELEMENT_FRAME) {
        report_here(x, "xctrace.reference",
                    BRZ_STR("refers to a frame that is not there: [unknown]"));
    } else {
        report_here(x, "xctrace.reference", BRZ_STR("refers to an element that is not there"));
    }
}

static void look_up(xctrace *x, open_element *e, brz_str ref)
{
    e->is_ref = true;
    e->value = x->ids.all[ids_slot(&x->ids, x->ctx, e->kind, ref)].value;
    if (e->value == NO_VALUE)
        report_missing(x, e->kind);
}

static void begin_node(xctrace *x, element_kind kind, const element_attributes *a)
{
    x->schema.len = 0;
    if (kind == ELEMENT_SCHEMA)
        brz_text_append(&x->schema, x->ctx, a->name);
}

/* Begins an element that is not a reference. */
static void begin(xctrace *x, open_element *e, const element_attributes *a)
{
    int64_t line;
    if (e->kind == ELEMENT_FRAME)
        begin_frame(x, a);
    else if (e->kind == ELEMENT_BACKTRACE)
        x->n_frames = 0;
    else if (e->kind == ELEMENT_BINARY)
        e->value = add_text(x, a->name);
    else if (is_label(e->kind))
        e->value = label_frame(x, a);
    else if (e->kind == ELEMENT_SOURCE)
        x->source = (xctrace_place){
            .line = parse_amount(a->line, &line) && line <= UINT32_MAX ? (uint32_t)line : 0};
    x->content.len = 0;
    if (a->id.data == NULL)
        return;
    e->slot = ids_slot(&x->ids, x->ctx, e->kind, a->id);
    if (x->ids.all[e->slot].value != NO_VALUE)
        report_here(x, "xctrace.id",
                    BRZ_STR("the id was used before: from here on it stands for this element"));
}

bool element_matters(const xctrace *x, element_kind kind)
{
    return has_value(x, kind) || kind == ELEMENT_NODE || kind == ELEMENT_SCHEMA;
}

void element_start(xctrace *x, element_kind kind, const element_attributes *a)
{
    open_element *e = &x->open[x->depth++];
    *e = (open_element){kind, NO_SLOT, NO_VALUE, false};
    if (kind == ELEMENT_ROW)
        row_begin(x);
    else if (kind == ELEMENT_NODE || kind == ELEMENT_SCHEMA)
        begin_node(x, kind, a);
    else if (has_value(x, kind) && a->ref.data != NULL)
        look_up(x, e, a->ref);
    else if (has_value(x, kind))
        begin(x, e, a);
}

void element_text(xctrace *x, brz_str s)
{
    if (x->depth > 0 && element_has_text(x->open[x->depth - 1].kind))
        brz_text_append(&x->content, x->ctx, s);
}

/* ---- element ends ---------------------------------------------------------------------------- */

/* Returns the value of an element that is not a reference. */
static uint32_t value_of(xctrace *x, const open_element *e)
{
    switch (e->kind) {
    case ELEMENT_FRAME:
        return end_frame(x);
    case ELEMENT_BACKTRACE: /* a tagged backtrace has the value of the inner one */
        return e->value != NO_VALUE ? e->value
                                    : pool_intern(&x->pool, x->ctx, x->frames, x->n_frames);
    case ELEMENT_PATH:
        return add_text(x, brz_text_str(&x->content));
    case ELEMENT_SOURCE:
        return add_place(x, x->source);
    case ELEMENT_WEIGHT:
    case ELEMENT_CYCLES:
        return add_amount(x);
    default:
        return e->value;
    }
}

/* Passes a value to the enclosing element. */
static void give(xctrace *x, open_element *parent, const open_element *e)
{
    switch (parent->kind) {
    case ELEMENT_ROW:
        row_give(&x->row, e->kind, e->value);
        break;
    case ELEMENT_BACKTRACE:
        if (e->kind == ELEMENT_FRAME)
            push_frame(x, e->value);
        else if (e->kind == ELEMENT_BACKTRACE)
            parent->value = e->value;
        break;
    case ELEMENT_FRAME:
        if (e->kind == ELEMENT_BINARY)
            x->draft.binary = e->value;
        else if (e->kind == ELEMENT_SOURCE)
            x->draft.place = e->value;
        break;
    case ELEMENT_SOURCE:
        if (e->kind == ELEMENT_PATH && e->value != NO_VALUE)
            x->source.file = x->texts[e->value];
        break;
    default:
        break;
    }
}

void element_end(xctrace *x)
{
    open_element *e = &x->open[--x->depth];
    if (e->kind == ELEMENT_ROW)
        row_end(x);
    if (!has_value(x, e->kind))
        return;
    if (!e->is_ref)
        e->value = value_of(x, e);
    if (e->slot != NO_SLOT)
        x->ids.all[e->slot].value = e->value;
    if (x->depth > 0)
        give(x, &x->open[x->depth - 1], e);
}

/* ---- instance -------------------------------------------------------------------------------- */

void elements_init(xctrace *x)
{
    brz_ctx *ctx = x->ctx;
    x->frames_cap = 256;
    x->frames = ctx->host->alloc(ctx, x->frames_cap * sizeof *x->frames, 0);
    x->texts_cap = x->places_cap = x->amounts_cap = 64;
    x->texts = ctx->host->alloc(ctx, x->texts_cap * sizeof *x->texts, 0);
    x->places = ctx->host->alloc(ctx, x->places_cap * sizeof *x->places, 0);
    x->amounts = ctx->host->alloc(ctx, x->amounts_cap * sizeof *x->amounts, 0);
    x->valued_kinds = valued_kinds(x);
    const xctrace_options *o = x->options;
    x->by_row = o->process || o->thread || o->core || o->state || x->stacks.ordered;
    pool_init(&x->pool, ctx);
    ids_init(&x->ids, ctx);
}

void elements_forget(xctrace *x)
{
    ids_forget(&x->ids, x->ctx);
    x->schema.len = 0;
}
