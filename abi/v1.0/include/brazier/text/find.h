/* SPDX-License-Identifier: MIT */
/** @file
 * Searches and compares texts from their ends: lines of profiles are best parsed from the end, and
 * adjacent stacks have most in common there.
 */
#ifndef BRAZIER_TEXT_FIND_H
#define BRAZIER_TEXT_FIND_H

#include <brazier/text/avx2.h>
#include <brazier/text/cpu.h>

/** 1 if every processor of the target has SSE2. */
#if defined(__SSE2__) && defined(__GNUC__) && !defined(BRZ_PORTABLE)
#define BRZ_HAVE_SSE2 1
#include <emmintrin.h>
#else
#define BRZ_HAVE_SSE2 0
#endif

#if BRZ_HAVE_SSE2
/** Returns a mask of the 64 bytes at `p` with a bit set for each byte that is `c`. */
static inline uint64_t brz_byte_mask64(const char *p, char c)
{
    const __m128i want = _mm_set1_epi8(c);
    uint64_t mask = 0;
    for (size_t i = 0; i < 4; i++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, want)) << (16 * i);
    }
    return mask;
}
#endif

/** Returns the last `c` in [from, end), or NULL. Reads up to 63 bytes before `from`, so the text
 * must be in a chunk, which has readable bytes in front of it. */
static inline const char *brz_rfind_near(const char *from, const char *end, char c)
{
#if BRZ_HAVE_SSE2
    while (end > from) {
        size_t left = (size_t)(end - from);
        uint64_t mask = brz_byte_mask64(end - 64, c);
        if (left < 64)
            mask &= ~UINT64_C(0) << (64 - left);
        if (mask != 0)
            return end - 1 - __builtin_clzll(mask);
        end -= left < 64 ? left : 64;
    }
    return NULL;
#else
    while (end > from)
        if (*--end == c)
            return end;
    return NULL;
#endif
}

/** Returns the last `c` of a text, or NULL. Reads nothing outside of the text. */
static inline const char *brz_rfind(brz_str s, char c)
{
    for (size_t i = s.len; i-- > 0;)
        if (s.data[i] == c)
            return s.data + i;
    return NULL;
}

/** Returns the length, at most `n`, of the common suffix of the texts that end at `a` and `b`. */
typedef size_t brz_suffix_fn(const char *a, const char *b, size_t n);

/** Implements #brz_suffix_fn for every processor. */
static inline size_t brz_suffix_portable(const char *a, const char *b, size_t n)
{
    size_t same = 0;
    while (same < n && a[-1 - (ptrdiff_t)same] == b[-1 - (ptrdiff_t)same])
        same++;
    return same;
}

/** Returns the length, at most `n`, of the common prefix of the texts at `a` and `b`. May read up
 * to 31 bytes after the `n` bytes, so the texts must be in a chunk, which is followed by readable
 * bytes. */
typedef size_t brz_prefix_fn(const char *a, const char *b, size_t n);

/** Implements #brz_prefix_fn for every processor. */
static inline size_t brz_prefix_portable(const char *a, const char *b, size_t n)
{
    size_t same = 0;
    while (same < n && a[same] == b[same])
        same++;
    return same;
}

#if BRZ_HAVE_AVX2
/** Returns a mask of 32 bytes with a bit set for each byte that differs. */
__attribute__((target("avx2"))) static inline uint32_t brz_differ32(const char *a, const char *b)
{
    return ~brz_equal_mask32(brz_load32(a), brz_load32(b));
}

/** Returns whether two blocks of 64 bytes are equal. */
__attribute__((target("avx2"))) static inline bool brz_equal64(const char *a, const char *b)
{
    return brz_is_zero32((brz_load32(a) ^ brz_load32(b)) |
                         (brz_load32(a + 32) ^ brz_load32(b + 32)));
}

/** Implements #brz_suffix_fn with AVX2. */
__attribute__((target("avx2"))) static inline size_t brz_suffix_avx2(const char *a, const char *b,
                                                                     size_t n)
{
    const char *from = a, *stop = a - n / 32 * 32;
    ptrdiff_t other = b - a;
    for (; a - stop >= 64 && brz_equal64(a - 64, a - 64 + other); a -= 64)
        ;
    for (; a > stop; a -= 32) {
        uint32_t differ = brz_differ32(a - 32, a - 32 + other);
        if (differ != 0)
            return (size_t)(from - a) + (size_t)__builtin_clz(differ);
    }
    return (size_t)(from - a) + brz_suffix_portable(a, a + other, n % 32);
}

/** Implements #brz_prefix_fn with AVX2. */
__attribute__((target("avx2"))) static inline size_t brz_prefix_avx2(const char *a, const char *b,
                                                                     size_t n)
{
    for (size_t same = 0; same < n; same += 32) {
        uint32_t differ = brz_differ32(a + same, b + same);
        if (differ == 0)
            continue;
        same += (size_t)__builtin_ctz(differ);
        return same < n ? same : n;
    }
    return n;
}
#endif

/** Returns the fastest #brz_prefix_fn for this processor. */
static inline brz_prefix_fn *brz_prefix_best(void)
{
    return BRZ_CPU_BEST(brz_prefix_avx2, brz_prefix_portable);
}

/** Returns the fastest #brz_suffix_fn for this processor. */
static inline brz_suffix_fn *brz_suffix_best(void)
{
    return BRZ_CPU_BEST(brz_suffix_avx2, brz_suffix_portable);
}

#if BRZ_HAVE_SSE2
/** Returns a mask of 16 bytes with a bit set for each hexadecimal digit. */
static inline uint32_t brz_hex_mask16(__m128i x)
{
    __m128i digit = _mm_sub_epi8(x, _mm_set1_epi8('0'));
    __m128i letter = _mm_sub_epi8(_mm_or_si128(x, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    __m128i ok = _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit),
                              _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter));
    return (uint32_t)_mm_movemask_epi8(ok);
}
#endif

/** Returns whether all of the `n` bytes at `p` are hexadecimal digits. Always reads 16 bytes. */
static inline bool brz_all_hex_near(const char *p, size_t n)
{
#if BRZ_HAVE_SSE2
    if (n <= 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
        return (~brz_hex_mask16(x) & ((1u << n) - 1)) == 0;
    }
#endif
    for (size_t i = 0; i < n; i++) {
        int c = p[i] | 0x20;
        if (!(p[i] >= '0' && p[i] <= '9') && !(c >= 'a' && c <= 'f'))
            return false;
    }
    return true;
}

#endif
