/* SPDX-License-Identifier: MIT */
/* Collapses pages with flame graphs: brazier's own, those of async-profiler, those that contain a
 * call tree in JSON for d3-flame-graph, and those that contain SVG. */
#include <brazier/symbol.h>

#include "canvas.h"
#include "drawing.h"
#include "list.h"
#include "own_page.h"
#include "../../common/json/d3_tree.h"
#include "../../common/json/members.h"
#include "../../common/shipped.h"

typedef struct html {
    drawing d;
    d3_tree tree;
    list list;          /* a tree view */
    brz_stacks *stacks; /* those that are counted */
    brz_str data;       /* the content of brazier's script element "profile" */
    brz_str canvas;     /* a script of async-profiler */
    brz_str json;       /* a call tree */
    const char *end;    /* of a script that the page ends with */
    size_t n_pages;     /* that begin in the input, one after another */
} html;

static brz_rc open_instance(brz_ctx *ctx)
{
    html *h = ctx->inst;
    drawing_init(&h->d, ctx);
    list_init(&h->list, ctx);
    h->stacks = &h->d.graph.stacks;
    return BRZ_OK;
}

/* ---- call trees in scripts ------------------------------------------------------------------- */

#define MOST_OBJECTS 64 /* that are parsed, in search of a call tree */

/* Returns whether an object of JSON that begins at a text is a call tree, and its text. A damaged
 * one is known by its first member. */
static bool is_tree(brz_ctx *ctx, brz_str text, brz_str *found)
{
    static const char *const keys[] = {"name", "n", "children", "c"};
    brz_json_token values[4] = {{0}};
    cursor c;
    cursor_start(&c, ctx, text);
    if (!cursor_next(&c) || !members_enter(&c, keys, 4, values))
        return false;
    bool is_damaged = c.failed || c.cut;
    bool has_name = values[0].kind == BRZ_JSON_STRING || values[1].kind == BRZ_JSON_STRING;
    if (is_damaged && !has_name)
        return false;
    *found = is_damaged ? text : brz_str_of(text.data, (size_t)(c.at - text.data));
    return has_name &&
           (is_damaged || values[2].kind == BRZ_JSON_ARRAY || values[3].kind == BRZ_JSON_ARRAY);
}

/* Returns whether an object with a quoted key begins at `at`. */
static bool begins_object(brz_str s, size_t at)
{
    brz_str rest = brz_trim_start(brz_str_of(s.data + at + 1, s.len - at - 1));
    return rest.len > 0 && rest.data[0] == '"';
}

/* Reports a call tree that is a part of another one, of which the beginning is damaged. */
static void check_outermost(brz_ctx *ctx, brz_str script, brz_str tree)
{
    brz_str before = brz_trim_end(brz_str_of(script.data, (size_t)(tree.data - script.data)));
    if (!brz_ends_with(before, BRZ_STR("[")))
        return;
    before.len--;
    if (brz_ends_with(brz_trim_end(before), BRZ_STR(":")))
        brz_report_lost(
            ctx, "page.outermost", tree.data, 1,
            BRZ_STR("a call tree that lacks its outermost node: what else that calls is "
                    "left out"));
}

/* Returns the first call tree in a script, or an empty text. */
static brz_str find_tree(brz_ctx *ctx, brz_str script)
{
    brz_str found = {0};
    size_t n = 0;
    if (!brz_str_has(script, BRZ_STR("\"children\"")) && !brz_str_has(script, BRZ_STR("\"c\"")))
        return found;
    for (size_t at = 0; (at = brz_str_find(script, BRZ_STR("{"), at)) != SIZE_MAX; at++) {
        if (!begins_object(script, at))
            continue;
        if (n++ == MOST_OBJECTS)
            break;
        found = brz_str_of(NULL, 0);
        if (is_tree(ctx, brz_str_of(script.data + at, script.len - at), &found)) {
            check_outermost(ctx, script, found);
            return found;
        }
        at += found.len > 0 ? found.len - 1 : 0;
    }
    return brz_str_of(NULL, 0);
}

static brz_rc count_tree(html *h, brz_ctx *ctx)
{
    static const char *const codes[] = {"page.json", "page.cut-off"};
    cursor c;
    d3_tree_init(&h->tree, ctx, CALL_VALUES_AUTO);
    h->stacks = &h->tree.tree.stacks;
    cursor_start(&c, ctx, h->json);
    if (cursor_next(&c))
        call_tree_read(&h->tree.tree, &c);
    cursor_report(&c, codes);
    return call_tree_count(&h->tree.tree, ctx);
}

