/* SPDX-License-Identifier: MIT */
/* Generates a JSON Schema (draft 7, which editors support best) of configurations. */
#include "config/schema.h"

#include <string.h>

#include "base/json.h"
#include "plugin/options.h"
#include "profile/transform.h"
#include "request/run_option.h"

/* Keys that the host ignores. */
#define EXTRA_KEYS "\"patternProperties\":{\"^x-\":{}},"

static void add_text(brz_buf *b, const char *text)
{
    brz_json_string(b, brz_str_of_text(text));
}

/* ---- options ------------------------------------------------------------------------------- */

static void add_choices(brz_buf *b, const brz_option *o)
{
    brz_buf_add_text(b, "\"enum\":[");
    for (size_t i = 0; o->choices[i] != NULL; i++) {
        brz_buf_add_text(b, i > 0 ? "," : "");
        add_text(b, o->choices[i]);
    }
    brz_buf_add_text(b, "]");
}

/* Appends "minimum" and "maximum" of a range "low..high". */
static void add_range(brz_buf *b, const brz_option *o)
{
    const char *dots = o->range == NULL ? NULL : strstr(o->range, "..");
    if (dots == NULL || (o->type != BRZ_OPTION_INT && o->type != BRZ_OPTION_REAL))
        return;
    if (dots > o->range)
        brz_buf_printf(b, ",\"minimum\":%.*s", (int)(dots - o->range), o->range);
    if (dots[2] != '\0')
        brz_buf_printf(b, ",\"maximum\":%s", dots + 2);
}

static void add_type(brz_buf *b, const brz_option *o)
{
    switch (o->type) {
    case BRZ_OPTION_BOOL:
        brz_buf_add_text(b, "\"type\":\"boolean\"");
        break;
    case BRZ_OPTION_INT:
        brz_buf_add_text(b, "\"type\":\"integer\"");
        break;
    case BRZ_OPTION_REAL:
        brz_buf_add_text(b, o->flags & BRZ_OPTION_PERCENT_OR_PIXELS
                                ? "\"type\":[\"number\",\"string\"],"
                                  "\"pattern\":\"^[0-9]*[.]?[0-9]+(%|px)?$\""
                                : "\"type\":\"number\"");
        break;
    case BRZ_OPTION_ENUM:
        add_choices(b, o);
        break;
    case BRZ_OPTION_SIZE:
    case BRZ_OPTION_DURATION:
        brz_buf_add_text(b, "\"type\":[\"string\",\"number\"]");
        break;
    case BRZ_OPTION_LIST:
        brz_buf_add_text(b, "\"type\":[\"array\",\"string\"],\"items\":{\"type\":");
        brz_buf_add_text(b,
                         o->flags & BRZ_OPTION_MAPS ? "[\"string\",\"object\"]}" : "\"string\"}");
        break;
    default: /* numbers and words in YAML are accepted as text */
        brz_buf_add_text(b, "\"type\":[\"string\",\"number\",\"boolean\"]");
    }
}

/* Appends the default if JSON and YAML write it alike. */
static void add_default(brz_buf *b, const brz_option *o)
{
    if (o->dflt == NULL || o->type == BRZ_OPTION_LIST)
        return;
    brz_buf_add_text(b, ",\"default\":");
    if (o->type == BRZ_OPTION_BOOL || o->type == BRZ_OPTION_INT || o->type == BRZ_OPTION_REAL)
        brz_buf_add_text(b, o->dflt);
    else
        add_text(b, o->dflt);
}

/* Appends an option under a name, which may be a part of its own. */
static void add_option(brz_buf *b, const brz_option *o, const char *name, bool first)
{
    brz_buf_add_text(b, first ? "\n" : ",\n");
    add_text(b, name);
    brz_buf_add_text(b, ":{");
    add_type(b, o);
    add_range(b, o);
    add_default(b, o);
    brz_buf_add_text(b, ",\"description\":");
    add_text(b, o->help);
    brz_buf_add_text(b, "}");
}

