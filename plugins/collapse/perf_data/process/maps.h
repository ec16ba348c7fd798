/* SPDX-License-Identifier: MIT */
/* The mappings of an address space: ranges of addresses that do not overlap, in order.
 *
 * Ranges stand in blocks of limited size, so inserting one among many is cheap. Processes share an
 * address space after a fork until one of them maps something, and then the blocks that it leaves
 * unchanged.
 */
#ifndef PERF_DATA_MAPS_H
#define PERF_DATA_MAPS_H

#include <brazier/host.h>

/* Number of ranges in a block. */
#define MAPS_BLOCK 64

/* Number of ranges that are found again without a search: a power of two. */
#define MAPS_FOUND 8

/* A mapping. */
typedef struct map_range {
    uint64_t start, end; /* end > start */
    uint64_t offset;     /* of the first byte in the module */
    uint32_t module;
    uint32_t reserved;
} map_range;

typedef struct maps_block {
    uint32_t n;       /* above 0 */
    uint32_t n_users; /* address spaces that share it */
    map_range ranges[MAPS_BLOCK];
} maps_block;

typedef struct maps {
    maps_block **blocks;
    size_t n, cap; /* of blocks */
    size_t n_ranges;
    uint32_t n_users;            /* processes that share it */
    uint32_t n_pins;             /* uses for which it must not change */
    uint64_t pinned_for;         /* number that its last user gave to maps_pin */
    uint64_t version;            /* another one whenever it changes */
    map_range found[MAPS_FOUND]; /* by bits of an address in each; end 0: free */
} maps;

/* Memory that address spaces no longer use. */
typedef struct maps_pool {
    maps_block **free;
    size_t n_free, cap_free;
    maps **unused;
    size_t n_unused, cap_unused;
    uint64_t copied;  /* ranges copied so far */
    uint64_t version; /* newest one of an address space; 0: none */
} maps_pool;

/* Creates an empty address space with one user. */
maps *maps_create(maps_pool *pool, brz_ctx *ctx);

/* Returns an address space with another user. */
static inline maps *maps_share(maps *m)
{
    m->n_users++;
    return m;
}

/* Removes a user; the last one frees the memory. */
void maps_release(maps *m, maps_pool *pool, brz_ctx *ctx);

/* Keeps an address space as it is until it is unpinned: adding a range creates another one. Returns
 * false if it is already pinned for the same user, who unpins it once. */
static inline bool maps_pin(maps *m, uint64_t user)
{
    if (m->n_pins > 0 && m->pinned_for == user)
        return false;
    m->n_pins++;
    m->pinned_for = user;
    return true;
}

void maps_unpin(maps *m, maps_pool *pool, brz_ctx *ctx);

/* Adds a range, which replaces what it overlaps. Returns the address space: another one if the old
 * one has other users or is pinned. Returns NULL if copies of address spaces have become too many.
 */
maps *maps_add(maps *m, maps_pool *pool, brz_ctx *ctx, map_range range);

/* An address space, and where its ranges are kept once they were found: its own places, or those of
 * another thread. */
typedef struct maps_view {
    const maps *maps;
    map_range *found; /* MAPS_FOUND ranges */
} maps_view;

/* Returns the view of the thread that changes the address space, which may be NULL. */
static inline maps_view maps_own_view(maps *m)
{
    return (maps_view){m, m == NULL ? NULL : m->found};
}

/* Returns where the range at an address is kept once it was found. */
static inline map_range *maps_found(const maps_view *v, uint64_t address)
{
    return &v->found[(address >> 20 ^ address >> 32) % MAPS_FOUND];
}

/* Searches for the range at an address. Returns NULL if no range contains it. */
const map_range *maps_view_search(const maps_view *v, uint64_t address);

/* Returns the range at an address, or NULL. The next call invalidates it. */
static inline const map_range *maps_view_find(const maps_view *v, uint64_t address)
{
    const map_range *r = maps_found(v, address);
    return address >= r->start && address < r->end ? r : maps_view_search(v, address);
}

/* Returns the end of the last range, or 0. */
static inline uint64_t maps_end(const maps *m)
{
    if (m == NULL || m->n == 0)
        return 0;
    const maps_block *last = m->blocks[m->n - 1];
    return last->ranges[last->n - 1].end;
}

#endif
