/* SPDX-License-Identifier: MIT */
/* Reads the metadata of a chunk.
 *
 *     metadata := start duration id n text{n} element
 *     element  := name n (key value){n} n element{n}
 *
 * Names, keys and values are positions in the list of texts. The elements of interest are
 * "class", "field" in it, and "annotation" in that. */
#include "types.h"

#include <brazier/symbol.h>

#include <brazier/text/integer.h>

/* Maximum depth of nested elements; the JDK's metadata has 5. */
#define MAX_DEPTH 32

static const struct {
    const char *name;
    role role;
} roles[] = {
    {"startTime", ROLE_START},
    {"duration", ROLE_DURATION},
    {"eventThread", ROLE_EVENT_THREAD},
    {"sampledThread", ROLE_SAMPLED_THREAD},
    {"stackTrace", ROLE_STACK},
    {"state", ROLE_STATE},
    {"samples", ROLE_SAMPLES},
    {"samplingPeriod", ROLE_PERIOD},
    {"weight", ROLE_WEIGHT},
    {"size", ROLE_SIZE},
    {"allocationSize", ROLE_ALLOCATION_SIZE},
    {"tlabSize", ROLE_TLAB_SIZE},
    {"truncated", ROLE_TRUNCATED},
    {"frames", ROLE_FRAMES},
    {"method", ROLE_METHOD},
    {"lineNumber", ROLE_LINE},
    {"type", ROLE_TYPE},
    {"name", ROLE_NAME},
    {"string", ROLE_TEXT},
    {"description", ROLE_TEXT},
    {"osName", ROLE_OS_NAME},
    {"osThreadId", ROLE_OS_ID},
    {"javaName", ROLE_JAVA_NAME},
    {"javaThreadId", ROLE_JAVA_ID},
    {"id", ROLE_ID},
    {"value", ROLE_VALUE},
};

static const struct {
    const char *name;
    basic basic;
} basics[] = {
    {"boolean", BASIC_BOOLEAN}, {"byte", BASIC_BYTE},     {"char", BASIC_CHAR},
    {"short", BASIC_SHORT},     {"int", BASIC_INT},       {"long", BASIC_LONG},
    {"float", BASIC_FLOAT},     {"double", BASIC_DOUBLE}, {"java.lang.String", BASIC_STRING},
};

static const struct {
    const char *name;
    span_unit unit;
} spans[] = {
    {"TICKS", SPAN_TICKS},     {"NANOSECONDS", SPAN_NS}, {"MICROSECONDS", SPAN_US},
    {"MILLISECONDS", SPAN_MS}, {"SECONDS", SPAN_S},
};

/* The kinds of elements. */
typedef enum element { ELEMENT_OTHER, ELEMENT_CLASS, ELEMENT_FIELD, ELEMENT_ANNOTATION } element;

typedef struct parser {
    types *types;
    reader *reader;
    brz_bytes *b;
} parser;

static bool is(brz_str s, const char *name)
{
    return brz_str_is(s, name);
}

static brz_str take_string(parser *p)
{
    uint64_t i = reader_int(p->reader, p->b, INT_SIZE);
    if (i < p->types->n_strings)
        return p->types->strings[i];
    brz_bytes_fail(p->b, "the metadata has no text of this number");
    return brz_str_of("", 0);
}

static void read_strings(parser *p)
{
    types *t = p->types;
    uint64_t n = brz_bytes_count(p->b, reader_int(p->reader, p->b, INT_SIZE), 1);
    for (uint64_t i = 0; i < n && p->b->error == NULL; i++) {
        t->strings = brz_list_room(p->reader->ctx, t->strings, t->n_strings, &t->strings_cap,
                                   sizeof(brz_str));
        t->strings[t->n_strings++] = reader_take_text(p->reader, p->b).text;
    }
}

/* ---- elements ------------------------------------------------------------------------------ */

static role role_of(brz_str name)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(roles); i++)
        if (is(name, roles[i].name))
            return roles[i].role;
    return ROLE_NONE;
}

static basic basic_of(brz_str name)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(basics); i++)
        if (is(name, basics[i].name))
            return basics[i].basic;
    return BASIC_NONE;
}

static record_type *open_class(parser *p)
{
    types *t = p->types;
    t->items = brz_list_room(p->reader->ctx, t->items, t->n, &t->cap, sizeof *t->items);
    record_type *made = &t->items[t->n++];
    memset(made, 0, sizeof *made);
    made->first_field = (uint32_t)t->n_fields;
    return made;
}

