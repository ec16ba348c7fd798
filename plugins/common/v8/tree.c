/* SPDX-License-Identifier: MIT */
/* Reads call trees of V8's profilers:
 *
 *     nodes := [node*] or node
 *     node  := {"id": n, "callFrame": frame, OWN: n, "children": [id* or node*], "parent": id}
 *     frame := {"functionName": "…", "url": "…", "lineNumber": n, "columnNumber": n, …}
 *
 * OWN is "hitCount" or "selfSize". Old files have the members of the frame in the node. Lines and
 * columns count from 0. brazier adds "module" and "kind" to frames.
 */
#include "tree.h"

#include <brazier/text/integer.h>

#include "../json/frame_kind.h"
#include "../json/members.h"
#include "../json/text.h"

/* ---- frames ---------------------------------------------------------------------------------- */

/* Stores a member of a call frame. Ignores unknown ones. */
static void read_frame_member(call_frame *f, brz_str key, const brz_json_token *value)
{
    if (brz_json_text_is(key, BRZ_STR("functionName")))
        f->name = *value;
    else if (brz_json_text_is(key, BRZ_STR("url")))
        f->url = *value;
    else if (brz_json_text_is(key, BRZ_STR("lineNumber")))
        f->line = *value;
    else if (brz_json_text_is(key, BRZ_STR("columnNumber")))
        f->column = *value;
    else if (brz_json_text_is(key, BRZ_STR("module")))
        f->module = *value;
    else if (brz_json_text_is(key, BRZ_STR("kind")))
        f->kind = *value;
}

/* Converts a number that counts from 0. Returns 0 for other values, such as -1. */
static uint32_t from_one(const brz_json_token *t)
{
    uint64_t n;
    bool good = t->kind == BRZ_JSON_NUMBER && brz_parse_u64(t->text, &n) && n < UINT32_MAX;
    return good ? (uint32_t)n + 1 : 0;
}

brz_frame frame_of(frame_texts *t, brz_ctx *ctx, const call_frame *f)
{
    brz_frame_desc d = {.struct_size = sizeof d};
    d.name = json_text_into(&t->name, ctx, &f->name);
    if (d.name.len == 0)
        d.name = BRZ_STR("(anonymous)");
    d.file = json_text_into(&t->url, ctx, &f->url);
    d.module = json_text_into(&t->module, ctx, &f->module);
    d.line = from_one(&f->line);
    d.column = from_one(&f->column);
    if (d.line == 0 && d.module.len == 0) { /* native code: a library, or nothing */
        d.module = d.file;
        d.file.len = 0;
    }
    json_set_kind(&d, &f->kind);
    return ctx->host->frame(ctx, &d);
}

/* ---- trees ----------------------------------------------------------------------------------- */

void tree_init(tree *t, brz_ctx *ctx, const char *own_key)
{
    t->own_key = own_key;
    brz_stacks_init(&t->stacks, ctx, BRZ_NESTED);
    ids_init(&t->ids, ctx);
}

/* ---- ids ----------------------------------------------------------------------------------- */

uint32_t tree_find(const tree *t, const brz_json_token *id)
{
    return id->kind == BRZ_JSON_NUMBER ? ids_find(&t->ids, t->context, id->text) : NO_NODE;
}

static void add_id(tree *t, brz_ctx *ctx, const members *m)
{
    if (m->id.kind == BRZ_JSON_NUMBER && !ids_add(&t->ids, ctx, t->context, m->id.text, m->index))
        BRZ_WARN(ctx, "v8.id", m->id.text.data, m->id.text.len,
                 "two nodes have this id: it stands for the first one");
}

/* ---- nodes --------------------------------------------------------------------------------- */

/* Begins a node, which the input has at `at`. */
static void begin_node(tree *t, brz_ctx *ctx, brz_str at)
{
    members m = {.index = (uint32_t)t->n_nodes, .at = at};
    node n = {.parent = t->n_open > 0 ? t->open[t->n_open - 1].index : NO_NODE,
              .context = t->context};
    t->nodes = brz_list_room(ctx, t->nodes, t->n_nodes, &t->nodes_cap, sizeof n);
    t->nodes[t->n_nodes++] = n;
    t->open = brz_list_room(ctx, t->open, t->n_open, &t->open_cap, sizeof m);
    t->open[t->n_open++] = m;
}

static void end_node(tree *t, brz_ctx *ctx)
{
    const members *m = &t->open[--t->n_open];
    node *n = &t->nodes[m->index];
    n->frame = frame_of(&t->texts, ctx, &m->frame);
    n->is_top = n->parent == NO_NODE && m->frame.name.kind == BRZ_JSON_STRING &&
                brz_json_text_is(m->frame.name.text, BRZ_STR("(root)"));
    n->own = m->own;
    if (t->n_open > 0 && m->own.kind == BRZ_JSON_MORE && m->id.kind == BRZ_JSON_MORE &&
        m->frame.name.kind == BRZ_JSON_MORE)
        BRZ_WARN(ctx, "v8.node", m->at.data, m->at.len,
                 "not a node, without a name and an id: left out");
    add_id(t, ctx, m);
}

