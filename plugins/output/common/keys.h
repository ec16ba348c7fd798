/* SPDX-License-Identifier: MIT */
/* Assigns consecutive numbers to distinct 64-bit keys, in the order of their first use. */
#ifndef OUTPUT_COMMON_KEYS_H
#define OUTPUT_COMMON_KEYS_H

#include <brazier/plugin.h>
#include <brazier/text/hash.h>

typedef struct keys {
    brz_output_ctx *ctx;
    uint64_t *items; /* indexed by number */
    uint32_t n;
    size_t cap;
    uint32_t *slots; /* hash table of numbers from 1; 0: free */
    size_t n_slots;
    brz_hash_keys hash_keys;
} keys;

/* Initialises an empty table. The memory belongs to the plug-in instance. */
void keys_init(keys *k, brz_output_ctx *ctx);

/* Returns the number of a key, from 0; adds the key if it is new. */
uint32_t keys_add(keys *k, uint64_t key);

static inline uint64_t key_of_two(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

static inline uint32_t key_first(uint64_t key)
{
    return (uint32_t)(key >> 32);
}

static inline uint32_t key_second(uint64_t key)
{
    return (uint32_t)key;
}

#endif
