/* SPDX-License-Identifier: MIT */
/* Maps pairs of numbers to numbers: a hash table with open addressing and random keys. */
#ifndef BRZ_COMMON_PAIR_MAP_H
#define BRZ_COMMON_PAIR_MAP_H

#include <brazier/host.h>
#include <brazier/text/hash.h>

/* The result of a lookup that finds nothing; never a value. */
#define PAIR_MISS UINT32_MAX

typedef struct pair_slot {
    uint64_t a, b;
    uint32_t value; /* PAIR_MISS: the slot is free */
    uint32_t reserved;
} pair_slot;

typedef struct pair_map {
    pair_slot *slots;
    size_t n_slots; /* a power of two */
    size_t room;    /* number of slots in the memory at `slots` */
    size_t used;
    brz_hash_keys keys;
} pair_map;

void pair_map_init(pair_map *m, brz_ctx *ctx);

/* Empties a zeroed or used map and makes room for `n` pairs, in the memory that it has if that is
 * enough. Takes time for `n` pairs, however many there were before. */
void pair_map_reset(pair_map *m, brz_ctx *ctx, size_t n);

/* Returns the slot of a pair: its own, or the free one where it belongs. Adding another pair
 * invalidates the pointer. */
static inline pair_slot *pair_map_slot(const pair_map *m, uint64_t a, uint64_t b)
{
    size_t mask = m->n_slots - 1, i = (size_t)brz_hash_pair(&m->keys, a, b) & mask;
    while (m->slots[i].value != PAIR_MISS && (m->slots[i].a != a || m->slots[i].b != b))
        i = (i + 1) & mask;
    return &m->slots[i];
}

/* Returns the value of a pair, or PAIR_MISS. */
static inline uint32_t pair_map_find(const pair_map *m, uint64_t a, uint64_t b)
{
    return pair_map_slot(m, a, b)->value;
}

/* Sets the value of a pair. */
void pair_map_put(pair_map *m, brz_ctx *ctx, uint64_t a, uint64_t b, uint32_t value);

#endif
