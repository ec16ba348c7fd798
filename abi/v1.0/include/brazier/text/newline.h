/* SPDX-License-Identifier: MIT */
/** @file
 * Finds the newlines of a block, with AVX2 if the processor has it and with memchr otherwise.
 */
#ifndef BRAZIER_TEXT_NEWLINE_H
#define BRAZIER_TEXT_NEWLINE_H

#include <brazier/text/avx2.h>
#include <brazier/text/cpu.h>

#include <string.h>

/** Number of entries that a #brz_newline_fn may write beyond those that it finds. */
#define BRZ_NEWLINE_SPARE 4

/** Writes the offset of each newline in buf[0..n) to `ends` and returns their number. `ends` must
 * have room for n + BRZ_NEWLINE_SPARE entries. `n` must be below 4 GiB. */
typedef size_t brz_newline_fn(const uint8_t *buf, size_t n, uint32_t *ends);

/** Implements #brz_newline_fn for every processor. */
static inline size_t brz_newlines_portable(const uint8_t *buf, size_t n, uint32_t *ends)
{
    size_t found = 0;
    const uint8_t *p = buf, *end = buf + n;
    while (p < end && (p = (const uint8_t *)memchr(p, '\n', (size_t)(end - p))) != NULL)
        ends[found++] = (uint32_t)(p++ - buf);
    return found;
}

#if BRZ_HAVE_AVX2
/** Implements #brz_newline_fn with AVX2. Lines of profiles are about as long as a vector, so it
 * always writes three positions, which avoids branch mispredictions, and then the others. */
__attribute__((target("avx2,bmi"))) static inline size_t brz_newlines_avx2(const uint8_t *buf,
                                                                           size_t n, uint32_t *ends)
{
    const brz_vec32 newline = brz_fill32('\n');
    size_t found = 0, i = 0;
    for (; i + 64 <= n; i += 64) {
        uint64_t mask = brz_equal_mask64((const char *)buf + i, newline);
        __builtin_prefetch(buf + i + 1024);
        size_t count = (size_t)__builtin_popcountll(mask);
        uint32_t *out = ends + found;
        for (int k = 0; k < 3; k++) {
            out[k] = (uint32_t)i + brz_lowest_bit(mask);
            mask &= mask - 1;
        }
        for (size_t k = 3; k < count; k++) {
            out[k] = (uint32_t)i + brz_lowest_bit(mask);
            mask &= mask - 1;
        }
        found += count;
    }
    for (; i < n; i++)
        if (buf[i] == '\n')
            ends[found++] = (uint32_t)i;
    return found;
}
#endif

/** Returns the fastest #brz_newline_fn for this processor. */
static inline brz_newline_fn *brz_newlines_best(void)
{
    return BRZ_CPU_BEST(brz_newlines_avx2, brz_newlines_portable);
}

#endif
