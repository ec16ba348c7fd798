/* SPDX-License-Identifier: MIT */
/* Writes the output "callgrind": costs of functions and of the calls between them, in Callgrind's
 * format.
 *
 *     function := ["ob=" text] "fl=" text "fn=" text (line costs | call)*
 *     call     := ["cob=" text] "cfi=" text "cfn=" text "calls=" count line; line costs
 *     text     := "(" number ")" [" " words]           the words where the number is first used
 *
 * The format has a column of costs for each weight, starting with the selected one. Costs are
 * integers: a weight with decimals is counted in units of its last digit, and its name says so. The
 * format does not record which callers of a function lead to which of its callees.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/write.h>

#include "../../common/shipped.h"
#include "../common/axis.h"
#include "../common/calls.h"
#include "../common/functions.h"

/* ---- edges ----------------------------------------------------------------------------------- */

/* Costs that belong to functions, at [number * n_weights + weight]. */
typedef struct costs {
    int64_t *values;
    uint32_t *next;  /* linked list: the function's next cost, from 1; 0 at the end */
    uint32_t *first; /* indexed by function: the head of its list, from 1; 0 if empty */
} costs;

typedef struct edges {
    functions functions;
    uint32_t n_weights;
    keys lines;        /* (function, line) */
    costs self;        /* indexed by number in `lines` */
    keys pairs;        /* (caller, callee) */
    keys places;       /* (line of the caller, line of the callee) */
    keys calls;        /* (pair, place) */
    costs total;       /* indexed by number in `calls` */
    uint32_t *n_calls; /* indexed likewise: number of calls in the call tree */
} edges;

#define NO_EDGE UINT32_MAX

/* State of a pass over the call tree. */
typedef struct walk {
    edges *edges;
    const brz_tree *tree;
    calls calls;
    uint32_t *edge_of_call;
    uint32_t *open_pairs; /* indexed by depth: the pair of each call that is currently open */
    uint32_t *n_open;     /* indexed by pair: number of its calls that are currently open */
} walk;

static void number_call(walk *k, uint32_t i)
{
    edges *e = k->edges;
    const call *c = &k->calls.items[i];
    uint32_t callee = e->functions.of_frame[c->frame];
    uint32_t line = brz_frame_at(k->tree, c->frame)->line;
    keys_add(&e->lines, key_of_two(callee, line));
    k->edge_of_call[i] = NO_EDGE;
    if (c->parent == 0)
        return;
    uint32_t frame = k->calls.items[c->parent].frame;
    uint32_t caller = e->functions.of_frame[frame], at = brz_frame_at(k->tree, frame)->line;
    uint32_t pair = keys_add(&e->pairs, key_of_two(caller, callee));
    uint32_t place = keys_add(&e->places, key_of_two(at, line));
    k->edge_of_call[i] = keys_add(&e->calls, key_of_two(pair, place));
}

static void add_costs(costs *to, uint32_t number, const int64_t *from, uint32_t n_weights)
{
    int64_t *values = to->values + (size_t)number * n_weights;
    for (uint32_t w = 0; w < n_weights; w++)
        values[w] = add_saturated(values[w], from[w]);
}

static void leave(walk *k, uint32_t *depth, uint32_t to)
{
    for (; *depth > to; (*depth)--)
        if (k->open_pairs[*depth - 1] != NO_EDGE)
            k->n_open[k->open_pairs[*depth - 1]]--;
}

/* Adds up the costs of all calls, visiting callers before callees. */
static void add_all(walk *k)
{
    edges *e = k->edges;
    uint32_t depth = 0;
    for (uint32_t i = 1; i < k->calls.n; i++) {
        const call *c = &k->calls.items[i];
        uint32_t callee = e->functions.of_frame[c->frame], edge = k->edge_of_call[i];
        uint32_t line =
            keys_add(&e->lines, key_of_two(callee, brz_frame_at(k->tree, c->frame)->line));
        leave(k, &depth, c->depth - 1);
        add_costs(&e->self, line, k->calls.self + (size_t)i * e->n_weights, e->n_weights);
        uint32_t pair = edge == NO_EDGE ? NO_EDGE : key_first(e->calls.items[edge]);
        k->open_pairs[depth++] = pair;
        if (pair == NO_EDGE)
            continue;
        e->n_calls[edge]++;
        if (k->n_open[pair]++ == 0)
            add_costs(&e->total, edge, k->calls.total + (size_t)i * e->n_weights, e->n_weights);
    }
}

static void init_costs(costs *c, brz_output_ctx *ctx, uint32_t n, uint32_t n_weights,
                       uint32_t n_functions)
{
    c->values = ctx->host->alloc(ctx, ((size_t)n * n_weights + 1) * sizeof *c->values, 0);
    c->next = ctx->host->alloc(ctx, ((size_t)n + 1) * sizeof *c->next, 0);
    c->first = ctx->host->alloc(ctx, ((size_t)n_functions + 1) * sizeof *c->first, 0);
}

/* Inserts `number` at the front of its function's list. */
static void list(costs *c, uint32_t number, uint32_t owner)
{
    c->next[number] = c->first[owner];
    c->first[owner] = number + 1;
}

