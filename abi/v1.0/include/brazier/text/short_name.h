/* SPDX-License-Identifier: MIT */
/** @file
 * Hashes names of up to 32 bytes as one vector, for tables that hold their names in their slots.
 *
 * The hash is NH over words of 32 bits (<brazier/text/hash.h> has it over 64): two different names
 * have the same one for at most one key in 2^32, and a product with another key selects the slot.
 */
#ifndef BRAZIER_TEXT_SHORT_NAME_H
#define BRAZIER_TEXT_SHORT_NAME_H

#include <brazier/text/cpu.h>
#include <brazier/text/hash.h>

#if BRZ_HAVE_AVX2
#include <immintrin.h>

/** Returns the first 32 bytes of a name, padded with zeros. Always reads 32 bytes. */
__attribute__((target("avx2"))) static inline __m256i brz_short_name_load(const char *name,
                                                                          size_t len)
{
    static const int64_t mask[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
    const char *set = (const char *)mask + 32 - len; /* begins with `len` set bytes */
    return _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(const void *)name),
                            _mm256_loadu_si256((const __m256i *)(const void *)set));
}

/** Returns the hash of a name that was loaded. Its upper bits select a slot. */
__attribute__((target("avx2"))) static inline uint64_t brz_short_name_hash(
    const brz_hash_keys *keys, __m256i name)
{
    __m256i add = _mm256_loadu_si256((const __m256i *)(const void *)keys->add);
    __m256i sums = _mm256_add_epi32(name, add);
    __m256i products = _mm256_mul_epu32(sums, _mm256_srli_epi64(sums, 32));
    __m128i half =
        _mm_add_epi64(_mm256_castsi256_si128(products), _mm256_extracti128_si256(products, 1));
    uint64_t sum = (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(half, _mm_unpackhi_epi64(half, half)));
    return sum * keys->times;
}
#endif

#endif
