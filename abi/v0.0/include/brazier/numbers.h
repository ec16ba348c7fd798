/** @file
 * The three sources of numbers by which a palette varies its colours, bit for bit those that
 * flame graph readers know: a random sequence, a hash of a name's ends, and FNV-1a.
 *
 * All arithmetic that shows in a colour is in 32-bit floats.
 */
#ifndef BRAZIER_NUMBERS_H
#define BRAZIER_NUMBERS_H

#include <brazier/base.h>

#include <string.h>

/** Three numbers, each at least 0 and below 1 (the hash of an empty name is 1). */
typedef struct brz_numbers {
    float v[3]; /**< the numbers */
} brz_numbers;

/** The seed of a picture's first drawn frame. */
#define BRZ_FIRST_SEED UINT64_C(1234)

/** One step of xorshift64. */
static inline uint64_t brz_next_seed(uint64_t x)
{
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

/** The upper 53 bits as a fraction. */
static inline float brz_unit_float(uint64_t x)
{
    return (float)((double)(x >> 11) / 9007199254740992.0);
}

/** The numbers of a frame drawn with brz_color_in.seed: three steps of the sequence. */
static inline brz_numbers brz_numbers_random(uint64_t seed)
{
    brz_numbers n;
    for (int i = 0; i < 3; i++) {
        seed = brz_next_seed(seed);
        n.v[i] = brz_unit_float(seed);
    }
    return n;
}

/** The name without what stands through its first backtick, if that is not its first character:
 * the module of DTrace's module`function. */
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

/** Weighs the first three bytes (`step` 1) or the last three, backwards (`step` -1). */
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

/** By the ends of the name: names that begin alike look alike. */
static inline brz_numbers brz_numbers_hash(brz_str name)
{
    brz_numbers n;
    name = brz_without_module(name);
    n.v[0] = brz_name_hash(name, 1);
    n.v[1] = n.v[2] = brz_name_hash(name, -1);
    return n;
}

/** By the whole name. */
static inline brz_numbers brz_numbers_fnv(brz_str name)
{
    const uint64_t prime = UINT64_C(0x100000001b3);
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < name.len; i++)
        h = (h ^ (unsigned char)name.data[i]) * prime;
    brz_numbers n;
    for (int i = 0; i < 3; i++, h *= prime)
        n.v[i] = (float)((double)h / 18446744073709551616.0);
    return n;
}

#endif
