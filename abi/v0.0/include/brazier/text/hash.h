/** @file
 * Hashes of short texts and of id sequences: not cryptographic, seeded per run.
 */
#ifndef BRAZIER_TEXT_HASH_H
#define BRAZIER_TEXT_HASH_H

#include <brazier/base.h>

#include <string.h>

#define BRZ_HASH_K1 UINT64_C(0x9e3779b97f4a7c15) /**< an odd constant with mixed bits */
#define BRZ_HASH_K2 UINT64_C(0xd6e8feb86659fd93) /**< another one */
#define BRZ_HASH_K3 UINT64_C(0xa0761d6478bd642f) /**< a third one */

/** Multiplies and folds the two halves of the product. */
static inline uint64_t brz_mix(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 wide;
    wide m = (wide)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
#else
    a ^= b >> 32 | b << 32;
    a *= BRZ_HASH_K1;
    a ^= a >> 29;
    a *= BRZ_HASH_K2;
    return a ^ a >> 32;
#endif
}

/** The eight bytes at p, which need not be aligned. */
static inline uint64_t brz_load64(const void *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/** The first 32 bytes of a text as four words, zero behind its end. */
typedef struct brz_words {
    uint64_t w[4]; /**< the words, in the byte order of the machine */
} brz_words;

/** Reads 32 bytes at p whatever n is: within a chunk the slack makes that safe. Symbols that fit
 * are then hashed and compared without a branch that depends on their length. */
static inline brz_words brz_words_load(const char *p, size_t n)
{
    brz_words v;
    for (size_t i = 0; i < 4; i++) {
        size_t have = n > 8 * i ? n - 8 * i : 0;
        uint64_t word = brz_load64(p + 8 * i);
        uint64_t mask = have >= 8 ? ~UINT64_C(0) : (UINT64_C(1) << (8 * (have & 7))) - 1;
        v.w[i] = word & mask;
    }
    return v;
}

/** Hashes 32 bytes. */
static inline uint64_t brz_words_hash(const brz_words *v, uint64_t seed)
{
    uint64_t a = brz_mix(v->w[0] ^ BRZ_HASH_K1, v->w[1] ^ seed);
    uint64_t b = brz_mix(v->w[2] ^ BRZ_HASH_K2, v->w[3] ^ BRZ_HASH_K3 ^ seed);
    return a ^ (b << 23 | b >> 41);
}

/** Hashes text of any length; reads up to 31 bytes behind it. */
static inline uint64_t brz_hash_text(const char *p, size_t n, uint64_t seed)
{
    uint64_t h = seed ^ n * BRZ_HASH_K2;
    for (; n > 32; p += 32, n -= 32) {
        brz_words v = brz_words_load(p, 32);
        h = brz_words_hash(&v, h);
    }
    brz_words v = brz_words_load(p, n);
    return brz_mix(brz_words_hash(&v, h), BRZ_HASH_K3);
}

/** One step of a hash over a sequence of ids. */
static inline uint64_t brz_hash_step(uint64_t h, uint32_t id)
{
    h = (h ^ id) * BRZ_HASH_K1;
    return h ^ h >> 29;
}

#endif