/* Returns the length of the first word of an option's name, or 0 if there is no other one. */
static size_t first_word(const brz_option *o)
{
    const char *dash = strchr(o->name, '-');
    return dash == NULL || (o->flags & BRZ_OPTION_HIDDEN) != 0 ? 0 : (size_t)(dash - o->name);
}

/* Returns whether two options begin with the same word, which stands for a group of options. */
static bool share_group(const brz_option *a, const brz_option *b)
{
    size_t n = first_word(a);
    return n > 0 && n == first_word(b) && memcmp(a->name, b->name, n) == 0;
}

/* Returns whether an option is the first one of a group of at least two. */
static bool begins_group(const brz_component *c, uint32_t option)
{
    const brz_option *o = brz_option_at(c, option);
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n_options; i++) {
        bool shares = share_group(o, brz_option_at(c, i));
        if (shares && i < option)
            return false;
        n += shares;
    }
    brz_str word = brz_str_of(o->name, first_word(o));
    return n > 1 && brz_option_find(c, word, NULL) == NULL;
}

/* Appends a group of options as a map: `stack: {split: …, order: …}`. */
static void add_group(brz_buf *b, const brz_component *c, const brz_option *of)
{
    size_t n = first_word(of);
    bool first = true;
    brz_buf_printf(b,
                   ",\n\"%.*s\":{\"type\":\"object\",\"additionalProperties\":false," EXTRA_KEYS
                   "\"properties\":{",
                   (int)n, of->name);
    for (uint32_t i = 0; i < c->n_options; i++) {
        const brz_option *o = brz_option_at(c, i);
        if (!share_group(of, o))
            continue;
        add_option(b, o, o->name + n + 1, first);
        first = false;
    }
    brz_buf_add_text(b, "}}");
}

/* Appends the options of `n` components, of which some may be NULL. Of options with the same name,
 * the first one counts. With `groups`, appends groups of options, too. */
static void write_options(const brz_component *const *components, size_t n, bool groups, brz_buf *b)
{
    bool first = true;
    brz_buf_add_text(b, "{\"type\":[\"object\",\"null\"],\"additionalProperties\":false," EXTRA_KEYS
                        "\"properties\":{");
    for (size_t k = 0; k < n; k++)
        for (uint32_t i = 0; components[k] != NULL && i < components[k]->n_options; i++) {
            const brz_option *o = brz_option_at(components[k], i);
            brz_str name = brz_str_of_text(o->name);
            bool named = (o->flags & BRZ_OPTION_HIDDEN) != 0;
            for (size_t j = 0; j < k; j++)
                named |=
                    components[j] != NULL && brz_option_find(components[j], name, NULL) != NULL;
            if (named)
                continue;
            add_option(b, o, o->name, first);
            first = false;
            if (groups && begins_group(components[k], i))
                add_group(b, components[k], o);
        }
    brz_buf_add_text(b, "}}");
}

void brz_schema_write_options(const brz_component *c, brz_buf *b)
{
    write_options(&c, 1, false, b);
}

/* ---- components ---------------------------------------------------------------------------- */

/* Calls `add` for each component of a kind that is not shadowed. */
typedef void component_fn(brz_buf *b, const brz_registry *r, const brz_component *c, bool first);

static void each_component(const brz_registry *r, uint32_t kind, component_fn *add, brz_buf *b)
{
    const brz_loaded *l;
    brz_tier tier;
    bool shadowed, first = true;
    for (size_t i = 0; (l = brz_registry_at(r, i, &tier, &shadowed)) != NULL; i++) {
        if (shadowed || (kind != 0 && l->component->kind != kind))
            continue;
        add(b, r, l->component, first);
        first = false;
    }
}

static void add_id(brz_buf *b, const brz_registry *r, const brz_component *c, bool first)
{
    (void)r;
    brz_buf_add_text(b, first ? "" : ",");
    add_text(b, c->id);
}

