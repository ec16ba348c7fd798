/* SPDX-License-Identifier: MIT */
/* Collapses flame graphs of Pyroscope, which its interface exports as JSON:
 *
 *     input := {"flamebearer": {"names": [name*], "levels": [[number*]*], "numTicks": n, …},
 *               "metadata": {"format": "single" | "double", "units": "samples", …}, …}
 *     node  := offset total self name | offset total self offset total self name
 *
 * A level has the nodes of one depth from left to right; an offset is the distance from the end of
 * the node before. The second form compares two profiles, of which the left one is the older. The
 * node of the first level stands for the whole. Members may be in any order.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include "../common/json/members.h"
#include "../common/json/text.h"
#include "../common/sample_count.h"
#include "../common/shipped.h"

#define SIDES   2
#define NUMBERS 7 /* of a node at most */

typedef struct node {
    int64_t begin, end;
    int64_t self[SIDES], rest[SIDES]; /* `rest`: the total without self and callees */
    bool lacks_self[SIDES];           /* `rest` becomes the own amount */
    brz_frame frame;
    size_t first, n_callees; /* indices of nodes, which follow each other */
    const char *at;
} node;

typedef struct flamebearer {
    brz_stacks stacks; /* root first */
    brz_frame_list names;
    node *nodes; /* level by level */
    size_t n, cap;
    size_t above, level; /* indices of the first nodes of the level above, and of this one */
    size_t n_levels, n_roots;
    size_t n_sides; /* 1, or 2 for a comparison */
    brz_frame unknown;
    uint32_t columns[SIDES];
    int64_t counted[SIDES];
    size_t *open; /* nodes whose callees are being counted */
    size_t open_cap;
} flamebearer;

/* ---- nodes ----------------------------------------------------------------------------------- */

static brz_rc open_instance(brz_ctx *ctx)
{
    flamebearer *f = ctx->inst;
    brz_stacks_init(&f->stacks, ctx, BRZ_NESTED);
    f->unknown = ctx->host->intern(ctx, "[unknown]", 9);
    return BRZ_OK;
}

static void read_names(flamebearer *f, brz_ctx *ctx, const brz_json_token *names)
{
    brz_text name = {0};
    cursor c;
    if (!members_open(&c, ctx, names, BRZ_JSON_ARRAY))
        return;
    while (cursor_element(&c)) {
        brz_str text = json_text_into(&name, ctx, &c.token);
        if (text.len == 0) {
            BRZ_WARN(ctx, "flamebearer.name", c.token.text.data, c.token.text.len,
                     "not a name: [unknown]");
            text = BRZ_STR("[unknown]");
        }
        brz_frame_list_push(&f->names, ctx, ctx->host->intern(ctx, text.data, text.len));
        cursor_skip(&c);
    }
}

/* Reports a node that is left out, with what it counts on the last side. */
static void report_node(flamebearer *f, brz_ctx *ctx, const node *n, brz_str why)
{
    size_t shown = f->n_sides - 1;
    f->counted[shown] += n->self[shown];
    brz_report_lost_weight(ctx, "flamebearer.node", n->at, 0, why, n->self[shown]);
}

/* Finds the caller of a node in the level above, from the node *from on. Returns false if none
 * contains it. */
static bool find_caller(flamebearer *f, const node *n, size_t *from)
{
    while (*from < f->level && f->nodes[*from].end <= n->begin && *from + 1 < f->level &&
           f->nodes[*from + 1].begin <= n->begin)
        ++*from;
    return *from < f->level && n->begin >= f->nodes[*from].begin && n->end <= f->nodes[*from].end;
}

static void add_node(flamebearer *f, brz_ctx *ctx, const node *n, size_t *caller)
{
    bool is_root = f->n_levels == 0;
    if (!is_root && !find_caller(f, n, caller)) {
        report_node(f, ctx, n, BRZ_STR("a node outside of those of the level above: left out"));
        return;
    }
    f->nodes = brz_list_room(ctx, f->nodes, f->n, &f->cap, sizeof *f->nodes);
    if (!is_root) {
        node *by = &f->nodes[*caller];
        by->first = by->n_callees++ == 0 ? f->n : by->first;
        for (size_t i = 0; i < f->n_sides; i++)
            by->rest[i] -= n->self[i] + n->rest[i];
    }
    f->nodes[f->n++] = *n;
}

/* Fills in the numbers of a node that begins after `before`. Returns false if its place is out of
 * range. */
