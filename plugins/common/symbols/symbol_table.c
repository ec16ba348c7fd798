/* SPDX-License-Identifier: MIT */
/* Symbols of a module, in the order of their addresses. */
#include "symbol_table.h"

#include "address_rank.h"

#include <brazier/symbol.h>
#include <brazier/text/buffer.h>

#include <stdlib.h>

/* The last symbol of a table ends after the next page if its size is unknown. */
#define PAGE UINT64_C(4096)

void symbol_table_add(symbol_table *t, brz_ctx *ctx, symbol s)
{
    if (s.start == UINT64_MAX) /* no address is after it */
        return;
    t->items = brz_list_room(ctx, t->items, t->n, &t->cap, sizeof *t->items);
    t->items[t->n++] = s;
}

/* ---- aliases -------------------------------------------------------------------------------- */

static size_t leading_underscores(brz_str s)
{
    size_t n = 0;
    while (n < s.len && s.data[n] == '_')
        n++;
    return n;
}

static bool is_system_call_alias(brz_str s)
{
    return brz_starts_with(s, BRZ_STR("SyS")) || brz_starts_with(s, BRZ_STR("compat_SyS"));
}

/* Compares numbers. Returns a negative number if the first symbol is the better one. */
static int prefer(size_t of_a, size_t of_b)
{
    return of_a == of_b ? 0 : of_a > of_b ? -1 : 1;
}

/* Returns a negative number if `a` is the better name of an address that both have. The order of
 * the reasons is that of perf. */
static int compare_aliases(const symbol *a, const symbol *b)
{
    int rc = prefer((a->flags & SYMBOL_SIZED) != 0, (b->flags & SYMBOL_SIZED) != 0);
    rc = rc != 0 ? rc : prefer(!(a->flags & SYMBOL_WEAK), !(b->flags & SYMBOL_WEAK));
    rc = rc != 0 ? rc : prefer((a->flags & SYMBOL_GLOBAL) != 0, (b->flags & SYMBOL_GLOBAL) != 0);
    rc = rc != 0 ? rc : prefer(leading_underscores(b->name), leading_underscores(a->name));
    rc = rc != 0 ? rc : prefer(a->name.len, b->name.len);
    rc = rc != 0 ? rc : prefer(!is_system_call_alias(a->name), !is_system_call_alias(b->name));
    rc = rc != 0 ? rc : prefer(b->rank, a->rank);
    if (rc != 0 || a->name.len == 0)
        return rc;
    return memcmp(a->name.data, b->name.data, a->name.len);
}

static int compare(const void *x, const void *y)
{
    const symbol *a = x, *b = y;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return compare_aliases(a, b);
}

/* Sorts symbols by `order`, whose first key is the address. Lists of the kernel are in the order of
 * addresses, so that only the names of the same one need sorting. */
static void sort(symbol_table *t, int order(const void *, const void *))
{
    size_t first = 0, n = 1;
    while (n < t->n && t->items[n - 1].start <= t->items[n].start)
        n++;
    if (n < t->n) {
        qsort(t->items, t->n, sizeof *t->items, order);
        return;
    }
    for (size_t i = 1; i <= t->n; i++) {
        if (i < t->n && t->items[i].start == t->items[first].start)
            continue;
        if (i - first > 1)
            qsort(t->items + first, i - first, sizeof *t->items, order);
        first = i;
    }
}

/* Keeps the first one of the symbols at each address. */
static void remove_aliases(symbol_table *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (n == 0 || t->items[i].start != t->items[n - 1].start)
            t->items[n++] = t->items[i];
    t->n = n;
}

void symbol_table_order(symbol_table *t)
{
    sort(t, compare);
    remove_aliases(t);
}

/* ---- ends ----------------------------------------------------------------------------------- */

uint64_t symbol_last_end(const symbol *s)
{
    uint64_t end = (s->start + PAGE - 1) / PAGE * PAGE + PAGE;
    return end > s->start ? end : UINT64_MAX;
}

/* Lets symbols without a size end at the next one. */
static void set_ends(symbol_table *t)
{
    for (size_t i = 0; i < t->n; i++) {
        symbol *s = &t->items[i];
        if (s->end > s->start)
            continue;
        s->end = i + 1 < t->n ? t->items[i + 1].start : symbol_last_end(s);
    }
}

/* ---- overlaps ------------------------------------------------------------------------------- */

/* Splits symbols into parts that do not overlap. `rank` says which one counts at an address. */
typedef struct splitting {
    brz_ctx *ctx;
    const symbol *from;
    symbol_table parts;
    uint32_t *heap; /* positions of the symbols at the current address, highest rank first */
    size_t n;
} splitting;

static bool outranks(const splitting *x, uint32_t a, uint32_t b)
{
    return x->from[a].rank > x->from[b].rank;
}

