/* Finds blank lines, which end samples: a search for two newlines in a row costs less than an index
 * of all lines.
 */
#ifndef PERF_BLANK_LINE_H
#define PERF_BLANK_LINE_H

#include <brazier/text/cpu.h>

#include <string.h>

#if BRZ_HAVE_AVX2
#include <immintrin.h>
#endif

/* Returns the end of the first empty line that follows another line in [from, end), or `end`. Reads
 * up to 64 bytes after `end`, so the text must be in a chunk. */
typedef const char *blank_line_fn(const char *from, const char *end);

static inline const char *blank_line_portable(const char *from, const char *end)
{
    const char *newline = from;
    while (newline < end && (newline = memchr(newline, '\n', (size_t)(end - newline))) != NULL)
        if (++newline < end && *newline == '\n')
            return newline + 1;
    return end;
}

#if BRZ_HAVE_AVX2
/* Returns a vector of 32 bytes that are set where a newline is followed by another. */
__attribute__((target("avx2"))) static inline __m256i blank_line_mask(const char *at)
{
    const __m256i newline = _mm256_set1_epi8('\n');
    __m256i here = _mm256_loadu_si256((const __m256i *)(const void *)at);
    __m256i next = _mm256_loadu_si256((const __m256i *)(const void *)(at + 1));
    return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_cmpeq_epi8(here, newline), next), newline);
}

__attribute__((target("avx2,bmi"))) static inline const char *blank_line_avx2(const char *from,
                                                                              const char *end)
{
    for (; from < end; from += 64) {
        __m256i low = blank_line_mask(from), high = blank_line_mask(from + 32);
        __builtin_prefetch(from + 4096);
        if (_mm256_testz_si256(_mm256_or_si256(low, high), _mm256_or_si256(low, high)))
            continue;
        uint64_t mask = (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
        mask |= (uint32_t)_mm256_movemask_epi8(low);
        from += _tzcnt_u64(mask) + 2;
        return from < end ? from : end;
    }
    return end;
}
#endif

/* Returns the fastest implementation for this processor. */
static inline blank_line_fn *blank_line_best(void)
{
    return BRZ_CPU_BEST(blank_line_avx2, blank_line_portable);
}

#endif
