/* SPDX-License-Identifier: MIT */
/* A table of short names in front of the frame cache, for processors with AVX2: a name is hashed
 * and compared as one vector, in one cache line.
 */
#ifndef FOLDED_NAMES_H
#define FOLDED_NAMES_H

#include <brazier/host.h>
#include <brazier/text/short_name.h>

#define NAMES_BITS   14u /* logarithm of the number of slots */
#define NAMES_PROBES 4u  /* slots examined per name */

/* A name of up to 32 bytes, padded with zeros. */
typedef struct name_slot {
    uint64_t words[4];
    uint32_t len;
    uint32_t id; /* frame + 1; 0: free */
    uint64_t reserved[3];
} name_slot;

typedef struct names {
    name_slot *slots; /* NULL: there is no table */
    brz_hash_keys keys;
} names;

/* Makes a table, whose pages cost nothing until they are used. */
static inline void names_init(names *t, brz_ctx *ctx)
{
    t->slots = ctx->host->alloc(ctx, ((size_t)1 << NAMES_BITS) * sizeof *t->slots, 64);
    t->keys = brz_hash_keys_of(ctx->seed);
}

#if BRZ_HAVE_AVX2
/* Returns the slot of a name of up to 32 bytes, or a free slot for it, or NULL. */
__attribute__((target("avx2"))) static inline name_slot *names_find(const names *t, __m256i name,
                                                                    size_t len)
{
    size_t at = (size_t)(brz_short_name_hash(&t->keys, name) >> (64 - NAMES_BITS));
    size_t mask = ((size_t)1 << NAMES_BITS) - 1;
    for (size_t i = 0; i < NAMES_PROBES; i++) {
        name_slot *s = &t->slots[(at + i) & mask];
        __m256i own = _mm256_load_si256((const __m256i *)(const void *)s->words);
        __m256i differ = _mm256_xor_si256(own, name);
        if (s->id == 0 || (s->len == len && _mm256_testz_si256(differ, differ)))
            return s;
    }
    return NULL;
}

__attribute__((target("avx2"))) static inline void names_put(name_slot *s, __m256i name, size_t len,
                                                             uint32_t id)
{
    _mm256_store_si256((__m256i *)(void *)s->words, name);
    s->len = (uint32_t)len;
    s->id = id + 1;
}
#endif

#endif
