/* SPDX-License-Identifier: MIT */
/* Computes the rows of a table of functions. */
#include "rows.h"

#include <string.h>

#include <brazier/symbol.h>

#include "calls.h"
#include "texts.h"

#define DIFFERENT "\xe2\x80\xa6"

static brz_str key_of(const brz_frame_info *f, int32_t by)
{
    brz_str key = by == BY_MODULE ? f->module : by == BY_FILE ? f->file : f->name;
    return key.len > 0 || by == BY_NAME ? key : BRZ_STR("[unknown]");
}

/* Merges a frame's module, file and line into its row. */
static void join(row *r, const brz_frame_info *f, bool first)
{
    if (first) {
        r->module = f->module;
        r->file = f->file;
        r->line = f->line;
        return;
    }
    if (!brz_str_equal(r->module, f->module))
        r->module = BRZ_STR(DIFFERENT);
    if (!brz_str_equal(r->file, f->file))
        r->file = BRZ_STR(DIFFERENT);
    if (r->line != f->line)
        r->line = 0;
}

void rows_init(rows *r, brz_output_ctx *ctx, const brz_tree *tree, int32_t by)
{
    texts keys;
    texts_init(&keys, ctx);
    r->items = ctx->host->alloc(ctx, ((size_t)tree->n_frames + 1) * sizeof *r->items, 0);
    r->of_frame = ctx->host->alloc(ctx, ((size_t)tree->n_frames + 1) * sizeof *r->of_frame, 0);
    for (uint32_t i = 0; i < tree->n_frames; i++) {
        const brz_frame_info *f = brz_frame_at(tree, i);
        uint32_t known = keys.n, at = texts_add(&keys, key_of(f, by));
        r->of_frame[i] = at;
        r->items[at].key = keys.items[at];
        join(&r->items[at], f, at == known);
    }
    r->n = keys.n;
    r->by_name = by == BY_NAME;
    r->order = ctx->host->alloc(ctx, ((size_t)r->n + 1) * sizeof(const row *), 0);
    r->spare = ctx->host->alloc(ctx, ((size_t)r->n + 1) * sizeof(const row *), 0);
    r->open = ctx->host->alloc(ctx, ((size_t)calls_deepest(tree) + 1) * sizeof *r->open, 0);
}

/* ---- counting ------------------------------------------------------------------------------ */

static void open_frame(open_row *open, row *of)
{
    *open = (open_row){.row = of};
    of->n_open++;
}

static int64_t size_of(int64_t value)
{
    return value == INT64_MIN ? INT64_MAX : value < 0 ? -value : value;
}

static void add_totals(row_weights *to, const open_row *from)
{
    to->total = add_saturated(to->total, from->total);
    to->losses = add_saturated(to->losses, from->losses);
}

/* Adds the weight of the stacks that contain a frame, which has been open, to its row, unless the
 * row is still open, and to the frame's caller. */
static void close_frame(open_row *open, uint32_t depth)
{
    const open_row *from = &open[depth];
    row *of = from->row;
    of->n_open--;
    of->is_known |= from->is_weighted;
    if (of->n_open == 0)
        add_totals(&of->shown, from);
    if (depth == 0)
        return;
    open[depth - 1].total = add_saturated(open[depth - 1].total, from->total);
    open[depth - 1].losses = add_saturated(open[depth - 1].losses, from->losses);
    open[depth - 1].is_weighted |= from->is_weighted;
}

/* Adds the value of a stack, whose frames are open, to the last one. */
static void count_value(open_row *last, int64_t value)
{
    last->total = add_saturated(last->total, value);
    last->losses = add_saturated(last->losses, value < 0 ? size_of(value) : 0);
    last->row->shown.self = add_saturated(last->row->shown.self, value);
    last->is_weighted |= value != 0;
}

/* Returns the number of leading frames whose rows a stack shares with the one before it, of which
 * it may share only the names. */
static uint32_t shared_rows(const rows *r, const brz_tree *tree, uint32_t i)
{
    const brz_stack_info *s = brz_stack_at(tree, i);
    uint32_t n = 0;
    if (i == 0 || r->by_name)
        return i == 0 ? 0 : s->n_common;
    const brz_stack_info *last = brz_stack_at(tree, i - 1);
    if (s->frames == last->frames)
        return s->n_common;
    while (n < s->n_common && s->frames[n] == last->frames[n])
        n++;
    return n;
}

