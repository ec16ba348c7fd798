/* SPDX-License-Identifier: MIT */
/** @file
 * Keyed hashes of short texts, of sequences of ids and of numbers, for hash tables.
 *
 * Crafted input must not be able to fill one bucket of a table. Every factor of every
 * multiplication therefore depends on a key derived from `ctx->seed`, which is random and does not
 * affect results:
 *
 * - A text is compressed 32 bytes at a time by NH, the hash of UMAC: words are added to keys, the
 *   sums are multiplied in pairs, and the 128-bit products are added up. For any two different
 *   blocks and any given difference of their hashes, at most one choice of keys in 2^64 produces
 *   that difference (Black, Halevi, Krawczyk, Krovetz, Rogaway: UMAC, 1999). The hash of the
 *   previous blocks enters as a further product with an odd key, so two different hashes never
 *   cancel out over equal blocks.
 * - A sequence of ids is a polynomial over the field of 2^61 - 1 elements whose variable is a key.
 *   Two different sequences of up to n ids agree for at most n of 2^60 keys (Carter, Wegman: New
 *   hash functions, 1981).
 * - Both end in a product of two keyed factors whose halves are folded, so that every bit of the
 *   hash is suitable for selecting a slot.
 *
 * Two inputs may therefore collide for some keys, but no two inputs collide for all keys. The
 * functions are not cryptographic: an attacker who sees hashes can recover the keys.
 */
#ifndef BRAZIER_TEXT_HASH_H
#define BRAZIER_TEXT_HASH_H

#include <brazier/base.h>

#include <string.h>

/** The secret keys of a hash function. */
typedef struct brz_hash_keys {
    uint64_t add[4];  /**< added to the words of a block */
    uint64_t times;   /**< odd; multiplies the hash of the previous blocks */
    uint64_t step;    /**< the variable of the polynomial: above 1, below 2^60 */
    uint64_t fold[2]; /**< mixed into the factors of the last product */
} brz_hash_keys;

/** Derives the keys from a seed: eight numbers of the SplitMix64 sequence that begins there. */
static inline brz_hash_keys brz_hash_keys_of(uint64_t seed)
{
    uint64_t numbers[8];
    for (size_t i = 0; i < 8; i++) {
        uint64_t x = seed += UINT64_C(0x9e3779b97f4a7c15);
        x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
        numbers[i] = x ^ x >> 31;
    }
    brz_hash_keys k;
    memcpy(k.add, numbers, sizeof k.add);
    k.times = numbers[4] | 1;
    k.step = numbers[5] >> 4 | 2;
    memcpy(k.fold, numbers + 6, sizeof k.fold);
    return k;
}

#if defined(__SIZEOF_INT128__) && !defined(BRZ_PORTABLE)
/** A 128-bit number. */
__extension__ typedef unsigned __int128 brz_wide;

/** Multiplies two numbers. */
static inline brz_wide brz_wide_product(uint64_t a, uint64_t b)
{
    return (brz_wide)a * b;
}

/** Adds two numbers modulo 2^128. */
static inline brz_wide brz_wide_sum(brz_wide a, brz_wide b)
{
    return a + b;
}

/** Returns the lower half of a number. */
static inline uint64_t brz_wide_low(brz_wide w)
{
    return (uint64_t)w;
}

/** Returns the upper half of a number. */
static inline uint64_t brz_wide_high(brz_wide w)
{
    return (uint64_t)(w >> 64);
}
#else
/** A 128-bit number. */
typedef struct brz_wide {
    uint64_t low;  /**< lower half */
    uint64_t high; /**< upper half */
} brz_wide;

/** Multiplies two numbers. */
static inline brz_wide brz_wide_product(uint64_t a, uint64_t b)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)middle;
    brz_wide p;
    p.low = other << 32 | (uint32_t)(a0 * b0);
    p.high = a1 * b1 + (middle >> 32) + (other >> 32);
    return p;
}

/** Adds two numbers modulo 2^128. */
static inline brz_wide brz_wide_sum(brz_wide a, brz_wide b)
{
    brz_wide s;
    s.low = a.low + b.low;
    s.high = a.high + b.high + (s.low < a.low);
    return s;
}