static void relate(tree *t, brz_ctx *ctx, const brz_json_token *id, bool to_parent)
{
    relation r = {id->text, t->context, t->open[t->n_open - 1].index, to_parent};
    t->nodes[r.index].names_caller |= to_parent;
    t->relations = brz_list_room(ctx, t->relations, t->n_relations, &t->relations_cap, sizeof r);
    t->relations[t->n_relations++] = r;
}

void tree_add(tree *t, brz_ctx *ctx, brz_str id, brz_frame frame, brz_str parent)
{
    brz_json_token caller = {BRZ_JSON_NUMBER, parent};
    begin_node(t, ctx, id);
    members *m = &t->open[t->n_open - 1];
    m->id = (brz_json_token){BRZ_JSON_NUMBER, id};
    if (parent.len > 0)
        relate(t, ctx, &caller, true);
    add_id(t, ctx, m);
    t->nodes[m->index].frame = frame;
    t->n_open--;
}

/* Leaves the array of the children of a node open. Reports another value. */
static void read_children(cursor *c)
{
    if (c->token.kind == BRZ_JSON_ARRAY)
        return;
    if (c->token.kind != BRZ_JSON_NULL)
        BRZ_WARN(c->ctx, "v8.children", c->token.text.data, c->token.text.len,
                 "not a list of nodes: left out");
    cursor_skip(c);
}

/* Reads the id of a node's caller; a root may have null. */
static void read_parent(tree *t, cursor *c)
{
    t->nodes[t->open[t->n_open - 1].index].names_caller = true;
    if (c->token.kind == BRZ_JSON_NUMBER)
        relate(t, c->ctx, &c->token, true);
    else if (c->token.kind != BRZ_JSON_NULL)
        BRZ_WARN(c->ctx, "v8.parent", c->token.text.data, c->token.text.len,
                 "the caller of a node is not a number: the node has none");
}

/* Reads the value of a member of a node. Leaves the array of children open. */
static void read_member(tree *t, cursor *c, brz_str key)
{
    members *m = &t->open[t->n_open - 1];
    brz_str inner;
    if (brz_json_text_is(key, BRZ_STR("children"))) {
        read_children(c);
        return;
    }
    if (brz_json_text_is(key, BRZ_STR("callFrame")) && c->token.kind == BRZ_JSON_OBJECT) {
        while (cursor_member(c, &inner)) {
            read_frame_member(&m->frame, inner, &c->token);
            cursor_skip(c);
        }
        return;
    }
    if (brz_json_text_is(key, BRZ_STR("id")))
        m->id = c->token;
    else if (brz_json_text_is(key, brz_str_of_text(t->own_key)))
        m->own = c->token;
    else if (brz_json_text_is(key, BRZ_STR("parent")))
        read_parent(t, c);
    else
        read_frame_member(&m->frame, key, &c->token);
    cursor_skip(c);
}

/* Reads an element of a list of nodes or of children, other than a node. */
static void read_element(tree *t, cursor *c)
{
    if (c->token.kind == BRZ_JSON_NUMBER && t->n_open > 0)
        relate(t, c->ctx, &c->token, false);
    else
        BRZ_WARN(c->ctx, "v8.node", c->token.text.data, c->token.text.len, "not a node: left out");
    cursor_skip(c);
}

static void read_token(tree *t, cursor *c)
{
    switch (c->token.kind) {
    case BRZ_JSON_OBJECT:
        begin_node(t, c->ctx, c->token.text);
        break;
    case BRZ_JSON_OBJECT_CLOSE:
        end_node(t, c->ctx);
        break;
    case BRZ_JSON_KEY: {
        brz_str key = c->token.text;
        if (cursor_next(c))
            read_member(t, c, key);
        break;
    }
    case BRZ_JSON_ARRAY_CLOSE:
        break;
    default:
        read_element(t, c);
    }
}

void tree_read(tree *t, cursor *c)
{
    size_t outside = c->parser.depth - 1;
    if (c->token.kind == BRZ_JSON_OBJECT)
        begin_node(t, c->ctx, c->token.text);
    while (c->parser.depth > outside && cursor_next(c))
        read_token(t, c);
    while (t->n_open > 0) /* the text is cut off */
        end_node(t, c->ctx);
}

/* ---- relations ----------------------------------------------------------------------------- */