/* Appends a condition: if `use` is this component, `options` are its options. */
static void add_condition(brz_buf *b, const brz_registry *r, const brz_component *c, bool first)
{
    (void)r;
    brz_buf_add_text(b, first ? "\n" : ",\n");
    brz_buf_add_text(b, "{\"if\":{\"required\":[\"use\"],\"properties\":{\"use\":{\"const\":");
    add_text(b, c->id);
    brz_buf_add_text(b, "}}},\"then\":{\"properties\":{\"options\":");
    write_options(&c, 1, true, b);
    brz_buf_add_text(b, "}}}");
}

/* Appends the schema of `{use: NAME, options: {...}, ...}`. */
static void add_use_map(const brz_registry *r, uint32_t kind, const char *more, brz_buf *b)
{
    brz_buf_printf(
        b,
        "{\"type\":\"object\",\"additionalProperties\":false," EXTRA_KEYS "\"required\":[\"use\"],"
        "\"properties\":{\"use\":{\"type\":\"string\"},\"options\":{\"type\":[\"object\",\"null\"]}"
        "%s},\"allOf\":[",
        more);
    size_t empty = b->len;
    each_component(r, kind, add_condition, b);
    brz_buf_add_text(b, b->len > empty ? "]}" : "true]}"); /* the list must not be empty */
}

/* Appends the schema of `NAME` or `{use: NAME, options: {...}, ...}`. */
static void add_use(const brz_registry *r, uint32_t kind, const char *name, const char *extra_ids,
                    const char *more, brz_buf *b)
{
    brz_buf_printf(b, "\"%s\":{\"anyOf\":[{\"type\":\"string\",\"examples\":[%s", name, extra_ids);
    each_component(r, kind, add_id, b);
    brz_buf_add_text(b, "]},");
    add_use_map(r, kind, more, b);
    brz_buf_add_text(b, "]}");
}

/* Appends the schema of a format. */
static void add_format(const brz_registry *r, brz_buf *b)
{
    brz_buf_add_text(b, "\"format\":");
    add_use_map(r, BRZ_COLLAPSER,
                ",\"summary\":{\"type\":\"string\",\"description\":\"one line for lists\"},"
                "\"help\":{\"type\":\"string\",\"description\":\"for brazier collapse FORMAT "
                "--help: how to record\"},"
                "\"files\":{\"$ref\":\"#/definitions/texts\",\"description\":\"patterns of names "
                "of files, which help a guess\"},"
                "\"contains\":{\"$ref\":\"#/definitions/texts\",\"description\":\"texts of which "
                "each file of the format has one near its beginning, and others have none\"},"
                "\"examples\":{\"type\":\"array\",\"description\":\"checked by brazier config "
                "check\",\"items\":{\"type\":\"object\",\"additionalProperties\":false,"
                "\"required\":[\"text\",\"folded\"],\"properties\":{"
                "\"text\":{\"type\":\"string\",\"description\":\"an input\"},"
                "\"folded\":{\"type\":\"string\",\"description\":\"its stacks, as brazier "
                "collapse prints them\"}}}}",
                b);
}

/* Returns the component of a kind with this id, or NULL. */
static const brz_component *find_component(const brz_registry *r, uint32_t kind, const char *id)
{
    const brz_loaded *l;
    brz_tier tier;
    bool shadowed;
    for (size_t i = 0; (l = brz_registry_at(r, i, &tier, &shadowed)) != NULL; i++)
        if (!shadowed && l->component->kind == kind && strcmp(l->component->id, id) == 0)
            return l->component;
    return NULL;
}

/* Appends the options of components by id. Components of different kinds with the same id share an
 * entry, which has the options of all of them. */
static void add_common_options(brz_buf *b, const brz_registry *r, const brz_component *c,
                               bool first)
{
    const brz_component *namesakes[BRZ_TRANSFORM];
    bool earlier = false;
    for (uint32_t kind = BRZ_COLLAPSER; kind <= BRZ_TRANSFORM; kind++) {
        namesakes[kind - 1] = find_component(r, kind, c->id);
        earlier |= namesakes[kind - 1] != NULL && kind < c->kind;
    }
    if (earlier)
        return;
    brz_buf_add_text(b, first ? "\n" : ",\n");
    add_text(b, c->id);
    brz_buf_add_text(b, ":");
    write_options(namesakes, BRZ_TRANSFORM, true, b);
}