static void heap_add(splitting *x, uint32_t position)
{
    size_t i = x->n++;
    for (; i > 0 && outranks(x, position, x->heap[(i - 1) / 2]); i = (i - 1) / 2)
        x->heap[i] = x->heap[(i - 1) / 2];
    x->heap[i] = position;
}

static void heap_remove_first(splitting *x)
{
    uint32_t last = x->heap[--x->n];
    size_t i = 0;
    for (size_t child = 1; child < x->n; child = 2 * i + 1) {
        if (child + 1 < x->n && outranks(x, x->heap[child + 1], x->heap[child]))
            child++;
        if (!outranks(x, x->heap[child], last))
            break;
        x->heap[i] = x->heap[child];
        i = child;
    }
    x->heap[i] = last;
}

/* Adds the part of a symbol from `start` to `end`, or extends its part before. */
static void add_part(splitting *x, uint32_t position, uint64_t start, uint64_t end)
{
    symbol part = x->from[position];
    symbol *before = x->parts.n > 0 ? &x->parts.items[x->parts.n - 1] : NULL;
    if (before != NULL && before->rank == part.rank && before->end == start) {
        before->end = end;
        return;
    }
    part.start = start;
    part.end = end;
    symbol_table_add(&x->parts, x->ctx, part);
}

/* Makes room for the positions of all symbols. */
static void make_heap(symbol_table *t, brz_ctx *ctx)
{
    if (t->n < t->heap_cap)
        return;
    t->heap_cap = 2 * t->n + 1;
    t->heap = ctx->host->alloc(ctx, t->heap_cap * sizeof *t->heap, 0);
}

/* Replaces the symbols, which are in the order of their addresses, by their parts. */
static void split_overlaps(symbol_table *t, brz_ctx *ctx)
{
    make_heap(t, ctx);
    splitting x = {.ctx = ctx, .from = t->items, .heap = t->heap};
    x.parts = (symbol_table){.items = t->spare, .cap = t->spare_cap};
    uint64_t at = 0;
    for (size_t i = 0; i < t->n || x.n > 0;) {
        if (x.n == 0)
            at = t->items[i].start;
        for (; i < t->n && t->items[i].start <= at; i++)
            heap_add(&x, (uint32_t)i);
        while (x.n > 0 && t->items[x.heap[0]].end <= at)
            heap_remove_first(&x);
        if (x.n == 0)
            continue;
        uint64_t end = t->items[x.heap[0]].end;
        if (i < t->n && t->items[i].start < end)
            end = t->items[i].start;
        add_part(&x, x.heap[0], at, end);
        at = end;
    }
    t->spare = t->items;
    t->spare_cap = t->cap;
    t->items = x.parts.items;
    t->n = x.parts.n;
    t->cap = x.parts.cap;
}

/* Returns whether no symbol extends beyond the beginning of the next one. */
static bool is_disjoint(const symbol_table *t)
{
    for (size_t i = 0; i + 1 < t->n; i++)
        if (t->items[i].end > t->items[i + 1].start)
            return false;
    return true;
}

/* Limits the number of symbols to what a position holds. */
static void limit(symbol_table *t)
{
    if (t->n > UINT32_MAX - 1)
        t->n = UINT32_MAX - 1;
}

/* Orders symbols by address; of those at the same one, the last one comes first. */
static int compare_last(const void *x, const void *y)
{
    const symbol *a = x, *b = y;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->rank > b->rank ? -1 : a->rank < b->rank;
}

void symbol_table_finish_unsized(symbol_table *t)
{
    limit(t);
    for (size_t i = 0; i < t->n; i++)
        t->items[i].rank = (uint32_t)i;
    sort(t, compare_last);
    remove_aliases(t);
    set_ends(t);
}

void symbol_table_finish(symbol_table *t, brz_ctx *ctx)
{
    limit(t);
    symbol_table_order(t);
    set_ends(t);
    for (size_t i = 0; i < t->n; i++)
        t->items[i].rank = (uint32_t)i;
    if (!is_disjoint(t))
        split_overlaps(t, ctx);
}

/* ---- code that replaces older code ---------------------------------------------------------- */

static int by_start_and_age(const void *x, const void *y)
{
    const symbol *a = x, *b = y;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->rank < b->rank ? 1 : -1; /* the later one first: it is kept */
}

void symbol_table_finish_in_order(symbol_table *t, brz_ctx *ctx)
{
    limit(t);
    for (size_t i = 0; i < t->n; i++)
        t->items[i].rank = (uint32_t)i;
    sort(t, by_start_and_age);
    remove_aliases(t);
    set_ends(t);
    if (!is_disjoint(t))
        split_overlaps(t, ctx);
}

/* ---- finding -------------------------------------------------------------------------------- */

const symbol *symbol_table_find(const symbol_table *t, uint64_t address)
{
    size_t low = address_rank(t->items, t->n, sizeof *t->items, address);
    const symbol *s = low > 0 ? &t->items[low - 1] : NULL;
    return s != NULL && address < s->end ? s : NULL;
}