/* ---- pages ----------------------------------------------------------------------------------- */

/* Reads the content of a script; the markup has come to its tag. */
static void read_script(html *h, brz_ctx *ctx, markup *m)
{
    static const char *const keys[] = {"id", "type"};
    brz_str values[2];
    markup_attributes(m, keys, 2, values);
    bool is_profile = brz_str_is(values[0], "profile") && brz_str_is(values[1], "application/json");
    if (m->is_empty || !markup_next(m))
        return;
    h->end = m->rest.len == 0 ? m->text.data + m->text.len : NULL;
    if (is_profile && h->data.len == 0)
        h->data = m->text;
    else if (h->canvas.len == 0 && canvas_is_it(m->text))
        h->canvas = m->text;
    else if (h->json.len == 0)
        h->json = find_tree(ctx, m->text);
}

static brz_rc refuse(html *h, brz_ctx *ctx)
{
    if (h->d.elements.facts.is_graphviz || h->d.is_own)
        return drawing_refuse(&h->d);
    brz_report(ctx, BRZ_FATAL, "page.none", NULL, 0,
               BRZ_STR("a page, but no flame graph in it that brazier can read: give brazier the "
                       "profile that it shows"));
    return BRZ_ERROR;
}

static void read_tag(html *h, brz_ctx *ctx, markup *m)
{
    if (markup_is(m, MARKUP_OPEN, "script")) {
        read_script(h, ctx, m);
        return;
    }
    if (markup_is(m, MARKUP_OPEN, "html") && ++h->n_pages == 2)
        brz_report_lost(ctx, "page.several", m->name.data, m->name.len,
                        BRZ_STR("another page begins in the same input: left out"));
    list_read(&h->list, m);
    drawing_read(&h->d, m);
}

/* Counts the first form of data that the page has. */
static brz_rc count(html *h, brz_ctx *ctx)
{
    if (h->data.len > 0)
        return own_page_read(h->stacks, ctx, h->data);
    if (h->canvas.len > 0)
        return canvas_read(&h->d.graph, ctx, h->canvas);
    if (h->json.len > 0)
        return count_tree(h, ctx);
    if (h->list.graph.n > 0) {
        h->stacks = &h->list.graph.stacks;
        return list_count(&h->list);
    }
    return drawing_is_any(&h->d) ? drawing_count(&h->d) : refuse(h, ctx);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    html *h = ctx->inst;
    markup m;
    *used = chunk->len;
    markup_start(&m, brz_str_of((const char *)chunk->data, chunk->len));
    while (markup_next(&m))
        read_tag(h, ctx, &m);
    if (h->end != NULL)
        BRZ_WARN(ctx, "page.cut-off", h->end, 0,
                 "the page is cut off: what it lacks counts for callers");
    return count(h, ctx);
}

static brz_rc finish(brz_ctx *ctx)
{
    html *h = ctx->inst;
    return brz_stacks_finish(h->stacks, ctx);
}

/* ---- format detection ------------------------------------------------------------------------ */

/* Returns whether the document is a page, by its first tag or its declaration. */
static bool is_page(brz_str s)
{
    brz_str root = markup_root(s);
    s = brz_trim_start(s);
    return brz_str_is(root, "html") || brz_str_is(root, "HTML") ||
           brz_starts_with(s, BRZ_STR("<!DOCTYPE html")) ||
           brz_starts_with(s, BRZ_STR("<!doctype html")) ||
           brz_starts_with(s, BRZ_STR("<!DOCTYPE HTML"));
}

static int32_t sniff(const brz_head *head)
{
    brz_str s = brz_str_of((const char *)head->data, head->len);
    return is_page(s) ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

static const char *const globs[] = {"*.html", "*.htm", NULL};

SHIPPED_READER(html, .flags = BRZ_WHOLE_INPUT, .globs = globs, .open = open_instance,
               .finish = finish)

BRZ_HINTS(BRZ_IF_NAME("*.html") BRZ_IF_NAME("*.htm") BRZ_IF_CONTAINS("<html")
              BRZ_IF_CONTAINS("<HTML") BRZ_IF_CONTAINS("<!DOCTYPE html")
                  BRZ_IF_CONTAINS("<!doctype html"))

SHIPPED_COLLAPSER("html", .summary = "flame graphs in HTML pages",
                  .help = "Pages of brazier and async-profiler, and those that contain the data of "
                          "a d3-flame-graph or an SVG flame graph.")