static bool make_node(const flamebearer *f, const int64_t numbers[NUMBERS], int64_t before, node *n)
{
    n->begin = before;
    n->end = 0;
    for (size_t i = 0; i < f->n_sides; i++) {
        const int64_t *of = &numbers[3 * i];
        if (of[0] < 0 || of[1] < 0 || __builtin_add_overflow(n->begin, of[0], &n->begin) ||
            __builtin_add_overflow(n->end, of[1], &n->end))
            return false;
        bool good = of[2] >= 0 && of[2] <= of[1];
        n->lacks_self[i] = !good;
        n->self[i] = good ? of[2] : 0;
        n->rest[i] = of[1] - n->self[i];
    }
    return !__builtin_add_overflow(n->begin, n->end, &n->end);
}

static void find_name(const flamebearer *f, brz_ctx *ctx, int64_t index, node *n)
{
    bool known = index >= 0 && (uint64_t)index < f->names.n;
    n->frame = known ? f->names.ids[index] : f->unknown;
    if (!known)
        BRZ_WARN(ctx, "flamebearer.index", n->at, 0,
                 "a node without a name in the list: [unknown]");
}

/* Reads the numbers of a node, which begins with the element that has begun; -1 stands for other
 * values. Returns false if there are too few. */
static bool read_numbers(const flamebearer *f, cursor *c, int64_t numbers[NUMBERS])
{
    size_t n = 3 * f->n_sides + 1;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && !cursor_element(c))
            return false;
        if (c->token.kind != BRZ_JSON_NUMBER || !brz_parse_i64(c->token.text, &numbers[i]))
            numbers[i] = -1;
        cursor_skip(c);
    }
    return true;
}

/* Reads the nodes of a level. After a damaged node, the places of the others are unknown. */
static void read_level(flamebearer *f, brz_ctx *ctx, cursor *c)
{
    size_t caller = f->above;
    int64_t before = 0;
    int64_t numbers[NUMBERS];
    bool good = true;
    f->level = f->n;
    while (cursor_element(c)) {
        node n = {.at = c->token.text.data};
        good = good && read_numbers(f, c, numbers) && make_node(f, numbers, before, &n);
        if (!good) {
            cursor_skip(c);
            continue;
        }
        find_name(f, ctx, numbers[3 * f->n_sides], &n);
        add_node(f, ctx, &n, &caller);
        before = n.end;
    }
    if (!good)
        BRZ_WARN(ctx, "flamebearer.level", c->token.text.data, 0,
                 "a level with a damaged node: the rest of it is left out");
    f->above = f->level;
    if (f->n_levels++ == 0)
        f->n_roots = f->n;
}

