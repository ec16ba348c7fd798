/* SPDX-License-Identifier: MIT */
/* Symbols of files, of which only those at the addresses that are looked up are read.
 *
 * The places of symbols are sorted by their addresses. Of the symbols that have an address, the one
 * with the highest start counts, so a lookup reads the last symbol at or before the address, and
 * only if that one ends before it, others that end after it.
 */
#include "symbol_index.h"

#include "address_rank.h"

#include <stdlib.h>

/* Number of bits by which places are sorted at a time. */
#define DIGIT_BITS 11
#define DIGITS     ((size_t)1 << DIGIT_BITS)

/* Number of symbols that a lookup reads until all symbols are sorted instead: it needs that many
 * only where symbols overlap in odd ways. */
#define READ_MAX 256

/* Symbols that are examined: places[from..to), all of one address. */
typedef struct group {
    size_t from, to;
    size_t n_read; /* groups before */
} group;

void symbol_index_init(symbol_index *x, brz_ctx *ctx, symbol_read *read, void *context)
{
    *x = (symbol_index){.ctx = ctx, .read = read, .context = context};
}

void symbol_index_reserve(symbol_index *x, size_t more)
{
    size_t cap = x->n + more;
    if (cap <= x->cap)
        return;
    symbol_place *places = x->ctx->host->alloc(x->ctx, cap * sizeof *places, 0);
    if (x->n > 0)
        memcpy(places, x->places, x->n * sizeof *places);
    x->places = places;
    x->cap = cap;
}

/* ---- order ---------------------------------------------------------------------------------- */

/* Returns the bits in which addresses differ, or 0 if they are in order. */
static uint64_t bits_to_sort(const symbol_index *x)
{
    uint64_t bits = 0;
    bool is_sorted = true;
    for (size_t i = 1; i < x->n; i++) {
        bits |= x->places[i].start ^ x->places[0].start;
        is_sorted &= x->places[i - 1].start <= x->places[i].start;
    }
    return is_sorted ? 0 : bits;
}

