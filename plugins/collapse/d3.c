/* SPDX-License-Identifier: MIT */
/* Collapses call trees for d3-flame-graph:
 *
 *     node := {"name": "…", "value": n, "children": [node*], …}
 *           | {"n": "…", "v": n, "c": [node*], "l": "kernel"|""}
 *
 * The value of a node includes those of its children. Members may be in any order. brazier writes
 * "module", "file", "line" and "libtype", too.
 */
#include "../common/shipped.h"

#include <brazier/symbol.h>

#include "../common/json/d3_tree.h"

typedef struct options {
    int32_t values;
} options;

typedef struct d3 {
    d3_tree d; /* first, for call_tree_finish() */
} d3;

/* ---- the tree ------------------------------------------------------------------------------ */

static brz_rc open_instance(brz_ctx *ctx)
{
    d3 *p = ctx->inst;
    const options *o = ctx->cfg;
    d3_tree_init(&p->d, ctx, (call_values)o->values);
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    static const char *const codes[] = {"d3.json", "d3.cut-off"};
    d3 *p = ctx->inst;
    cursor c;
    *used = chunk->len;
    if (cursor_open(&c, ctx, chunk))
        call_tree_read(&p->d.tree, &c);
    cursor_report(&c, codes);
    return call_tree_count(&p->d.tree, ctx);
}

/* ---- format detection ---------------------------------------------------------------------- */

/* Counts of members at the beginning of a file. */
typedef struct signs {
    size_t names, values, levels;
    bool other; /* the outermost node has a member with another type than expected */
} signs;

/* Notes a member of a node, whose value has begun. Leaves a list of children open. */
static void note_member(signs *s, cursor *c, brz_str key)
{
    bool name = brz_json_text_is(key, BRZ_STR("name")) || brz_json_text_is(key, BRZ_STR("n"));
    bool value = brz_json_text_is(key, BRZ_STR("value")) || brz_json_text_is(key, BRZ_STR("v"));
    bool list = brz_json_text_is(key, BRZ_STR("children")) || brz_json_text_is(key, BRZ_STR("c"));
    s->names += name && c->token.kind == BRZ_JSON_STRING;
    s->values += value && c->token.kind == BRZ_JSON_NUMBER;
    s->levels += list && c->token.kind == BRZ_JSON_ARRAY;
    s->other |= (name && c->token.kind != BRZ_JSON_STRING) ||
                (value && c->token.kind != BRZ_JSON_NUMBER && c->token.kind != BRZ_JSON_NULL);
    if (!list || c->token.kind != BRZ_JSON_ARRAY)
        cursor_skip(c);
}

/* Reads the nodes of the beginning of a file. Only lists of children are entered. */
static signs read_signs(const brz_head *head)
{
    signs s = {0};
    cursor c;
    cursor_start(&c, NULL, brz_str_of((const char *)head->data, head->len));
    if (!cursor_next(&c) || c.token.kind != BRZ_JSON_OBJECT)
        return s;
    while (!s.other && cursor_next(&c) && c.token.kind != BRZ_JSON_END) {
        brz_str key = c.token.text;
        if (c.token.kind == BRZ_JSON_KEY && cursor_next(&c))
            note_member(&s, &c, key);
    }
    return s;
}

/* Depth of nested nodes from which on their names may follow beyond the beginning of the file. */
#define DEEP 30

static int32_t sniff(const brz_head *head)
{
    signs s = read_signs(head);
    if (s.other || s.levels == 0)
        return BRZ_SNIFF_NO;
    if (s.names > 0 && s.values > 0)
        return BRZ_SNIFF_HEADER;
    return s.levels >= DEEP && s.names == s.values ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const char *const values_choices[] = {"auto", "total", "self", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "values", ENUM, values, "auto",
               "what the value of a node includes: its children (total) or not (self); auto: its "
               "children, unless they add up to more",
               .choices = values_choices),
};

SHIPPED_READER(d3, .flags = BRZ_WHOLE_INPUT, .open = open_instance, .finish = call_tree_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("children") BRZ_IF_CONTAINS("\"c\"") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER(
    "d3", .summary = "call trees for d3-flame-graph in JSON, which brazier and perf also write",
    .help = "Nested objects with name, value and children, such as those of `brazier run -O json` "
            "and `perf script report flamegraph -f json`.",
    BRZ_OPTIONS(option_table, options))
