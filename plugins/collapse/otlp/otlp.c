/* SPDX-License-Identifier: MIT */
/* Collapses profiles of OpenTelemetry's protocol: messages ProfilesData, which are also requests to
 * a collector, in Protocol Buffers or JSON.
 *
 *     input     := data | (length data)* | (data newline)*
 *     data      := resources* dictionary
 *     resources := resource scope*
 *     scope     := profile*
 *
 * schema.c has the messages, fields.c reads them in either encoding, layout.c finds the version of
 * their definition, tables.c collects tables, frames.c makes frames of locations, tags.c makes tags
 * of attributes, sample.c reads the usual samples quickly, profile.c counts. */
#include <brazier/collapser.h>
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/text.h>

#include "../../common/shipped.h"
#include "layout.h"
#include "profile.h"

typedef struct options {
    bool addrs;
} options;

typedef struct otlp {
    profiles profiles;
    document document;
    size_t n_profiles;
    bool is_damaged; /* a part was reported that is no JSON */
} otlp;

/* The tables of the data that are read. */
typedef struct source {
    otlp *otlp;
    tables tables;
    attributes attributes;
    frames frames;
} source;

/* ---- resources ------------------------------------------------------------------------------- */

/* Adds the attributes of a resource to the labels of its samples. */
static void read_resource(source *s, brz_str message)
{
    brz_label label;
    fields f;
    fields_start(&f, &s->otlp->document, &schema_resource, message);
    while (fields_next(&f))
        if (attribute_read(&s->tables, &schema_own_attribute, f.text, &label))
            tags_add(&s->otlp->profiles.tags, &label);
    fields_finish(&f, "otlp.resource");
}

static void read_attributes(source *s, brz_str message)
{
    fields f;
    tags_cut(&s->otlp->profiles.tags, 0);
    fields_start(&f, &s->otlp->document, &schema_resources, message);
    while (fields_next(&f))
        if (f.member == RESOURCES_RESOURCE)
            read_resource(s, f.text);
}

static brz_rc read_scope(source *s, brz_str message)
{
    brz_rc rc = BRZ_OK;
    fields f;
    fields_start(&f, &s->otlp->document, &schema_scope, message);
    f.may_have_samples = true;
    while (rc == BRZ_OK && fields_next(&f)) {
        s->otlp->n_profiles++;
        rc = profiles_read(&s->otlp->profiles, &s->tables, &s->attributes, &s->frames, f.text);
    }
    fields_finish(&f, "otlp.scope");
    return rc;
}

static brz_rc read_resources(source *s, brz_str message)
{
    brz_rc rc = BRZ_OK;
    fields f;
    read_attributes(s, message);
    fields_start(&f, &s->otlp->document, &schema_resources, message);
    f.may_have_samples = true;
    while (rc == BRZ_OK && fields_next(&f))
        if (f.member == RESOURCES_SCOPES)
            rc = read_scope(s, f.text);
    fields_finish(&f, "otlp.resources");
    return rc;
}

/* ---- data ------------------------------------------------------------------------------------ */

/* Collects the tables of the data and of their dictionary. */
static void read_tables(source *s, brz_str message)
{
    fields f;
    tables_init(&s->tables, &s->otlp->document);
    fields_start(&f, &s->otlp->document, &schema_data, message);
    while (fields_next(&f))
        if (f.member == DATA_DICTIONARY)
            tables_collect(&s->tables, &schema_dictionary, f.text);
        else
            tables_take(&s->tables, &f);
}

/* Finds the layout of a message. Returns false after reporting that its version is not read. */
static bool accept(otlp *o, brz_str message)
{
    brz_ctx *ctx = o->document.ctx;
    if (o->document.is_json)
        return true;
    if (layout_find(&o->document, message))
        return true;
    brz_report(ctx, BRZ_FATAL, "otlp.experimental", message.data, 0,
               BRZ_STR("profiles of the experimental definition before 1.4, which brazier does not "
                       "read: write them with a newer version"));
    return false;
}

/* Reads the resources of the data after their tables, which may be in any order. */
static brz_rc read_data(otlp *o, brz_str message)
{
    profiles *p = &o->profiles;
    brz_rc rc = BRZ_OK;
    source s = {.otlp = o};
    fields f;
    if (!accept(o, message))
        return BRZ_ERROR;
    read_tables(&s, message);
    attributes_init(&s.attributes, &s.tables);
    frames_init(&s.frames, &s.tables, &s.attributes, &p->stacks, p->addresses, &p->budget);
    fields_start(&f, &o->document, &schema_data, message);
    f.may_have_samples = true;
    while (rc == BRZ_OK && fields_next(&f))
        if (f.member == DATA_RESOURCES)
            rc = read_resources(&s, f.text);
    if (f.damage != NULL && !o->document.is_json)
        BRZ_WARN(o->document.ctx, "otlp.cut", f.damage, 0,
                 "the input ends or is damaged here: the rest is missing");
    return rc;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* Reads JSON objects, one after another. */
static brz_rc read_objects(otlp *o, cursor *c)
{
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && cursor_next(c) && c->token.kind != BRZ_JSON_END) {
        bool object = c->token.kind == BRZ_JSON_OBJECT;
        const char *at = c->token.text.data;
        brz_str value = cursor_skip(c);
        if (object)
            rc = read_data(o, value);
        else
            brz_report_lost(o->document.ctx, "otlp.not-data", at, 0,
                            BRZ_STR("a value that is no object: left out"));
    }
    return rc;
}

