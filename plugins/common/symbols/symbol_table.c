/* Symbols of a module, in the order of their addresses. */
#include "symbol_table.h"

#include <brazier/symbol.h>
#include <brazier/text/buffer.h>

#include <stdlib.h>

/* The last symbol of a table ends behind the next page if its size is unknown. */
#define PAGE UINT64_C(4096)

void symbol_table_add(symbol_table *t, brz_ctx *ctx, symbol s)
{
    if (s.start == UINT64_MAX) /* no address is behind it */
        return;
    t->items = brz_list_room(ctx, t->items, t->n, &t->cap, sizeof *t->items);
    t->items[t->n++] = s;
}

/* ---- aliases ----------------------------------------------------------------------------------
 */

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

/* Compares numbers: negative if the first symbol is the better one. */
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

/* Keeps the first one of the symbols at each address. */
static void remove_aliases(symbol_table *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (n == 0 || t->items[i].start != t->items[n - 1].start)
            t->items[n++] = t->items[i];
    t->n = n;
}

/* ---- ends -------------------------------------------------------------------------------------
 */

/* Lets symbols without a size end at the next one. */
static void set_ends(symbol_table *t)
{
    for (size_t i = 0; i < t->n; i++) {
        symbol *s = &t->items[i];
        if (s->end > s->start)
            continue;
        uint64_t last = (s->start + PAGE - 1) / PAGE * PAGE + PAGE;
        s->end = i + 1 < t->n ? t->items[i + 1].start : last > s->start ? last : UINT64_MAX;
    }
}

/* Links each symbol to the nearest one before it that extends beyond its beginning. */
static void link_outer(symbol_table *t)
{
    for (size_t i = 1; i < t->n; i++) {
        uint32_t outer = (uint32_t)i;
        while (outer != 0 && t->items[outer - 1].end <= t->items[i].start)
            outer = t->items[outer - 1].outer;
        t->items[i].outer = outer;
    }
}

void symbol_table_finish(symbol_table *t)
{
    if (t->n > UINT32_MAX - 1)
        t->n = UINT32_MAX - 1;
    if (t->n > 0)
        qsort(t->items, t->n, sizeof *t->items, compare);
    remove_aliases(t);
    set_ends(t);
    link_outer(t);
}

/* ---- code that replaces older code ------------------------------------------------------------
 */

static int by_start_and_age(const void *x, const void *y)
{
    const symbol *a = x, *b = y;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->outer < b->outer ? 1 : -1; /* the later one first: it is kept */
}

/* Cuts symbols where a later one begins. `outer` holds their number. */
static void cut_overlaps(symbol_table *t)
{
    for (size_t i = 0; i + 1 < t->n; i++)
        if (t->items[i].end > t->items[i + 1].start && t->items[i + 1].outer > t->items[i].outer)
            t->items[i].end = t->items[i + 1].start;
    for (size_t i = 0; i < t->n; i++)
        t->items[i].outer = 0;
}

void symbol_table_finish_in_order(symbol_table *t)
{
    size_t n = 0;
    if (t->n == 0)
        return;
    for (size_t i = 0; i < t->n; i++)
        t->items[i].outer = (uint32_t)i;
    qsort(t->items, t->n, sizeof *t->items, by_start_and_age);
    for (size_t i = 0; i < t->n; i++)
        if (n == 0 || t->items[i].start != t->items[n - 1].start)
            t->items[n++] = t->items[i];
    t->n = n;
    cut_overlaps(t);
    symbol_table_finish(t);
}

/* ---- finding ----------------------------------------------------------------------------------
 */

const symbol *symbol_table_find(const symbol_table *t, uint64_t address)
{
    size_t low = 0, high = t->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (t->items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i != 0; i = t->items[i - 1].outer)
        if (address < t->items[i - 1].end)
            return &t->items[i - 1];
    return NULL;
}