static field *open_field(parser *p)
{
    types *t = p->types;
    t->fields =
        brz_list_room(p->reader->ctx, t->fields, t->n_fields, &t->fields_cap, sizeof(field));
    field *made = &t->fields[t->n_fields++];
    memset(made, 0, sizeof *made);
    t->items[t->n - 1].n_fields++;
    return made;
}

static void set_class(record_type *c, brz_str key, brz_str value)
{
    if (is(key, "id"))
        brz_parse_u64(value, &c->id);
    else if (is(key, "name"))
        c->name = value;
}

static void set_field(field *f, brz_str key, brz_str value)
{
    if (is(key, "name"))
        f->name = value;
    else if (is(key, "class"))
        brz_parse_u64(value, &f->type_id);
    else if (is(key, "constantPool"))
        f->is_pooled = is(value, "true");
    else if (is(key, "dimension"))
        f->is_array = !is(value, "0");
}

static void set_annotation(field *f, brz_str value)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(spans); i++)
        if (is(value, spans[i].name))
            f->span = (uint8_t)spans[i].unit;
}

/* Returns the kind of an element. Fields and annotations count only where they belong. */
static element kind_of(brz_str name, element parent)
{
    if (is(name, "class"))
        return ELEMENT_CLASS;
    if (is(name, "field") && parent == ELEMENT_CLASS)
        return ELEMENT_FIELD;
    return is(name, "annotation") && parent == ELEMENT_FIELD ? ELEMENT_ANNOTATION : ELEMENT_OTHER;
}

static void read_attributes(parser *p, element kind)
{
    record_type *c = kind == ELEMENT_CLASS ? open_class(p) : NULL;
    field *f = kind == ELEMENT_FIELD ? open_field(p) : NULL;
    uint64_t n = brz_bytes_count(p->b, reader_int(p->reader, p->b, INT_SIZE), 2);
    for (uint64_t i = 0; i < n && p->b->error == NULL; i++) {
        brz_str key = take_string(p), value = take_string(p);
        if (c != NULL)
            set_class(c, key, value);
        else if (f != NULL)
            set_field(f, key, value);
        else if (kind == ELEMENT_ANNOTATION)
            set_annotation(&p->types->fields[p->types->n_fields - 1], value);
    }
}

/* Reads an element and those in it. A class in a class ends the fields of the outer one, which
 * the format does not have. */
static void read_element(parser *p, element parent, uint32_t depth)
{
    element kind = kind_of(take_string(p), parent);
    size_t n_types = p->types->n + (kind == ELEMENT_CLASS);
    if (depth == MAX_DEPTH)
        brz_bytes_fail(p->b, "elements of the metadata are nested too deep");
    read_attributes(p, kind);
    uint64_t n = brz_bytes_count(p->b, reader_int(p->reader, p->b, INT_SIZE), 3);
    for (uint64_t i = 0; i < n && p->b->error == NULL; i++)
        read_element(p, p->types->n == n_types ? kind : ELEMENT_OTHER, depth + 1);
}

/* ---- types --------------------------------------------------------------------------------- */

/* Maps ids to types. The first of two types with the same id counts. */
static void index_types(types *t, brz_ctx *ctx)
{
    t->string_type = NO_TYPE;
    pair_map_reset(&t->ids, ctx, t->n);
    for (uint32_t i = 0; i < t->n; i++) {
        record_type *c = &t->items[i];
        c->basic = (uint8_t)(c->n_fields == 0 ? basic_of(c->name) : BASIC_NONE);
        if (c->basic == BASIC_STRING)
            t->string_type = i;
        if (types_find(t, c->id) == NO_TYPE)
            pair_map_put(&t->ids, ctx, c->id, 0, i);
    }
}

static void connect_fields(types *t, record_type *c)
{
    for (uint32_t i = 0; i < c->n_fields; i++) {
        field *f = &t->fields[c->first_field + i];
        f->type = types_find(t, f->type_id);
        f->role = (uint8_t)role_of(f->name);
        c->has_stack |= f->role == ROLE_STACK && f->is_pooled;
    }
}

bool types_read(types *t, reader *r, brz_bytes *b)
{
    parser p = {t, r, b};
    t->n = t->n_fields = t->n_strings = 0;
    for (int i = 0; i < 3; i++) /* start, duration, id */
        reader_int(r, b, LONG_SIZE);
    read_strings(&p);
    read_element(&p, ELEMENT_OTHER, 0);
    index_types(t, r->ctx);
    for (size_t i = 0; i < t->n; i++)
        connect_fields(t, &t->items[i]);
    return b->error == NULL;
}