/* Returns the rest of a text from the next line that begins with an object, or an empty text. */
static brz_str next_object(brz_str text)
{
    size_t at = brz_str_find(text, BRZ_STR("\n{\""), 0);
    return brz_str_from(text, at != SIZE_MAX ? at + 1 : text.len);
}

/* Reads a text of JSON objects. One that is damaged costs no later one, on a line of its own. */
static brz_rc read_json(otlp *o, brz_str text)
{
    static const char *const codes[] = {"otlp.json", "otlp.cut-off"};
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && text.len > 0) {
        cursor c;
        cursor_start(&c, o->document.ctx, text);
        c.parser.several = true;
        rc = read_objects(o, &c);
        if (rc == BRZ_OK)
            cursor_report(&c, codes);
        o->is_damaged |= c.failed || c.cut;
        const char *end = c.failed ? c.token.text.data : c.end;
        text = next_object(brz_str_of(end, (size_t)(c.end - end)));
    }
    return rc;
}

static brz_rc read_framed(otlp *o, brz_str text)
{
    brz_rc rc = BRZ_OK;
    brz_str message;
    while (rc == BRZ_OK && layout_take_framed(&text, &message))
        rc = read_data(o, message);
    if (rc == BRZ_OK && text.len > 0)
        BRZ_WARN(o->document.ctx, "otlp.cut", text.data, 0,
                 "the input ends within a length: the rest is missing");
    return rc;
}

/* Reports an input without profiles. */
static brz_rc check_empty(const otlp *o, brz_str text)
{
    if (o->n_profiles > 0 || o->is_damaged || text.len == 0)
        return BRZ_OK;
    brz_report(o->document.ctx, BRZ_FATAL, "otlp.empty", text.data, 0,
               BRZ_STR("not profiles of OpenTelemetry: no profile is in this input"));
    return BRZ_ERROR;
}

/* Returns whether a text begins like a JSON object, or a comment in front of one. A message begins
 * with the number of a field, of which "{" and "/" would be one of an unknown type. */
static bool is_json(brz_str text)
{
    brz_str trimmed = brz_trim(text);
    return trimmed.len > 0 && (trimmed.data[0] == '{' || trimmed.data[0] == '/');
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    otlp *o = ctx->inst;
    brz_str text = brz_str_of((const char *)chunk->data, chunk->len);
    brz_rc rc;
    *used = chunk->len;
    o->document.ctx = ctx;
    o->document.is_json = is_json(text);
    profiles_init(&o->profiles, ctx, chunk->len, ((const options *)ctx->cfg)->addrs);
    if (o->document.is_json)
        rc = read_json(o, text);
    else if (text.len > 0 && text.data[0] == '\0')
        rc = read_framed(o, text);
    else
        rc = read_data(o, text);
    if (rc == BRZ_OK)
        rc = check_empty(o, text);
    return rc == BRZ_OK ? profiles_finish(&o->profiles) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"resourceProfiles.scopeProfiles",
                                        "resource_profiles.scope_profiles",
                                        "dictionary.stringTable", "dictionary.string_table", NULL};
    brz_str text = brz_str_of((const char *)head->data, head->len), message;
    if (is_json(text))
        return cursor_paths(head, paths) != 0 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
    if (text.len > 0 && text.data[0] == '\0' && layout_take_framed(&text, &message))
        return layout_sniff(brz_bytes_of(message.data, message.len));
    return layout_sniff(brz_bytes_of(head->data, head->len));
}

static const char *const globs[] = {"*.otlp", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "addrs", BOOL, addrs, "false",
               "name unresolved frames by their address, not by their module"),
};

SHIPPED_BINARY_READER(otlp, .sniff = sniff)

/* Each message has a field with the number 2 of bytes, whose tag is 0x12: scopes or the dictionary.
 */
BRZ_HINTS(BRZ_IF_NAME("*.otlp") BRZ_IF_CONTAINS("\x12") BRZ_IF_CONTAINS("resourceProfiles")
              BRZ_IF_CONTAINS("resource_profiles") BRZ_IF_CONTAINS("dictionary")
                  BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER("otlp", .summary = "profiles of OpenTelemetry, in Protocol Buffers or JSON",
                  .help = "Each type of values is a weight of its own: see -w. Attributes of "
                          "resources, profiles and samples are labels.",
                  BRZ_OPTIONS(option_table, options))