static uint32_t deepest(const calls *c)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < c->n; i++)
        depth = c->items[i].depth > depth ? c->items[i].depth : depth;
    return depth;
}

/* Computes the costs for `tree`. The memory belongs to the plug-in instance. */
static void init_edges(edges *e, brz_output_ctx *ctx, const brz_tree *tree)
{
    walk k = {.edges = e, .tree = tree};
    e->n_weights = tree->n_columns;
    functions_init(&e->functions, ctx, tree, FUNCTIONS_BY_NAME);
    keys_init(&e->lines, ctx);
    keys_init(&e->pairs, ctx);
    keys_init(&e->places, ctx);
    keys_init(&e->calls, ctx);
    calls_init(&k.calls, ctx, tree, CALLS_NEGATIVE_AS_ZERO);
    k.edge_of_call = ctx->host->alloc(ctx, k.calls.n * sizeof(uint32_t), 0);
    for (uint32_t i = 1; i < k.calls.n; i++)
        number_call(&k, i);
    init_costs(&e->self, ctx, e->lines.n, e->n_weights, e->functions.n);
    init_costs(&e->total, ctx, e->calls.n, e->n_weights, e->functions.n);
    e->n_calls = ctx->host->alloc(ctx, ((size_t)e->calls.n + 1) * sizeof(uint32_t), 0);
    k.open_pairs = ctx->host->alloc(ctx, ((size_t)deepest(&k.calls) + 1) * sizeof(uint32_t), 0);
    k.n_open = ctx->host->alloc(ctx, ((size_t)e->pairs.n + 1) * sizeof(uint32_t), 0);
    add_all(&k);
    for (uint32_t i = e->lines.n; i-- > 0;)
        list(&e->self, i, key_first(e->lines.items[i]));
    for (uint32_t i = e->calls.n; i-- > 0;)
        list(&e->total, i, key_first(e->pairs.items[key_first(e->calls.items[i])]));
}

/* ---- the file -------------------------------------------------------------------------------- */

enum { OBJECT, SOURCE, FUNCTION, N_SPACES };

/* State of one file being written. */
typedef struct file {
    brz_writer w;
    const brz_tree *tree;
    edges edges;
    bool objects;             /* whether any module is known; if so, each function names its own */
    uint32_t *seen[N_SPACES]; /* indexed by text: its number from 1, or 0 if not yet written */
    uint32_t n_seen[N_SPACES];
    uint32_t *order; /* weights in output order, the selected one first */
} file;

/* ---- text ---------------------------------------------------------------------------------- */

/* Writes a name that extends to the end of the line; replaces control characters, which would end
 * it. */
static void put_line_text(brz_writer *w, brz_str s)
{
    if (s.len == 0)
        BRZ_PUT(w, "???");
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        if ((unsigned char)c < 0x20 || c == 0x7f)
            c = ' ';
        brz_put_char(w, c);
    }
}

/* Writes an event's name, which must be a single word. */
static void put_event_name(brz_writer *w, const brz_column_info *info)
{
    for (size_t i = 0; i < info->name.len; i++) {
        char c = info->name.data[i];
        if (!brz_is_hex(c) && !(c >= 'g' && c <= 'z') && !(c >= 'G' && c <= 'Z'))
            c = '_';
        brz_put_char(w, c);
    }
    if (info->name.len == 0)
        BRZ_PUT(w, "weight");
    if (info->decimals > 0) {
        BRZ_PUT(w, "_e");
        brz_put_u64(w, info->decimals);
    }
}

static void put_text(file *f, const char *key, int space, uint32_t text)
{
    uint32_t *number = &f->seen[space][text];
    bool new = *number == 0;
    if (new)
        *number = ++f->n_seen[space];
    brz_put_text(&f->w, key);
    brz_put_char(&f->w, '(');
    brz_put_u64(&f->w, *number);
    brz_put_char(&f->w, ')');
    if (new) {
        brz_put_char(&f->w, ' ');
        put_line_text(&f->w, f->edges.functions.texts.items[text]);
    }
    brz_put_char(&f->w, '\n');
}

static void put_values(file *f, const int64_t *values)
{
    for (uint32_t w = 0; w < f->tree->n_columns; w++) {
        brz_put_char(&f->w, ' ');
        brz_put_i64(&f->w, values[f->order[w]]);
    }
    brz_put_char(&f->w, '\n');
}

static bool all_zero(const int64_t *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (values[i] != 0)
            return false;
    return true;
}

/* ---- header -------------------------------------------------------------------------------- */

/* Writes the definition of an event: its name, its description and the scale of its numbers. */
static void put_event(file *f, const brz_column_info *info)
{
    BRZ_PUT(&f->w, "event: ");
    put_event_name(&f->w, info);
    BRZ_PUT(&f->w, " : ");
    put_line_text(&f->w, info->name);
    if (info->decimals > 0) {
        BRZ_PUT(&f->w, " / 1");
        for (uint32_t i = 0; i < info->decimals; i++)
            brz_put_char(&f->w, '0');
    }
    if (info->unit.len > 0 && !brz_str_equal(info->unit, info->name)) {
        BRZ_PUT(&f->w, " (");
        put_line_text(&f->w, info->unit);
        brz_put_char(&f->w, ')');
    }
    brz_put_char(&f->w, '\n');
}

