/* SPDX-License-Identifier: MIT */
/* The mappings of an address space. */
#include "maps.h"

#include <brazier/text/buffer.h>

/* Maximum number of ranges that forks may copy. Processes usually map little between fork and exec;
 * the limit keeps a small input from describing an enormous number of mappings. */
#define COPIED_MAX (UINT64_C(1) << 21)

/* A place in an address space. */
typedef struct place {
    size_t block;
    uint32_t i; /* may be the number of ranges of the last block: the end */
} place;

/* ---- memory ---------------------------------------------------------------------------------- */

/* Returns an empty block with one user. */
static maps_block *new_block(maps_pool *pool, brz_ctx *ctx)
{
    maps_block *b = pool->n_free > 0 ? pool->free[--pool->n_free]
                                     : ctx->host->alloc(ctx, sizeof(maps_block), 0);
    b->n = 0;
    b->n_users = 1;
    return b;
}

/* Removes a user of a block; the last one frees it. */
static void release_block(maps_pool *pool, brz_ctx *ctx, maps_block *b)
{
    if (--b->n_users > 0)
        return;
    pool->free =
        brz_list_room(ctx, pool->free, pool->n_free, &pool->cap_free, sizeof(maps_block *));
    pool->free[pool->n_free++] = b;
}

/* Notes that an address space has changed. */
static void forget_found(maps *m, maps_pool *pool)
{
    m->version = ++pool->version;
    memset(m->found, 0, sizeof m->found);
}

maps *maps_create(maps_pool *pool, brz_ctx *ctx)
{
    maps *m =
        pool->n_unused > 0 ? pool->unused[--pool->n_unused] : ctx->host->alloc(ctx, sizeof *m, 0);
    m->n = m->n_ranges = 0;
    m->n_users = 1;
    m->n_pins = 0;
    forget_found(m, pool);
    return m;
}

/* Frees the memory of an address space without users. */
static void free_unused(maps *m, maps_pool *pool, brz_ctx *ctx)
{
    if (m->n_users > 0 || m->n_pins > 0)
        return;
    for (size_t i = 0; i < m->n; i++)
        release_block(pool, ctx, m->blocks[i]);
    m->n = 0;
    pool->unused =
        brz_list_room(ctx, pool->unused, pool->n_unused, &pool->cap_unused, sizeof(maps *));
    pool->unused[pool->n_unused++] = m;
}

void maps_release(maps *m, maps_pool *pool, brz_ctx *ctx)
{
    if (m == NULL)
        return;
    m->n_users--;
    free_unused(m, pool, ctx);
}

void maps_unpin(maps *m, maps_pool *pool, brz_ctx *ctx)
{
    m->n_pins--;
    free_unused(m, pool, ctx);
}

static void insert_block(maps *m, brz_ctx *ctx, size_t at, maps_block *b)
{
    m->blocks = brz_list_room(ctx, m->blocks, m->n, &m->cap, sizeof(maps_block *));
    memmove(m->blocks + at + 1, m->blocks + at, (m->n - at) * sizeof(maps_block *));
    m->blocks[at] = b;
    m->n++;
}

/* Returns a block of an address space for changes, without other users. */
static maps_block *own_block(maps *m, maps_pool *pool, brz_ctx *ctx, size_t at)
{
    maps_block *shared = m->blocks[at];
    if (shared->n_users == 1)
        return shared;
    maps_block *b = new_block(pool, ctx);
    b->n = shared->n;
    memcpy(b->ranges, shared->ranges, b->n * sizeof(map_range));
    shared->n_users--;
    m->blocks[at] = b;
    return b;
}

/* ---- finding --------------------------------------------------------------------------------- */

static const map_range *last_of(const maps_block *b)
{
    return &b->ranges[b->n - 1];
}

/* Returns the place of the first range that ends above an address. */
static place lower_bound(const maps *m, uint64_t address)
{
    size_t low = 0, high = m->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (last_of(m->blocks[middle])->end > address)
            high = middle;
        else
            low = middle + 1;
    }
    place p = {low, 0};
    while (low < m->n && m->blocks[low]->ranges[p.i].end <= address)
        p.i++;
    return p;
}

