/* SPDX-License-Identifier: MIT */
/* Finds the semicolons of a stack, all of them at once: most names are shorter than a vector, so
 * searching for one at a time costs more. */
#ifndef FOLDED_SEMICOLONS_H
#define FOLDED_SEMICOLONS_H

#include <brazier/text/avx2.h>
#include <brazier/text/cpu.h>

#include <string.h>

#define SEMICOLONS_MOST  1024u /* longest text, in bytes */
#define SEMICOLONS_SPARE 4u    /* entries written beyond those that are found */

/* Writes the offset of each ';' in text[0..n) to `at` and returns their number. `n` is at most
 * SEMICOLONS_MOST; `at` has room for SEMICOLONS_MOST + SEMICOLONS_SPARE entries. May read up to 63
 * bytes after the text. */
typedef size_t semicolons_fn(const char *text, size_t n, uint32_t *at);

static inline size_t semicolons_portable(const char *text, size_t n, uint32_t *at)
{
    size_t found = 0;
    const char *end = text + n;
    for (const char *p = text; p < end && (p = memchr(p, ';', (size_t)(end - p))) != NULL; p++)
        at[found++] = (uint32_t)(p - text);
    return found;
}

#if BRZ_HAVE_AVX2
/* Always writes as many positions as most vectors have, which avoids branch mispredictions. */
__attribute__((target("avx2,bmi,popcnt"))) static inline size_t semicolons_avx2(const char *text,
                                                                                size_t n,
                                                                                uint32_t *at)
{
    const brz_vec32 semicolon = brz_fill32(';');
    size_t found = 0;
    for (size_t i = 0; i < n; i += 64) {
        uint64_t mask = brz_equal_mask64(text + i, semicolon);
        if (n - i < 64)
            mask &= (UINT64_C(1) << (n - i)) - 1;
        size_t count = (size_t)__builtin_popcountll(mask);
        uint32_t *out = at + found;
        for (size_t k = 0; k < SEMICOLONS_SPARE; k++) {
            out[k] = (uint32_t)i + brz_lowest_bit(mask);
            mask &= mask - 1;
        }
        for (size_t k = SEMICOLONS_SPARE; k < count; k++) {
            out[k] = (uint32_t)i + brz_lowest_bit(mask);
            mask &= mask - 1;
        }
        found += count;
    }
    return found;
}
#endif

/* Returns the fastest function for this processor. */
static inline semicolons_fn *semicolons_best(void)
{
    return BRZ_CPU_BEST(semicolons_avx2, semicolons_portable);
}

#endif