static void put_totals(file *f, const char *key)
{
    uint32_t n = f->tree->n_columns;
    const edges *e = &f->edges;
    brz_put_text(&f->w, key);
    for (uint32_t w = 0; w < n; w++) {
        int64_t sum = 0;
        for (uint32_t i = 0; i < e->lines.n; i++)
            sum = add_saturated(sum, e->self.values[(size_t)i * n + f->order[w]]);
        brz_put_char(&f->w, ' ');
        brz_put_i64(&f->w, sum);
    }
    brz_put_char(&f->w, '\n');
}

static void put_head(file *f)
{
    BRZ_PUT(&f->w, "# callgrind format\nversion: 1\ncreator: brazier@" BRZ_SHIPPED_VERSION
                   "\npositions: line\n");
    for (uint32_t w = 0; w < f->tree->n_columns; w++)
        put_event(f, brz_column_at(f->tree, f->order[w]));
    BRZ_PUT(&f->w, "events:");
    for (uint32_t w = 0; w < f->tree->n_columns; w++) {
        brz_put_char(&f->w, ' ');
        put_event_name(&f->w, brz_column_at(f->tree, f->order[w]));
    }
    brz_put_char(&f->w, '\n');
    put_totals(f, "summary:");
}

/* ---- functions ----------------------------------------------------------------------------- */

static void put_call(file *f, uint32_t number)
{
    const edges *e = &f->edges;
    uint64_t pair = e->pairs.items[key_first(e->calls.items[number])];
    uint64_t place = e->places.items[key_second(e->calls.items[number])];
    const function *callee = &e->functions.items[key_second(pair)];
    const int64_t *values = e->total.values + (size_t)number * e->n_weights;
    if (all_zero(values, e->n_weights))
        return;
    if (f->objects)
        put_text(f, "cob=", OBJECT, callee->module);
    put_text(f, "cfi=", SOURCE, callee->file);
    put_text(f, "cfn=", FUNCTION, callee->name);
    BRZ_PUT(&f->w, "calls=");
    brz_put_u64(&f->w, e->n_calls[number]);
    brz_put_char(&f->w, ' ');
    brz_put_u64(&f->w, key_second(place));
    brz_put_char(&f->w, '\n');
    brz_put_u64(&f->w, key_first(place));
    put_values(f, values);
}

static void put_function(file *f, uint32_t number)
{
    const edges *e = &f->edges;
    const function *fn = &e->functions.items[number];
    brz_put_char(&f->w, '\n');
    if (f->objects)
        put_text(f, "ob=", OBJECT, fn->module);
    put_text(f, "fl=", SOURCE, fn->file);
    put_text(f, "fn=", FUNCTION, fn->name);
    for (uint32_t i = e->self.first[number]; i != 0; i = e->self.next[i - 1]) {
        const int64_t *values = e->self.values + (size_t)(i - 1) * e->n_weights;
        if (all_zero(values, e->n_weights))
            continue;
        brz_put_u64(&f->w, key_second(e->lines.items[i - 1]));
        put_values(f, values);
    }
    for (uint32_t i = e->total.first[number]; i != 0; i = e->total.next[i - 1])
        put_call(f, i - 1);
}

static void init_file(file *f, brz_output_ctx *ctx, const brz_tree *tree)
{
    f->tree = tree;
    init_edges(&f->edges, ctx, tree);
    for (int i = 0; i < N_SPACES; i++)
        f->seen[i] = ctx->host->alloc(ctx, f->edges.functions.texts.n * sizeof *f->seen[i], 0);
    for (uint32_t i = 0; i < f->edges.functions.n; i++)
        f->objects |= f->edges.functions.items[i].module != 0;
    f->order = ctx->host->alloc(ctx, tree->n_columns * sizeof *f->order, 0);
    f->order[0] = tree->main_column;
    for (uint32_t w = 0, n = 1; w < tree->n_columns; w++)
        if (w != tree->main_column)
            f->order[n++] = w;
}

static brz_rc write_callgrind(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    file f = {.n_seen = {0}};
    axis_check(ctx, tree, BRZ_NO_COLUMN);
    init_file(&f, ctx, tree);
    brz_writer_init(&f.w, ctx, sink);
    put_head(&f);
    for (uint32_t i = 0; i < f.edges.functions.n && f.w.rc == BRZ_OK; i++)
        put_function(&f, i);
    brz_put_char(&f.w, '\n');
    put_totals(&f, "totals:");
    return brz_writer_finish(&f.w);
}

static const char *const endings[] = {"callgrind", "callgrind.out", NULL};

SHIPPED_WRITER(write_callgrind, "text/plain", BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS)

SHIPPED_PLUGIN("callgrind", BRZ_OUTPUT, &output,
               .summary = "costs of functions and calls, for KCachegrind and callgrind_annotate")
