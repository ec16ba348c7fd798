/* Numbers of 64 bits as dense ones: each distinct key once, in the order in which they are met. */
#ifndef OUTPUT_COMMON_KEYS_H
#define OUTPUT_COMMON_KEYS_H

#include <brazier/plugin.h>

typedef struct keys {
    brz_ctx *ctx;
    uint64_t *items; /* by number */
    uint32_t n;
    size_t cap;
    uint32_t *slots; /* numbers from 1, by hash; 0: free */
    size_t n_slots;
} keys;

/* Memory is the instance's. */
void keys_init(keys *k, brz_ctx *ctx);

/* The number of a key, from 0. */
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
