/* SPDX-License-Identifier: MIT */
/* Finds out which frames of a picture call which: a frame lies in the row next to its caller's, and
 * within its caller's width. Lengths are rounded, so that narrow frames may seem to lie in others.
 */
#include "boxes.h"

#include <math.h>
#include <stdlib.h>

/* ---- rows ------------------------------------------------------------------------------------ */

#define SAME_ROW 0.5 /* distance of places in one row, in pixels */

static int by_y(const void *a, const void *b)
{
    const box *x = a, *y = b;
    if (x->y != y->y)
        return x->y < y->y ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static int by_place(const void *a, const void *b)
{
    const box *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->left != y->left)
        return x->left < y->left ? -1 : 1;
    if (x->width != y->width)
        return x->width < y->width ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Numbers the rows from the top. */
static void number_rows(boxes *b)
{
    qsort(b->items, b->n, sizeof *b->items, by_y);
    for (size_t i = 0; i < b->n; i++) {
        box *x = &b->items[i];
        x->row = i == 0 ? 0 : x[-1].row + (x->y - x[-1].y > SAME_ROW);
    }
    b->n_rows = b->n == 0 ? 0 : b->items[b->n - 1].row + 1;
}

/* The extent of a row. */
typedef struct extent {
    double width;
    bool has_all; /* one box, which stands for the whole */
} extent;

static extent extent_of(const boxes *b, uint32_t row)
{
    extent e = {0};
    size_t n = 0;
    for (size_t i = 0; i < b->n; i++) {
        if (b->items[i].row != row)
            continue;
        n++;
        e.width += b->items[i].width;
        e.has_all = n == 1 && b->items[i].is_all;
    }
    return e;
}

/* Returns whether the root seems to be on top: no row is wider than the root's. */
static bool seems_icicle(const boxes *b)
{
    extent top = extent_of(b, 0), bottom = extent_of(b, b->n_rows - 1);
    if (top.has_all != bottom.has_all)
        return top.has_all;
    return top.width > bottom.width + b->precision * 2;
}

/* Sorts the boxes by their rows, and finds where these begin. */
static void sort_rows(boxes *b)
{
    qsort(b->items, b->n, sizeof *b->items, by_place);
    for (size_t i = b->n; i-- > 0;)
        b->rows[b->items[i].row] = (uint32_t)i;
    b->rows[b->n_rows] = (uint32_t)b->n;
}

/* Turns the picture upside down. */
static void turn(boxes *b)
{
    for (size_t i = 0; i < b->n; i++)
        b->items[i].row = b->n_rows - 1 - b->items[i].row;
}

/* ---- callers --------------------------------------------------------------------------------- */

#define NO_BOX          UINT32_MAX
#define MOST_CANDIDATES 256 /* callers that are considered: more lie there only if they overlap */

/* The relations of the boxes, indexed like them. */
typedef struct relations {
    const boxes *b;
    uint32_t *callers; /* NO_BOX: none */
    int64_t *left;     /* what the boxes found so far leave of their caller */
    double tolerance;
} relations;

/* Returns by how much a box reaches beyond one that may be its caller. */
static double excess_of(const box *x, const box *caller)
{
    double left = caller->left - x->left, right = x->left + x->width - caller->left - caller->width;
    return fmax(0, fmax(left, right));
}

/* Returns the caller of a box among those of the row below, from `from` on, or NO_BOX. Where
 * several are as near as lengths are exact, it is one that has room for the box. */
static uint32_t find_caller(const relations *r, uint32_t i, uint32_t from, uint32_t end)
{
    const box *items = r->b->items, *x = &items[i];
    double middle = x->left + x->width / 2;
    uint32_t found = NO_BOX;
    double best = 0;
    end = end - from > MOST_CANDIDATES ? from + MOST_CANDIDATES : end;
    for (uint32_t k = from; k < end && items[k].left <= middle + r->tolerance; k++) {
        double excess = excess_of(x, &items[k]);
        if (excess > r->tolerance)
            continue;
        double cost = excess + (r->left[k] < x->count ? 2 * r->tolerance : 0);
        if (found == NO_BOX || cost < best) {
            found = k;
            best = cost;
        }
    }
    return found;
}

/* Orders the numbers of boxes: wide ones first, which lie in one caller without doubt. */
static int by_width(const void *a, const void *b)
{
    const box *x = *(const box *const *)a, *y = *(const box *const *)b;
    if (x->width != y->width)
        return x->width > y->width ? -1 : 1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x > y) - (x < y);
}

