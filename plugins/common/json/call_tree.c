/* SPDX-License-Identifier: MIT */
/* Reads call trees of nested objects. Members may be in any order: a node's value may
 * follow the nodes that it calls, so the nodes are kept until all are read. */
#include "call_tree.h"

#include <string.h>

void call_tree_init(call_tree *t, brz_ctx *ctx, const call_format *format, void *instance,
                    brz_str column_name, brz_str unit)
{
    t->format = format;
    t->instance = instance;
    t->column = (column){.name = column_name, .unit = unit, .most = column_most(unit)};
    column_declare(&t->column, ctx, 0);
    brz_stacks_init(&t->stacks, ctx, BRZ_NESTED);
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void begin_node(call_tree *t, brz_ctx *ctx)
{
    call_open open = {.index = (uint32_t)t->n_nodes};
    call_node n = {.caller = t->n_open > 0 ? t->open[t->n_open - 1].index : CALL_NO_NODE};
    if (n.caller != CALL_NO_NODE)
        t->nodes[n.caller].has_called = true;
    t->nodes = brz_list_room(ctx, t->nodes, t->n_nodes, &t->nodes_cap, sizeof n);
    t->nodes[t->n_nodes++] = n;
    t->open = brz_list_room(ctx, t->open, t->n_open, &t->open_cap, sizeof open);
    t->open[t->n_open++] = open;
}

/* Returns a place in a node: that of one of its members. */
static const char *place_of(const brz_json_token *members)
{
    for (size_t i = 0; i < CALL_MEMBERS; i++)
        if (members[i].kind != BRZ_JSON_MORE)
            return members[i].text.data;
    return NULL;
}

static void end_node(call_tree *t, brz_ctx *ctx)
{
    const call_open *open = &t->open[--t->n_open];
    call_node *n = &t->nodes[open->index];
    call_description d = {.frame = {.struct_size = sizeof d.frame}};
    t->format->describe(t->instance, ctx, open->members, n->caller == CALL_NO_NODE, &d);
    if (d.frame.name.len == 0)
        d.frame.name = BRZ_STR("[unknown]");
    n->role = d.role;
    n->frame = ctx->host->frame(ctx, &d.frame);
    n->has_value = column_read(&t->column, ctx, &d.value, &n->value) && n->value.value >= 0;
    bool lacks_array = t->format->complete && !n->has_array;
    if (lacks_array && place_of(open->members) != NULL)
        BRZ_WARN(ctx, "call-tree.children", place_of(open->members), 1,
                 "a node without a list of called functions: they are missing");
    if (d.value.kind == BRZ_JSON_MORE || (t->format->complete && d.value.kind == BRZ_JSON_NULL))
        n->at = place_of(open->members);
    if (!n->has_value && d.value.kind != BRZ_JSON_MORE && d.value.kind != BRZ_JSON_NULL)
        brz_report_lost(
            ctx, "call-tree.value", d.value.text.data, d.value.text.len,
            BRZ_STR("not a number from 0 on, or too large: replaced by the sum of the called "
                    "functions"));
}

static bool is_among(brz_str key, const char *const *keys, size_t *index)
{
    for (*index = 0; keys[*index] != NULL; (*index)++)
        if (brz_json_text_is(key, brz_str_of_text(keys[*index])))
            return true;
    return false;
}

/* Reads the value of a member of a node. Leaves the array of called nodes open. */
static void read_member(call_tree *t, cursor *c, brz_str key)
{
    size_t i;
    if (c->token.kind == BRZ_JSON_ARRAY && is_among(key, t->format->children, &i)) {
        t->nodes[t->open[t->n_open - 1].index].has_array = true;
        return;
    }
    if (is_among(key, t->format->keys, &i))
        t->open[t->n_open - 1].members[i] = c->token;
    cursor_skip(c);
}

static void read_token(call_tree *t, cursor *c)
{
    brz_str key = c->token.text;
    switch (c->token.kind) {
    case BRZ_JSON_OBJECT:
        begin_node(t, c->ctx);
        break;
    case BRZ_JSON_OBJECT_CLOSE:
        end_node(t, c->ctx);
        break;
    case BRZ_JSON_KEY:
        if (cursor_next(c))
            read_member(t, c, key);
        break;
    case BRZ_JSON_ARRAY_CLOSE:
        break;
    default:
        BRZ_WARN(c->ctx, "call-tree.node", key.data, key.len, "not a node: left out");
        cursor_skip(c);
    }
}

void call_tree_read(call_tree *t, cursor *c)
{
    size_t outside = c->parser.depth - 1;
    begin_node(t, c->ctx);
    while (c->parser.depth > outside && cursor_next(c))
        read_token(t, c);
    while (t->n_open > 0) { /* the text is cut off, so a value may have been there */
        uint32_t node = t->open[t->n_open - 1].index;
        end_node(t, c->ctx);
        t->nodes[node].at = NULL;
    }
}

/* ---- values -------------------------------------------------------------------------------- */

/* Converts all values to the precision of the most precise one. */
static brz_rc align_values(call_tree *t, brz_ctx *ctx)
{
    uint32_t most = t->column.decimals;
    for (size_t i = 0; i < t->n_nodes; i++)
        if (t->nodes[i].has_value && t->nodes[i].value.decimals > most)
            most = t->nodes[i].value.decimals;
    brz_rc rc = column_refine(&t->column, ctx, &t->stacks, most);
    for (size_t i = 0; i < t->n_nodes; i++)
        t->nodes[i].value =
            (amount){t->nodes[i].has_value ? amount_in(t->nodes[i].value, most) : 0, most};
    return rc;
}

/* Returns the caller of a node that is a function, or CALL_NO_NODE. */
static uint32_t calling_function(const call_tree *t, const call_node *n)
{
    uint32_t i = n->caller;
    return i != CALL_NO_NODE && t->nodes[i].role == CALL_CALLER ? t->nodes[i].caller : i;
}

/* Adds up the values of called nodes, and gives the sums to the nodes without a value. */
static void add_up(call_tree *t)
{
    for (size_t i = t->n_nodes; i-- > 0;) {
        call_node *n = &t->nodes[i];
        uint32_t caller = calling_function(t, n);
        if (!n->has_value)
            n->value.value = t->values == CALL_VALUES_SELF ? 0 : n->called;
        if (n->role != CALL_CALLER && caller != CALL_NO_NODE)
            brz_stacks_sum(&t->stacks, &t->nodes[caller].called, n->value.value);
    }
}

/* Returns whether called nodes add up to more than their caller, by more than rounding. */
static bool exceed_callers(const call_tree *t)
{
    for (size_t i = 0; i < t->n_nodes; i++) {
        const call_node *n = &t->nodes[i];
        if (n->has_value && n->called - n->called / 64 > n->value.value)
            return true;
    }
    return false;
}

/* Reports the nodes without a value where others have one: nodes that call none, and, if values
 * include those of called nodes, nodes that call some. The outermost node needs none. */
static void report_missing_values(call_tree *t, brz_ctx *ctx)
{
    bool have[2] = {false, false};
    for (size_t i = 0; i < t->n_nodes; i++)
        have[t->nodes[i].has_called] |= t->nodes[i].has_value && t->nodes[i].caller != CALL_NO_NODE;
    have[true] &= t->values != CALL_VALUES_SELF;
    for (size_t i = 0; i < t->n_nodes; i++) {
        const call_node *n = &t->nodes[i];
        bool is_odd = t->format->complete || (n->caller != CALL_NO_NODE && have[n->has_called]);
        if (n->at != NULL && is_odd)
            brz_report_lost(ctx, "call-tree.value", n->at, 1,
                            BRZ_STR("a node without a value, which others have: replaced by the "
                                    "sum of the called functions"));
    }
}

/* Reports nodes with more than their callers, if values include those of called nodes. */
static void report_excess(const call_tree *t, brz_ctx *ctx)
{
    uint64_t n_more = 0;
    for (size_t i = 0; i < t->n_nodes; i++) {
        const call_node *n = &t->nodes[i];
        uint32_t caller = n->role == CALL_FUNCTION ? calling_function(t, n) : CALL_NO_NODE;
        n_more += caller != CALL_NO_NODE && n->has_value && t->nodes[caller].has_value &&
                  n->value.value - n->value.value / 64 > t->nodes[caller].value.value;
    }
    brz_report_count(ctx, BRZ_WARNING, "call-tree.excess", n_more, 0,
                     BRZ_STR("functions with more than their callers, whose total includes them: "
                             "{count}"));
}

/* Returns the amount of a node itself. */
static int64_t own_amount(const call_tree *t, const call_node *n)
{
    if (t->values == CALL_VALUES_SELF)
        return n->value.value;
    return n->value.value > n->called ? n->value.value - n->called : 0;
}

/* ---- stacks -------------------------------------------------------------------------------- */

static void set_depth(call_tree *t, call_node *n)
{
    uint32_t caller = calling_function(t, n);
    n->depth = 0;
    if (caller != CALL_NO_NODE)
        n->depth = t->nodes[caller].depth + (t->nodes[caller].role == CALL_FUNCTION);
}

brz_rc call_tree_count(call_tree *t, brz_ctx *ctx)
{
    brz_rc rc = align_values(t, ctx);
    add_up(t);
    if (t->values == CALL_VALUES_AUTO && exceed_callers(t))
        t->values = CALL_VALUES_SELF;
    report_missing_values(t, ctx);
    if (t->values == CALL_VALUES_TOTAL)
        report_excess(t, ctx);
    for (size_t i = 0; i < t->n_nodes && rc == BRZ_OK; i++) {
        call_node *n = &t->nodes[i];
        if (n->role == CALL_CALLER)
            continue;
        set_depth(t, n);
        brz_path_cut(t->stacks.path, n->depth);
        brz_path_push(t->stacks.path, ctx, n->frame);
        int64_t own = own_amount(t, n);
        if (own > 0)
            rc = brz_stacks_count(&t->stacks, ctx, t->column.weight, own);
    }
    return rc;
}

brz_rc call_tree_finish(brz_ctx *ctx)
{
    call_tree *t = ctx->inst;
    return brz_stacks_finish(&t->stacks, ctx);
}
