/* SPDX-License-Identifier: MIT */
/* Finds blank lines, which end samples, and maps the newlines before them to bits: a line is found
 * in such a map with a few instructions, from either end, and only those that are needed are.
 */
#ifndef PERF_BLANK_LINE_H
#define PERF_BLANK_LINE_H

#include <brazier/text/avx2.h>
#include <brazier/text/cpu.h>

#include <string.h>

/* Bytes that a map has bits for, and their number of words. */
#define NEWLINE_MAP_BYTES (64u << 10)
#define NEWLINE_MAP_WORDS (NEWLINE_MAP_BYTES / 64)

/* Returns the end of the first empty line that follows another line in [from, end), or `end`. Sets
 * the bits of `map` for the newlines before that end, counted from `from`, and others after it; the
 * map is of no use if there are more than NEWLINE_MAP_BYTES. Reads up to 63 bytes after `end`, so
 * the text must be in a chunk. */
typedef const char *blank_line_fn(const char *from, const char *end, uint64_t *map);

static inline const char *blank_line_portable(const char *from, const char *end, uint64_t *map)
{
    size_t words = 0, before = SIZE_MAX, at;
    for (const char *p = from; p < end; p = from + at + 1) {
        p = (const char *)memchr(p, '\n', (size_t)(end - p));
        at = (size_t)((p == NULL ? end - 1 : p) - from);
        while (words <= at / 64)
            map[words++ % NEWLINE_MAP_WORDS] = 0;
        if (p == NULL)
            return end;
        map[at / 64 % NEWLINE_MAP_WORDS] |= UINT64_C(1) << at % 64;
        if (before != SIZE_MAX && at == before + 1)
            return p + 1;
        before = at;
    }
    return end;
}

#if BRZ_HAVE_AVX2
__attribute__((target("avx2,bmi"))) static inline const char *blank_line_avx2(const char *from,
                                                                              const char *end,
                                                                              uint64_t *map)
{
    const brz_vec32 newline = brz_fill32('\n');
    uint64_t above = 0, blank = 0; /* above: 1 if a newline is right in front */
    for (uint64_t *word = map; from < end; from += 64) {
        uint64_t mask = brz_equal_mask64(from, newline);
        *word++ = mask;
        blank = mask & (mask << 1 | above);
        if (blank != 0)
            break;
        above = mask >> 63;
        word = word == map + NEWLINE_MAP_WORDS ? map : word;
    }
    from += blank != 0 ? brz_lowest_bit(blank) + 1 : 0;
    return from < end ? from : end;
}
#endif

/* Returns the fastest implementation for this processor. */
static inline blank_line_fn *blank_line_best(void)
{
    return BRZ_CPU_BEST(blank_line_avx2, blank_line_portable);
}

/* Returns the position of the first newline in a map, which must have one. */
static inline size_t newline_first(const uint64_t *map)
{
    size_t word = 0;
    while (map[word] == 0)
        word++;
    return word * 64 + (size_t)__builtin_ctzll(map[word]);
}

/* The newlines above a position in a map. */
typedef struct newlines_above {
    const uint64_t *map;
    size_t word;   /* index of the current word */
    uint64_t left; /* the newlines in it that were not returned */
} newlines_above;

/* Begins with the newlines above `at`. */
static inline newlines_above newlines_above_of(const uint64_t *map, size_t at)
{
    return (newlines_above){map, at / 64, map[at / 64] & ((UINT64_C(1) << at % 64) - 1)};
}

/* Returns the position of the next newline above, which must exist. */
static inline size_t newlines_above_next(newlines_above *n)
{
    while (n->left == 0)
        n->left = n->map[--n->word];
    uint32_t bit = 63 - (uint32_t)__builtin_clzll(n->left);
    n->left ^= UINT64_C(1) << bit;
    return n->word * 64 + bit;
}

#endif