static void read_levels(flamebearer *f, brz_ctx *ctx, const brz_json_token *levels)
{
    cursor c;
    if (!members_open(&c, ctx, levels, BRZ_JSON_ARRAY))
        return;
    while (cursor_element(&c))
        if (cursor_enter(&c, BRZ_JSON_ARRAY))
            read_level(f, ctx, &c);
        else
            BRZ_WARN(ctx, "flamebearer.level", c.token.text.data, c.token.text.len,
                     "not a level: it and what it contains are left out");
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Makes what the callees of a node lack of its total its own amount, if that is damaged. */
static void repair(brz_ctx *ctx, node *n, size_t side)
{
    if (!n->lacks_self[side])
        return;
    BRZ_WARN(ctx, "flamebearer.self", n->at, 0,
             "the own amount of a node is no number up to its total: what its callees lack counts");
    n->self[side] = n->rest[side] > 0 ? n->rest[side] : 0;
    n->rest[side] -= n->self[side];
}

static brz_rc count(flamebearer *f, brz_ctx *ctx, node *n)
{
    brz_rc rc = BRZ_OK;
    bool inconsistent = false;
    if (f->stacks.path->n == 0) /* the whole has no frame, unless it counts itself */
        brz_path_push(f->stacks.path, ctx, n->frame);
    brz_stacks_begin_sample(&f->stacks);
    for (size_t i = 0; i < f->n_sides && rc == BRZ_OK; i++) {
        repair(ctx, n, i);
        f->counted[i] += n->self[i];
        inconsistent |= n->rest[i] != 0;
        if (n->self[i] > 0)
            rc = brz_stacks_count(&f->stacks, ctx, f->columns[i], n->self[i]);
    }
    brz_stacks_end_sample(&f->stacks);
    if (inconsistent)
        BRZ_WARN(ctx, "flamebearer.sum", n->at, 0,
                 "the total of a node is not the sum of its own and its callees' amounts");
    return rc;
}

/* Counts the callees of a node, one after another, each with its own callees. */
static brz_rc count_tree(flamebearer *f, brz_ctx *ctx, size_t root)
{
    brz_rc rc = count(f, ctx, &f->nodes[root]);
    size_t depth = 0, next = f->nodes[root].first, *left;
    brz_path_cut(f->stacks.path, 0);
    f->open = brz_list_room(ctx, f->open, 0, &f->open_cap, 2 * sizeof *f->open);
    f->open[0] = f->nodes[root].n_callees;
    while (rc == BRZ_OK) {
        left = &f->open[2 * depth];
        if (*left == 0 && depth == 0)
            break;
        if (*left == 0) {
            next = f->open[2 * depth - 1];
            brz_path_cut(f->stacks.path, --depth);
            continue;
        }
        node *n = &f->nodes[next];
        --*left;
        brz_path_push(f->stacks.path, ctx, n->frame);
        rc = count(f, ctx, n);
        f->open = brz_list_room(ctx, f->open, depth + 1, &f->open_cap, 2 * sizeof *f->open);
        f->open[2 * depth + 1] = next + 1;
        f->open[2 * ++depth] = n->n_callees;
        next = n->first;
    }
    return rc;
}

static void declare(flamebearer *f, brz_ctx *ctx, brz_str units)
{
    static const char *const sides[] = {"left", "right"};
    bool time = brz_ends_with(units, BRZ_STR("nanoseconds"));
    brz_str unit = time ? BRZ_STR("nanoseconds") : units;
    for (size_t i = 0; i < f->n_sides; i++) {
        brz_str name = f->n_sides == 1 ? units : brz_str_of_text(sides[i]);
        f->columns[i] = BRZ_DECLARE_COLUMN(ctx, .name = name, .unit = unit,
                                           .flags = sample_count_flags(name) |
                                                    (i + 1 == f->n_sides ? BRZ_COLUMN_DEFAULT : 0));
    }
}

/* Reports what the nodes lack of the sum that the file states. */
static void check_total(const flamebearer *f, brz_ctx *ctx, const brz_json_token *total)
{
    int64_t stated;
    if (f->n_sides == 1 && total->kind == BRZ_JSON_NUMBER && brz_parse_i64(total->text, &stated) &&
        stated > f->counted[0])
        brz_report_lost_weight(ctx, "flamebearer.total", total->text.data, total->text.len,
                               BRZ_STR("the nodes count less than the whole: the rest is missing"),
                               stated - f->counted[0]);
}

/* ---- documents ------------------------------------------------------------------------------- */

static brz_str read_units(brz_ctx *ctx, const brz_json_token *units)
{
    brz_str text = json_text(ctx, units);
    return text.len > 0 ? text : BRZ_STR("samples");
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    static const char *const codes[] = {"flamebearer.json", "flamebearer.cut-off"};
    static const char *const keys[] = {"flamebearer", "metadata"};
    static const char *const graph_keys[] = {"names", "levels", "numTicks", "format", "units"};
    static const char *const facts_keys[] = {"format", "units"};
    flamebearer *f = ctx->inst;
    brz_json_token members[2] = {{0}}, graph[5] = {{0}}, facts[2] = {{0}};
    brz_rc rc = BRZ_OK;
    *used = chunk->len;
    members_of_input(ctx, chunk, codes, keys, 2, members);
    members_of(ctx, &members[0], graph_keys, 5, graph);
    members_of(ctx, &members[1], facts_keys, 2, facts);
    const brz_json_token *format = facts[0].kind == BRZ_JSON_STRING ? &facts[0] : &graph[3];
    const brz_json_token *units = facts[1].kind == BRZ_JSON_STRING ? &facts[1] : &graph[4];
    f->n_sides = brz_str_is(format->text, "double") ? 2 : 1;
    declare(f, ctx, read_units(ctx, units));
    read_names(f, ctx, &graph[0]);
    read_levels(f, ctx, &graph[1]);
    if (f->n == 0)
        BRZ_WARN(ctx, "flamebearer.empty", members[0].text.data, 0, "a flame graph without nodes");
    for (size_t i = 0; i < f->n_roots && rc == BRZ_OK; i++)
        rc = count_tree(f, ctx, i);
    if (rc == BRZ_OK)
        check_total(f, ctx, &graph[2]);
    return rc;
}

static brz_rc finish(brz_ctx *ctx)
{
    flamebearer *f = ctx->inst;
    return brz_stacks_finish(&f->stacks, ctx);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"flamebearer.names", "flamebearer.levels",
                                        "flamebearer.numTicks", NULL};
    return cursor_paths(head, paths) != 0 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

SHIPPED_READER(flamebearer, .flags = BRZ_WHOLE_INPUT, .open = open_instance, .finish = finish)

BRZ_HINTS(BRZ_IF_CONTAINS("flamebearer") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER("flamebearer", .summary = "flame graphs of Pyroscope in JSON",
                  .help = "Pyroscope exports them, and its /render answers with them. Comparisons "
                          "have the weights left and right.")