/* ---- transforms ---------------------------------------------------------------------------- */

static const char *args_schema(brz_transform_args args)
{
    switch (args) {
    case BRZ_TRANSFORM_NONE:
        return "{\"type\":[\"boolean\",\"null\"]}";
    case BRZ_TRANSFORM_PATTERN:
        return "{\"type\":\"string\"}";
    case BRZ_TRANSFORM_MODE:
        return "{\"enum\":[\"auto\",\"full\",\"none\"]}";
    case BRZ_TRANSFORM_NAMES:
        return "{\"type\":[\"string\",\"array\"],\"items\":{\"type\":\"string\"}}";
    default:
        return "{\"type\":\"object\",\"additionalProperties\":false,"
               "\"required\":[\"match\",\"with\"],\"properties\":{"
               "\"match\":{\"type\":\"string\"},\"with\":{\"type\":\"string\"}}}";
    }
}

static void add_transforms(const brz_registry *r, brz_buf *b)
{
    const brz_transform_kind *k;
    brz_buf_add_text(b, "\"transform\":{\"anyOf\":[{\"enum\":[");
    bool first = true;
    for (size_t i = 0; (k = brz_transform_kind_at(i)) != NULL; i++) {
        if (k->args != BRZ_TRANSFORM_NONE)
            continue;
        brz_buf_add_text(b, first ? "" : ",");
        add_text(b, k->name);
        first = false;
    }
    brz_buf_add_text(b, "]},{\"type\":\"object\",\"additionalProperties\":false,"
                        "\"minProperties\":1,\"maxProperties\":1,\"properties\":{");
    for (size_t i = 0; (k = brz_transform_kind_at(i)) != NULL; i++) {
        brz_buf_add_text(b, i > 0 ? ",\n" : "\n");
        add_text(b, k->name);
        brz_buf_add_text(b, ":{\"allOf\":[");
        brz_buf_add_text(b, args_schema(k->args));
        brz_buf_add_text(b, "],\"description\":");
        add_text(b, k->help);
        brz_buf_add_text(b, "}");
    }
    brz_buf_add_text(b, "}},\n");
    add_use_map(r, BRZ_TRANSFORM, "", b);
    brz_buf_add_text(b, "]}");
}

/* ---- options of a run ---------------------------------------------------------------------- */

static const char *value_schema(const brz_run_option *o)
{
    switch (o->type) {
    case BRZ_RUN_FLAG:
    case BRZ_RUN_SWITCH:
        return "\"type\":\"boolean\"";
    case BRZ_RUN_COUNT:
        return "\"type\":\"integer\"";
    case BRZ_RUN_SIZE:
        return "\"type\":[\"string\",\"number\"]";
    default:
        return o->flags & BRZ_RUN_ADDS
                   ? "\"type\":[\"string\",\"array\"],\"items\":{\"type\":\"string\"}"
                   : "\"type\":\"string\"";
    }
}

/* Appends the keys of a pipeline that are options of a run. */
static void add_run_options(brz_buf *b)
{
    const brz_run_option *o;
    for (size_t i = 0; (o = brz_run_option_at(i)) != NULL; i++) {
        if (!(o->flags & BRZ_RUN_KEY))
            continue;
        add_text(b, o->name);
        brz_buf_printf(b, ":{%s", value_schema(o));
        for (size_t k = 0; o->type == BRZ_RUN_CHOICE && o->words[k] != NULL; k++) {
            brz_buf_add_text(b, k == 0 ? ",\"enum\":[" : ",");
            add_text(b, o->words[k]);
        }
        brz_buf_add_text(b, o->type == BRZ_RUN_CHOICE ? "],\"description\":" : ",\"description\":");
        add_text(b, brz_run_option_help(o));
        brz_buf_add_text(b, "},\n");
    }
}

/* ---- the whole schema
 * ------------------------------------------------------------------------- */

