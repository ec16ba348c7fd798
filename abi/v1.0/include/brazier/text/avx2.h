/* SPDX-License-Identifier: MIT */
/** @file
 * Names the few AVX2 and BMI1 instructions that the text functions use. <immintrin.h> also declares
 * them, but has 46,000 lines, and would take half of the time of compiling a plug-in.
 *
 * Only functions compiled for these instructions, by the attribute `target`, can call what is
 * declared here.
 */
#ifndef BRAZIER_TEXT_AVX2_H
#define BRAZIER_TEXT_AVX2_H

#include <brazier/text/cpu.h>

#if BRZ_HAVE_AVX2

/** A vector of 32 bytes. The operators `==`, `|` and `^` work on each byte. */
typedef char brz_vec32 __attribute__((vector_size(32)));

/** A #brz_vec32 in memory, at any address. */
typedef char brz_vec32_at __attribute__((vector_size(32), aligned(1), may_alias));

/** Four integers in a vector, as a built-in function of the compiler takes it. */
typedef long long brz_vec32_long __attribute__((vector_size(32)));

/** Returns the 32 bytes at `p`. */
__attribute__((target("avx2"))) static inline brz_vec32 brz_load32(const void *p)
{
    return *(const brz_vec32_at *)p;
}

/** Returns a vector of 32 times `c`. */
__attribute__((target("avx2"))) static inline brz_vec32 brz_fill32(char c)
{
    const brz_vec32 zero = {0};
    return zero + c;
}

/** Returns a mask with a bit set for each byte that is equal in both vectors. */
__attribute__((target("avx2"))) static inline uint32_t brz_equal_mask32(brz_vec32 a, brz_vec32 b)
{
    return (uint32_t)__builtin_ia32_pmovmskb256((brz_vec32)(a == b));
}

/** Returns a mask of the 64 bytes at `p` with a bit set for each byte that is equal in `c`. */
__attribute__((target("avx2"))) static inline uint64_t brz_equal_mask64(const char *p, brz_vec32 c)
{
    uint64_t high = brz_equal_mask32(brz_load32(p + 32), c);
    return high << 32 | brz_equal_mask32(brz_load32(p), c);
}

/** Returns whether all bytes of a vector are 0. */
__attribute__((target("avx2"))) static inline bool brz_is_zero32(brz_vec32 x)
{
    return __builtin_ia32_ptestz256((brz_vec32_long)x, (brz_vec32_long)x) != 0;
}

/** Returns the number of the lowest bit that is set, or 64, without a branch. */
__attribute__((target("bmi"))) static inline uint32_t brz_lowest_bit(uint64_t mask)
{
#if __has_builtin(__builtin_ia32_tzcnt_u64)
    return (uint32_t)__builtin_ia32_tzcnt_u64(mask);
#else
    return mask == 0 ? 64 : (uint32_t)__builtin_ctzll(mask);
#endif
}

#endif

#endif