/* Sorts places by a digit of their addresses; keeps the order of equal ones. */
static void sort_by_digit(const symbol_place *from, symbol_place *to, size_t n, unsigned shift)
{
    uint32_t next[DIGITS] = {0};
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++)
        next[from[i].start >> shift & (DIGITS - 1)]++;
    for (size_t i = 0; i < DIGITS; i++) {
        uint32_t count = next[i];
        next[i] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[next[from[i].start >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sorts places with the help of other memory of their size. */
static void sort_with(symbol_index *x, symbol_place *other, uint64_t bits)
{
    symbol_place *from = x->places, *to = other;
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        if ((bits >> shift & (DIGITS - 1)) == 0)
            continue;
        sort_by_digit(from, to, x->n, shift);
        symbol_place *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != x->places)
        memcpy(x->places, from, x->n * sizeof *from);
}

static void sort_places(symbol_index *x)
{
    uint64_t bits = bits_to_sort(x);
    if (bits == 0)
        return;
    symbol_place *memory = malloc(x->n * sizeof *memory), *other = memory;
    if (memory == NULL)
        other = x->ctx->host->alloc(x->ctx, x->n * sizeof *other, 0);
    sort_with(x, other, bits);
    free(memory);
}

static uint64_t end_of(const symbol_place *p)
{
    return p->start + p->size;
}

/* Links each place to the last one before that ends after it. */
static void link_places(symbol_index *x)
{
    for (size_t i = 1; i < x->n; i++) {
        uint32_t outer = (uint32_t)i;
        while (outer > 0 && end_of(&x->places[outer - 1]) <= end_of(&x->places[i]))
            outer = x->outer[outer - 1];
        x->outer[i] = outer;
    }
}

/* Makes room for what is known about the places. Uses the memory of the last time if it is large
 * enough. */
static void make_room(symbol_index *x)
{
    const brz_collapser_host *host = x->ctx->host;
    bool is_new = x->cap > x->known_cap;
    if (is_new)
        x->known = host->alloc(x->ctx, x->cap * sizeof *x->known, 0);
    else
        memset(x->known, 0, x->n * sizeof *x->known);
    if (x->has_sizes && (is_new || x->outer == NULL))
        x->outer = host->alloc(x->ctx, x->cap * sizeof *x->outer, 0);
    x->known_cap = x->cap;
}

void symbol_index_finish(symbol_index *x)
{
    x->is_whole = false;
    if (x->n == 0)
        return;
    sort_places(x);
    make_room(x);
    if (x->has_sizes)
        link_places(x);
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Stands for addresses whose symbols do not count. */
static const symbol no_symbol;

/* Reads the symbols at places[from..to). */
static symbol_table read_places(symbol_index *x, size_t from, size_t to)
{
    symbol_table t = {.cap = to - from};
    t.items = x->ctx->host->alloc(x->ctx, t.cap * sizeof *t.items, 0);
    for (size_t i = from; i < to; i++) {
        const symbol_place *p = &x->places[i];
        symbol s = {.start = p->start, .end = p->size > 0 ? end_of(p) : 0};
        s.flags = p->size > 0 ? SYMBOL_SIZED : 0;
        if (x->read(x->context, p, &s))
            symbol_table_add(&t, x->ctx, s);
    }
    return t;
}

/* Returns the symbol of a group, or NULL. */
static const symbol *symbol_of(symbol_index *x, const group *g)
{
    const symbol **known = &x->known[g->to - 1];
    if (*known == NULL) {
        symbol_table t = read_places(x, g->from, g->to);
        symbol_table_order(&t);
        *known = t.n > 0 ? t.items : &no_symbol;
    }
    return *known == &no_symbol ? NULL : *known;
}

const symbol_table *symbol_index_all(symbol_index *x)
{
    if (!x->is_whole) {
        x->all = read_places(x, 0, x->n);
        symbol_table_finish(&x->all, x->ctx);
        x->is_whole = true;
    }
    return &x->all;
}

/* ---- finding -------------------------------------------------------------------------------- */

static size_t rank_of(const symbol_index *x, uint64_t address)
{
    return address_rank(x->places, x->n, sizeof *x->places, address);
}

/* Continues with the group of a place. Returns its symbol, or NULL. */
static const symbol *enter_group(symbol_index *x, group *g, size_t place)
{
    uint64_t start = x->places[place].start;
    bool has_before = place > 0 && x->places[place - 1].start == start;
    bool has_after = place + 1 < x->n && x->places[place + 1].start == start;
    g->from = !has_before ? place : start > 0 ? rank_of(x, start - 1) : 0;
    g->to = has_after ? rank_of(x, start) : place + 1;
    g->n_read++;
    return symbol_of(x, g);
}

/* Returns the last symbol that begins at or before an address, or NULL. */
static const symbol *last_before(symbol_index *x, group *g, uint64_t address)
{
    const symbol *s = NULL;
    g->from = rank_of(x, address);
    while (s == NULL && g->from > 0 && g->n_read < READ_MAX)
        s = enter_group(x, g, g->from - 1);
    return s;
}

/* Returns whether a symbol follows a group; after too many groups, false. */
static bool is_followed(symbol_index *x, group *of)
{
    group g = *of;
    bool found = false;
    while (!found && g.to < x->n && g.n_read < READ_MAX)
        found = enter_group(x, &g, g.to) != NULL;
    of->n_read = g.n_read;
    return found;
}

/* Returns the last symbol before a group that ends after an address, or NULL. */
static const symbol *find_around(symbol_index *x, group *g, uint64_t address)
{
    while (x->has_sizes && g->n_read < READ_MAX) {
        size_t outer = g->from;
        while (outer > 0 && end_of(&x->places[outer - 1]) <= address)
            outer = x->outer[outer - 1];
        if (outer == 0)
            return NULL;
        const symbol *s = enter_group(x, g, outer - 1);
        if (s != NULL && s->end > address)
            return s;
    }
    return NULL;
}

const symbol *symbol_index_find(symbol_index *x, uint64_t address)
{
    group g = {.n_read = 0};
    if (x->is_whole)
        return symbol_table_find(&x->all, address);
    const symbol *s = last_before(x, &g, address);
    if (s != NULL && s->end > address)
        return s;
    if (s != NULL && s->end == 0 && (is_followed(x, &g) || address < symbol_last_end(s)))
        return s;
    s = find_around(x, &g, address);
    return g.n_read < READ_MAX ? s : symbol_table_find(symbol_index_all(x), address);
}

const symbol *symbol_index_at(symbol_index *x, uint64_t start)
{
    group g = {.n_read = 0};
    size_t to = rank_of(x, start);
    bool found = to > 0 && x->places[to - 1].start == start;
    return found ? enter_group(x, &g, to - 1) : NULL;
}

bool symbol_index_is_open(symbol_index *x, uint64_t address)
{
    group g = {.n_read = 0};
    const symbol *s = last_before(x, &g, address);
    return s != NULL ? s->end == 0 : g.n_read == READ_MAX;
}