static const map_range *range_at(const maps *m, place p)
{
    return p.block < m->n ? &m->blocks[p.block]->ranges[p.i] : NULL;
}

const map_range *maps_view_search(const maps_view *v, uint64_t address)
{
    const map_range *r = range_at(v->maps, lower_bound(v->maps, address));
    if (r == NULL || r->start > address)
        return NULL;
    map_range *found = maps_found(v, address);
    *found = *r;
    return found;
}

/* ---- changing -------------------------------------------------------------------------------- */

/* Moves the upper half of a full block to a new one after it. */
static void split_block(maps *m, maps_pool *pool, brz_ctx *ctx, size_t at)
{
    maps_block *from = own_block(m, pool, ctx, at), *to = new_block(pool, ctx);
    insert_block(m, ctx, at + 1, to);
    to->n = from->n / 2;
    from->n -= to->n;
    memcpy(to->ranges, from->ranges + from->n, to->n * sizeof(map_range));
}

static void insert(maps *m, maps_pool *pool, brz_ctx *ctx, map_range range)
{
    place p = lower_bound(m, range.start);
    if (m->n == 0)
        insert_block(m, ctx, 0, new_block(pool, ctx));
    if (p.block == m->n) {
        p.block = m->n - 1;
        p.i = m->blocks[p.block]->n;
    }
    if (m->blocks[p.block]->n == MAPS_BLOCK) {
        split_block(m, pool, ctx, p.block);
        uint32_t n = m->blocks[p.block]->n;
        p = p.i > n ? (place){p.block + 1, p.i - n} : p;
    }
    maps_block *b = own_block(m, pool, ctx, p.block);
    memmove(b->ranges + p.i + 1, b->ranges + p.i, (b->n - p.i) * sizeof(map_range));
    b->ranges[p.i] = range;
    b->n++;
    m->n_ranges++;
}

static void remove_at(maps *m, maps_pool *pool, brz_ctx *ctx, place p)
{
    maps_block *b = own_block(m, pool, ctx, p.block);
    b->n--;
    m->n_ranges--;
    memmove(b->ranges + p.i, b->ranges + p.i + 1, (b->n - p.i) * sizeof(map_range));
    if (b->n > 0)
        return;
    release_block(pool, ctx, b);
    m->n--;
    memmove(m->blocks + p.block, m->blocks + p.block + 1, (m->n - p.block) * sizeof(maps_block *));
}

/* Removes the ranges in [start, end); those at the edges are cut. */
static void clear(maps *m, maps_pool *pool, brz_ctx *ctx, uint64_t start, uint64_t end)
{
    for (;;) {
        place p = lower_bound(m, start);
        const map_range *r = range_at(m, p);
        if (r == NULL || r->start >= end)
            return;
        map_range after = *r;
        if (r->start < start)
            own_block(m, pool, ctx, p.block)->ranges[p.i].end = start;
        else
            remove_at(m, pool, ctx, p);
        if (after.end <= end)
            continue;
        after.offset += end - after.start;
        after.start = end;
        insert(m, pool, ctx, after);
        return;
    }
}

/* Returns an address space without other users. Copies of pinned ones do not count. */
static maps *own(maps *m, maps_pool *pool, brz_ctx *ctx)
{
    if (m->n_users == 1 && m->n_pins == 0)
        return m;
    pool->copied += m->n_users > 1 ? m->n_ranges : 0;
    if (pool->copied > COPIED_MAX)
        return NULL;
    maps *copy = maps_create(pool, ctx);
    for (size_t i = 0; i < m->n; i++) {
        insert_block(copy, ctx, i, m->blocks[i]);
        m->blocks[i]->n_users++;
    }
    copy->n_ranges = m->n_ranges;
    m->n_users--;
    return copy;
}

maps *maps_add(maps *m, maps_pool *pool, brz_ctx *ctx, map_range range)
{
    m = own(m, pool, ctx);
    if (m == NULL)
        return NULL;
    clear(m, pool, ctx, range.start, range.end);
    insert(m, pool, ctx, range);
    forget_found(m, pool);
    return m;
}
