/* A table of short names in front of the frame cache, for processors with AVX2: a name is hashed
 * and compared as one vector, in one cache line.
 *
 * The hash is NH over words of 32 bits (<brazier/text/hash.h> has it over 64): two different names
 * have the same one for at most one key in 2^32, and a product with another key selects the slot.
 */
#ifndef FOLDED_NAMES_H
#define FOLDED_NAMES_H

#include <brazier/host.h>
#include <brazier/text/cpu.h>
#include <brazier/text/hash.h>

#if BRZ_HAVE_AVX2
#include <immintrin.h>
#endif

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
/* Returns the first 32 bytes of a name, padded with zeros. Always reads 32 bytes. */
__attribute__((target("avx2"))) static inline __m256i names_load(const char *name, size_t len)
{
    static const int64_t mask[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
    const char *set = (const char *)mask + 32 - len; /* begins with `len` set bytes */
    return _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)name),
                            _mm256_loadu_si256((const __m256i *)(const void *)set));
}

__attribute__((target("avx2"))) static inline size_t names_hash(const names *t, __m256i name)
{
    __m256i keys = _mm256_loadu_si256((const __m256i *)(const void *)t->keys.add);
    __m256i sums = _mm256_add_epi32(name, keys);
    __m256i products = _mm256_mul_epu32(sums, _mm256_srli_epi64(sums, 32));
    __m128i half =
        _mm_add_epi64(_mm256_castsi256_si128(products), _mm256_extracti128_si256(products, 1));
    uint64_t sum = (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(half, _mm_unpackhi_epi64(half, half)));
    return (size_t)(sum * t->keys.times >> (64 - NAMES_BITS));
}

/* Returns the slot of a name of up to 32 bytes, or a free slot for it, or NULL. */
__attribute__((target("avx2"))) static inline name_slot *names_find(const names *t, __m256i name,
                                                                    size_t len)
{
    size_t at = names_hash(t, name), mask = ((size_t)1 << NAMES_BITS) - 1;
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