/* Adds the value of a stack to the gains or losses. */
static void add_sign(rows *r, int64_t value)
{
    if (value > 0)
        r->gains = add_saturated(r->gains, value);
    else if (value < 0)
        r->losses = add_saturated(r->losses, size_of(value));
}

void rows_count(rows *r, const brz_tree *tree, uint32_t weight)
{
    uint32_t depth = 0;
    r->gains = r->losses = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        r->items[i].shown = (row_weights){0, 0, 0};
        r->items[i].is_known = false;
    }
    for (uint32_t i = 0; i < tree->n_stacks; i++) {
        const brz_stack_info *s = brz_stack_at(tree, i);
        uint32_t shared = shared_rows(r, tree, i);
        while (depth > shared)
            close_frame(r->open, --depth);
        for (; depth < s->n; depth++)
            open_frame(&r->open[depth], &r->items[r->of_frame[s->frames[depth]]]);
        add_sign(r, s->values[weight]);
        if (depth > 0)
            count_value(&r->open[depth - 1], s->values[weight]);
    }
    while (depth > 0)
        close_frame(r->open, --depth);
}

void rows_compare(rows *r, const brz_tree *tree)
{
    rows_count(r, tree, tree->before);
    for (uint32_t i = 0; i < r->n; i++) {
        r->items[i].before = r->items[i].shown;
        r->items[i].was_before = r->items[i].is_known;
    }
    rows_count(r, tree, tree->after);
    for (uint32_t i = 0; i < r->n; i++) {
        r->items[i].after = r->items[i].shown;
        r->items[i].is_after = r->items[i].is_known;
    }
    rows_count(r, tree, tree->main_column);
    for (uint32_t i = 0; i < r->n; i++)
        r->items[i].is_known |= r->items[i].was_before || r->items[i].is_after;
}

int64_t rows_change(int64_t before, int64_t after)
{
    int64_t change;
    if (__builtin_sub_overflow(after, before, &change))
        return after < 0 ? INT64_MIN : INT64_MAX;
    return change;
}

static int heavier_first(int64_t a, int64_t b)
{
    return a > b ? -1 : a < b;
}

/* Returns the weights that a row is sorted by: sizes of its weights or of its changes. */
static row_weights keys_of(const row *r, bool by_change)
{
    if (!by_change)
        return (row_weights){size_of(r->shown.self), size_of(r->shown.total), 0};
    return (row_weights){size_of(rows_change(r->before.self, r->after.self)),
                         size_of(rows_change(r->before.total, r->after.total)), 0};
}

/* Compares two rows. Unknown ones come last. */
static int compare(const row *a, const row *b, int32_t sort, bool by_change)
{
    if (a->is_known != b->is_known)
        return a->is_known ? -1 : 1;
    row_weights x = keys_of(a, by_change), y = keys_of(b, by_change);
    int self = heavier_first(x.self, y.self), total = heavier_first(x.total, y.total);
    int d = sort == SORT_SELF ? self : sort == SORT_TOTAL ? total : 0;
    if (d == 0)
        d = sort == SORT_SELF ? total : sort == SORT_TOTAL ? self : 0;
    return d != 0 ? d : brz_str_compare(a->key, b->key);
}

/* Merges from[a..middle) and from[middle..end) into to[a..end). */
static void merge(const row *const *from, const row **to, size_t a, size_t middle, size_t end,
                  int32_t sort, bool by_change)
{
    size_t b = middle;
    for (size_t i = a; i < end; i++) {
        bool left = a < middle && (b >= end || compare(from[a], from[b], sort, by_change) <= 0);
        to[i] = from[left ? a++ : b++];
    }
}

void rows_sort(rows *r, int32_t sort, bool by_change)
{
    const row **from = r->order, **to = r->spare;
    for (uint32_t i = 0; i < r->n; i++)
        from[i] = &r->items[i];
    for (size_t width = 1; width < r->n; width *= 2) {
        for (size_t a = 0; a < r->n; a += 2 * width) {
            size_t middle = a + width < r->n ? a + width : r->n;
            size_t end = a + 2 * width < r->n ? a + 2 * width : r->n;
            merge(from, to, a, middle, end, sort, by_change);
        }
        const row **swap = from;
        from = to;
        to = swap;
    }
    r->order = from;
    r->spare = to;
}
