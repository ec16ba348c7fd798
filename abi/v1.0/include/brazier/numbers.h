/* SPDX-License-Identifier: MIT */
/** @file
 * Generates the numbers with which palettes vary their colours: a random sequence, a hash of both
 * ends of a name, and FNV-1a. The numbers match those of other flame graph tools bit for bit.
 *
 * All arithmetic that affects a colour uses 32-bit floats.
 */
#ifndef BRAZIER_NUMBERS_H
#define BRAZIER_NUMBERS_H

#include <brazier/base.h>

#include <string.h>

/** Three numbers in the range [0, 1). The hash of an empty name is 1. */
typedef struct brz_numbers {
    float v[3]; /**< the numbers */
} brz_numbers;

/** The seed of the first frame that a picture draws. */
#define BRZ_FIRST_SEED UINT64_C(1234)

/** Returns the next state of xorshift64. */
static inline uint64_t brz_next_seed(uint64_t x)
{
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

/** Converts the upper 53 bits to a fraction. */
static inline float brz_unit_float(uint64_t x)
{
    return (float)((double)(x >> 11) / 9007199254740992.0);
}

/** Returns the random numbers of a drawn frame, from brz_color_in.seed: three steps of the
 * sequence. */
static inline brz_numbers brz_numbers_random(uint64_t seed)
{
    brz_numbers n = {{0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        seed = brz_next_seed(seed);
        n.v[i] = brz_unit_float(seed);
    }
    return n;
}

/** Removes everything up to and including the first backtick, unless the name begins with it: the
 * module in DTrace's module`function. */
static inline brz_str brz_without_module(brz_str name)
{
    if (name.len < 2)
        return name;
    const char *tick = (const char *)memchr(name.data + 1, '`', name.len - 1);
    if (tick == NULL)
        return name;
    size_t skip = (size_t)(tick + 1 - name.data);
    return brz_str_of(name.data + skip, name.len - skip);
}

/** Hashes the first three bytes (`step` 1), or the last three bytes backwards (`step` -1). */
static inline float brz_name_hash(brz_str name, int step)
{
    if (name.len == 0)
        return 1.0f;
    float vector = 0, weight = 1, max = 1;
    unsigned modulus = 10;
    const char *p = step > 0 ? name.data : name.data + name.len - 1;
    for (size_t i = 0; i < name.len && i < 3; i++, p += step, modulus++) {
        unsigned byte = (unsigned char)*p % modulus;
        vector += (float)byte / (float)(modulus - 1) * weight;
        max += weight;
        weight *= 0.70f;
    }
    return 1.0f - vector / max;
}

/** Returns numbers that depend on both ends of the name: names with equal beginnings get similar
 * colours. */
static inline brz_numbers brz_numbers_hash(brz_str name)
{
    brz_numbers n;
    name = brz_without_module(name);
    n.v[0] = brz_name_hash(name, 1);
    n.v[1] = n.v[2] = brz_name_hash(name, -1);
    return n;
}

/** Returns numbers that depend on the whole name. */
static inline brz_numbers brz_numbers_fnv(brz_str name)
{
    const uint64_t prime = UINT64_C(0x100000001b3);
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < name.len; i++)
        h = (h ^ (unsigned char)name.data[i]) * prime;
    brz_numbers n = {{0, 0, 0}};
    for (int i = 0; i < 3; i++, h *= prime)
        n.v[i] = (float)((double)h / 18446744073709551616.0);
    return n;
}

#endif