static void add_definitions(const brz_registry *r, brz_buf *b)
{
    brz_buf_add_text(b, "\"definitions\":{\n"
                        "\"texts\":{\"type\":[\"array\",\"string\"],"
                        "\"items\":{\"type\":\"string\"}},\n");
    add_use(r, BRZ_COLLAPSER, "collapse", "\"guess\",", "", b);
    brz_buf_add_text(b, ",\n");
    add_format(r, b);
    brz_buf_add_text(b, ",\n");
    add_use(r, BRZ_PALETTE, "palette", "",
            ",\"only\":{\"type\":\"string\",\"description\":\"a regular expression: it is asked "
            "for frames with such names\"},"
            "\"background\":{\"type\":[\"string\",\"array\"],\"items\":{\"type\":\"string\"},"
            "\"description\":\"instead of its own: #rrggbb, or [top, bottom]\"}",
            b);
    brz_buf_add_text(b, ",\n\"chain\":{\"anyOf\":[{\"$ref\":\"#/definitions/palette\"},"
                        "{\"type\":\"array\",\"items\":"
                        "{\"$ref\":\"#/definitions/palette\"}}]},\n");
    add_use(r, BRZ_OUTPUT, "output", "",
            ",\"to\":{\"type\":\"string\",\"description\":\"a file; - is standard output\"},"
            "\"palette\":{\"$ref\":\"#/definitions/chain\"}",
            b);
    brz_buf_add_text(b, ",\n");
    add_transforms(r, b);
    brz_buf_add_text(
        b, ",\n\"pipeline\":{\"type\":\"object\",\"additionalProperties\":false," EXTRA_KEYS
           "\"properties\":{\n"
           "\"inputs\":{\"$ref\":\"#/definitions/texts\"},\n"
           "\"collapse\":{\"$ref\":\"#/definitions/collapse\"},\n"
           "\"transform\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/definitions/transform\"}},\n"
           "\"palette\":{\"$ref\":\"#/definitions/chain\"},\n");
    add_run_options(b);
    brz_buf_add_text(
        b, "\"outputs\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"$ref\":\"#/definitions/"
           "output\"}}}}},\n");
}

void brz_schema_write(brz_registry *r, brz_buf *b)
{
    brz_buf common = {0};
    bool describes = brz_registry_describe(r, true);
    brz_registry_load_all(r, 0);
    brz_registry_describe(r, describes);
    each_component(r, 0, add_common_options, &common);
    brz_buf_add_text(b, "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\n"
                        "\"title\":\"brazier configuration\",\n");
    add_definitions(r, b);
    brz_buf_add_text(
        b, "\"type\":\"object\",\"additionalProperties\":false," EXTRA_KEYS "\"properties\":{\n"
           "\"version\":{\"const\":1},\n"
           "\"extends\":{\"type\":\"string\"},\n"
           "\"formats\":{\"type\":[\"object\",\"null\"]," EXTRA_KEYS "\"additionalProperties\":"
           "{\"$ref\":\"#/definitions/format\"}},\n"
           "\"palettes\":{\"type\":[\"object\",\"null\"]," EXTRA_KEYS "\"additionalProperties\":"
           "{\"$ref\":\"#/definitions/chain\"}},\n"
           "\"pipelines\":{\"type\":[\"object\",\"null\"]," EXTRA_KEYS "\"additionalProperties\":"
           "{\"$ref\":\"#/definitions/pipeline\"}},\n"
           "\"options\":{\"type\":[\"object\",\"null\"],\"properties\":{");
    brz_buf_add_str(b, brz_buf_str(&common));
    brz_buf_add_text(b, "}},\n"
                        "\"allow\":{\"$ref\":\"#/definitions/texts\"},\n"
                        "\"deny\":{\"$ref\":\"#/definitions/texts\"},\n"
                        "\"plugin_path\":{\"$ref\":\"#/definitions/texts\"},\n"
                        "\"plugins\":{\"$ref\":\"#/definitions/texts\"}}}\n");
    brz_buf_finish(&common);
}