/** Returns the lower half of a number. */
static inline uint64_t brz_wide_low(brz_wide w)
{
    return w.low;
}

/** Returns the upper half of a number. */
static inline uint64_t brz_wide_high(brz_wide w)
{
    return w.high;
}
#endif

/** Multiplies two numbers and folds the halves of the product. The result is 0 if a factor is 0, so
 * each factor must depend on a key. */
static inline uint64_t brz_mix(uint64_t a, uint64_t b)
{
    brz_wide m = brz_wide_product(a, b);
    return brz_wide_low(m) ^ brz_wide_high(m);
}

/** Hashes two numbers. */
static inline uint64_t brz_hash_pair(const brz_hash_keys *k, uint64_t a, uint64_t b)
{
    return brz_mix(a ^ k->fold[0], b ^ k->fold[1]);
}

/** Loads the eight bytes at `p`, which need not be aligned. */
static inline uint64_t brz_load64(const void *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/** The first 32 bytes of a text as four words, padded with zeros. */
typedef struct brz_words {
    uint64_t w[4]; /**< the words, in the machine's byte order */
} brz_words;

/** Loads the first 32 bytes of a text. Always reads 32 bytes at `p`, which is safe within a chunk,
 * so that short symbols are hashed and compared without branches that depend on their length. */
static inline brz_words brz_words_load(const char *p, size_t n)
{
    static const uint64_t mask[8] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0, 0, 0, 0};
    const char *from = (const char *)mask + 32 - (n < 32 ? n : 32); /* n set bytes */
    brz_words v = {{0, 0, 0, 0}};
    for (size_t i = 0; i < 4; i++)
        v.w[i] = brz_load64(p + 8 * i) & brz_load64(from + 8 * i);
    return v;
}

/** Hashes a block of 32 bytes together with a number: the hash of the previous blocks or the length
 * of the text, which distinguishes padding from zero bytes. */
static inline uint64_t brz_words_hash(const brz_hash_keys *k, const brz_words *v, uint64_t more)
{
    brz_wide front = brz_wide_product(v->w[0] + k->add[0], v->w[1] + k->add[1]);
    brz_wide back = brz_wide_product(v->w[2] + k->add[2], v->w[3] + k->add[3]);
    brz_wide sum = brz_wide_sum(front, back);
    sum = brz_wide_sum(sum, brz_wide_product(more, k->times));
    return brz_hash_pair(k, brz_wide_low(sum), brz_wide_high(sum));
}

/** Hashes a text of any length together with a number, such as another hash. Reads up to 31 bytes
 * after the text. */
static inline uint64_t brz_hash_text(const brz_hash_keys *k, const char *p, size_t n, uint64_t more)
{
    uint64_t h = more;
    for (; n > 32; p += 32, n -= 32) {
        brz_words v = brz_words_load(p, 32);
        h = brz_words_hash(k, &v, h);
    }
    brz_words v = brz_words_load(p, n);
    return brz_words_hash(k, &v, h ^ n);
}

/** Hashes a text without reading anything outside of it. */
static inline uint64_t brz_hash_str(const brz_hash_keys *k, brz_str s)
{
    uint64_t h = 0;
    brz_words v = {{0, 0, 0, 0}};
    for (; s.len > sizeof v; s.data += sizeof v, s.len -= sizeof v) {
        memcpy(&v, s.data, sizeof v);
        h = brz_words_hash(k, &v, h);
    }
    memset(&v, 0, sizeof v);
    if (s.len > 0)
        memcpy(&v, s.data, s.len);
    return brz_words_hash(k, &v, h ^ s.len);
}

/** The hash of an empty sequence of ids. */
#define BRZ_HASH_EMPTY UINT64_C(1)

/** Extends the hash of a sequence of ids by one id: h * step + id modulo 2^61 - 1, not fully
 * reduced. Pass the result through brz_hash_pair() to select a slot. */
static inline uint64_t brz_hash_step(const brz_hash_keys *k, uint64_t h, uint32_t id)
{
    brz_wide p = brz_wide_product(h, k->step);
    uint64_t low = brz_wide_low(p), high = brz_wide_high(p);
    return (low & ((UINT64_C(1) << 61) - 1)) + (high << 3 | low >> 61) + id;
}

#endif