/* Removes the caller of a node that calls itself through others. */
static void cut_circle(tree *t, brz_ctx *ctx, uint32_t start)
{
    uint32_t i = start, last = NO_NODE;
    while (i != NO_NODE && t->nodes[i].visited == 0) {
        t->nodes[i].visited = 1;
        last = i;
        i = t->nodes[i].parent;
    }
    if (i != NO_NODE && t->nodes[i].visited == 1) {
        t->nodes[last].parent = NO_NODE;
        BRZ_WARN(ctx, "v8.circle", NULL, 0, "nodes call each other in a circle: it is cut");
    }
    for (i = start; i != NO_NODE && t->nodes[i].visited == 1; i = t->nodes[i].parent)
        t->nodes[i].visited = 2;
}

static void connect(tree *t, brz_ctx *ctx, const relation *r)
{
    uint32_t other = ids_find(&t->ids, r->context, r->id);
    uint32_t child = r->to_parent ? r->index : other, parent = r->to_parent ? other : r->index;
    if (other == NO_NODE)
        BRZ_WARN(ctx, "v8.unknown-id", r->id.data, r->id.len, "no node has this id: left out");
    else if (t->nodes[child].parent == NO_NODE)
        t->nodes[child].parent = parent;
    else if (t->nodes[child].parent != parent)
        BRZ_WARN(ctx, "v8.parents", r->id.data, r->id.len,
                 "a node with two callers: the first one counts");
}

/* Reports nodes that no other node calls, in profiles that have a root. */
static void report_callers(const tree *t, brz_ctx *ctx)
{
    uint32_t last = 0;
    uint64_t lonely = 0;
    for (size_t i = 0; i < t->n_nodes; i++)
        last = t->nodes[i].context > last ? t->nodes[i].context : last;
    bool *has_top = ctx->host->alloc(ctx, (size_t)last + 1, 0);
    for (size_t i = 0; i < t->n_nodes; i++)
        has_top[t->nodes[i].context] |= t->nodes[i].is_top;
    for (size_t i = 0; i < t->n_nodes; i++) {
        const node *n = &t->nodes[i];
        lonely += n->parent == NO_NODE && !n->is_top && !n->names_caller && has_top[n->context];
    }
    brz_report_count(ctx, BRZ_WARNING, "v8.no-caller", lonely, 0,
                     BRZ_STR("nodes without a caller, besides the root: {count}"));
}

void tree_connect(tree *t, brz_ctx *ctx)
{
    for (size_t i = 0; i < t->n_relations; i++)
        connect(t, ctx, &t->relations[i]);
    report_callers(t, ctx);
    for (size_t i = 0; i < t->n_nodes; i++)
        cut_circle(t, ctx, (uint32_t)i);
}

int64_t tree_own(const tree *t, brz_ctx *ctx, uint32_t index)
{
    const brz_json_token *own = &t->nodes[index].own;
    int64_t value = 0;
    bool good = members_integer(ctx, own, &value) && value >= 0;
    if (!good && own->kind != BRZ_JSON_MORE)
        brz_report_lost(ctx, "v8.number", own->text.data, own->text.len,
                        BRZ_STR("not a whole number: taken for 0"));
    return good ? value : 0;
}

/* ---- stacks -------------------------------------------------------------------------------- */

static bool is_placed(const tree *t, uint32_t index)
{
    size_t place = t->nodes[index].place;
    return place > 0 && place <= t->stacks.path->n && t->placed[place - 1] == index;
}

static void put_on_path(tree *t, brz_ctx *ctx, uint32_t index)
{
    brz_path *path = t->stacks.path;
    t->placed = brz_list_room(ctx, t->placed, path->n, &t->placed_cap, sizeof *t->placed);
    t->placed[path->n] = t->nodes[index].is_top ? NO_NODE : index;
    brz_path_push(path, ctx, t->nodes[index].frame);
    t->nodes[index].place = path->n;
}

/* Makes the path that of a node. The frame "(root)" is part only of its own stack. */
static void set_path(tree *t, brz_ctx *ctx, uint32_t index)
{
    size_t n = 0;
    uint32_t i = index;
    for (; i != NO_NODE && !is_placed(t, i); i = t->nodes[i].parent) {
        t->pending = brz_list_room(ctx, t->pending, n, &t->pending_cap, sizeof *t->pending);
        if (i == index || !t->nodes[i].is_top || t->nodes[i].parent != NO_NODE)
            t->pending[n++] = i;
    }
    brz_path_cut(t->stacks.path, i == NO_NODE ? 0 : t->nodes[i].place);
    while (n > 0)
        put_on_path(t, ctx, t->pending[--n]);
}

brz_rc tree_count(tree *t, brz_ctx *ctx, uint32_t index, uint32_t weight, int64_t value)
{
    node *n = &t->nodes[index];
    if (n->entry == 0) {
        set_path(t, ctx, index);
        n->entry = (size_t)(brz_stacks_entry_of(&t->stacks, ctx, 0) - t->stacks.entries) + 1;
    }
    brz_stacks_entry stack = t->stacks.entries[n->entry - 1];
    stack.column = weight;
    return brz_stacks_send(&t->stacks, ctx, &stack, value);
}