/* Returns the first box of a row that does not end before `x`. */
static uint32_t first_reaching(const relations *r, uint32_t from, uint32_t end, double x)
{
    const box *items = r->b->items;
    while (from < end) {
        uint32_t middle = from + (end - from) / 2;
        if (items[middle].left + items[middle].width < x)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

/* Finds the callers of a row's boxes. `order` has room for them. */
static void relate_row(relations *r, uint32_t row, const box **order)
{
    const boxes *b = r->b;
    uint32_t callers = b->rows[row - 1], from = b->rows[row], n = b->rows[row + 1] - from;
    for (uint32_t i = 0; i < n; i++)
        order[i] = &b->items[from + i];
    qsort(order, n, sizeof(const box *), by_width);
    for (uint32_t i = 0; i < n; i++) {
        const box *x = order[i];
        uint32_t index = (uint32_t)(x - b->items);
        double middle = x->left + x->width / 2;
        uint32_t near = first_reaching(r, callers, from, middle - r->tolerance);
        r->callers[index] = find_caller(r, index, near, from);
        if (r->callers[index] != NO_BOX)
            r->left[r->callers[index]] -= x->count;
    }
}

/* ---- the call tree --------------------------------------------------------------------------- */

/* Lists the boxes that each box calls: `first` of a box, and `next` of each of these, from left to
 * right. */
static void list_called(const relations *r, uint32_t *first, uint32_t *next)
{
    for (size_t i = r->b->n; i-- > 0;) {
        uint32_t caller = r->callers[i];
        first[i] = first[i] == 0 ? NO_BOX : first[i] - 1;
        next[i] = NO_BOX;
        if (caller == NO_BOX)
            continue;
        next[i] = first[caller] == 0 ? NO_BOX : first[caller] - 1;
        first[caller] = (uint32_t)i + 1;
    }
}

static void add_box(const boxes *b, brz_ctx *ctx, graph *g, uint32_t i)
{
    const box *x = &b->items[i];
    bool is_whole = x->row == 0 && x->is_all && b->rows[1] == 1;
    graph_add(g, ctx,
              &(graph_node){.frame = x->frame,
                            .depth = x->row,
                            .is_whole = is_whole,
                            .total = x->count,
                            .at = x->at});
}

/* Adds a box of the root's row with all that it calls. */
static void add_tree(const relations *r, brz_ctx *ctx, graph *g, uint32_t root,
                     const uint32_t *first, const uint32_t *next)
{
    uint32_t i = root;
    while (i != NO_BOX) {
        add_box(r->b, ctx, g, i);
        if (first[i] != NO_BOX) {
            i = first[i];
            continue;
        }
        while (i != NO_BOX && i != root && next[i] == NO_BOX)
            i = r->callers[i];
        i = i == root || i == NO_BOX ? NO_BOX : next[i];
    }
}

/* Reports a box that lies in no other one. What it would have called is left out with it. */
static void report_stray(brz_ctx *ctx, const box *x)
{
    brz_report_lost_weight(ctx, "picture.stray", x->at, 0,
                           BRZ_STR("a frame that lies in no caller: left out with those it calls"),
                           0);
}

/* Finds the callers of all boxes. Returns the number of those that lie in none. */
static size_t relate(relations *r, const box **order)
{
    const boxes *b = r->b;
    size_t n_stray = 0;
    for (size_t i = 0; i < b->n; i++) {
        r->left[i] = b->items[i].count;
        r->callers[i] = NO_BOX;
    }
    for (uint32_t row = 1; row < b->n_rows; row++)
        relate_row(r, row, order);
    for (size_t i = 0; i < b->n; i++)
        n_stray += r->callers[i] == NO_BOX && b->items[i].row > 0;
    return n_stray;
}

/* Chooses the end at which the root is, and relates the boxes. If it seems to be at the wrong end,
 * since its own box is damaged, more boxes lie in no other one. */
static void find_root(boxes *b, relations *r, const box **order)
{
    number_rows(b);
    if (!seems_icicle(b))
        turn(b);
    sort_rows(b);
    size_t n_stray = relate(r, order);
    if (n_stray == 0)
        return;
    turn(b);
    sort_rows(b);
    if (relate(r, order) < n_stray)
        return;
    turn(b);
    sort_rows(b);
    relate(r, order);
}

void boxes_nest(boxes *b, brz_ctx *ctx, graph *g)
{
    relations r = {.b = b, .tolerance = 2.1 * b->precision};
    uint32_t *first = ctx->host->alloc(ctx, (b->n + 1) * sizeof *first, 0);
    uint32_t *next = ctx->host->alloc(ctx, (b->n + 1) * sizeof *next, 0);
    const box **order = ctx->host->alloc(ctx, (b->n + 1) * sizeof(const box *), 0);
    r.callers = ctx->host->alloc(ctx, (b->n + 1) * sizeof *r.callers, 0);
    r.left = ctx->host->alloc(ctx, (b->n + 1) * sizeof *r.left, 0);
    b->rows = ctx->host->alloc(ctx, (b->n + 2) * sizeof *b->rows, 0);
    if (b->n == 0)
        return;
    find_root(b, &r, order);
    list_called(&r, first, next);
    for (uint32_t i = 0; i < b->n; i++)
        if (r.callers[i] == NO_BOX && b->items[i].row > 0)
            report_stray(ctx, &b->items[i]);
    for (uint32_t i = 0; i < b->rows[1]; i++)
        add_tree(&r, ctx, g, i, first, next);
}
