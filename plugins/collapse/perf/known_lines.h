/* SPDX-License-Identifier: MIT */
/* Caches whole stack lines: a program returns to the same places over and over, so a thousand lines
 * make up most of a recording.
 *
 * The cache is set-associative with eight ways and clock replacement within a set. A line is looked
 * up by its address and length, and compared completely. The tags of a set fit into a vector, so
 * that the search for a way has no branches, which would be unpredictable. The whole table stays in
 * the second-level cache of a processor: a larger one finds few lines more, and costs a page fault
 * for every 32 of them.
 */
#ifndef PERF_KNOWN_LINES_H
#define PERF_KNOWN_LINES_H

#include <brazier/host.h>
#include <brazier/text/find.h>
#include <brazier/text/hash.h>

#define KNOWN_LINE_SETS 256
#define KNOWN_LINE_WAYS 8
#define KNOWN_LINE_TEXT 120 /* longer lines are not cached */

typedef struct known_line {
    uint32_t value;
    uint16_t len;
    bool was_met; /* since the hand passed it */
    char text[KNOWN_LINE_TEXT];
} known_line;

typedef struct known_lines {
    uint16_t (*tags)[KNOWN_LINE_WAYS];   /* indexed by set; 0: free */
    uint16_t (*places)[KNOWN_LINE_WAYS]; /* indexed by set: index into `lines` */
    known_line *lines; /* in the order of first use, so that few lines take little memory */
    uint16_t n_lines;
    uint8_t *hand; /* by set: the next way to be considered for replacement */
    brz_hash_keys keys;
} known_lines;

/* The position of a line in the cache. */
typedef struct known_line_place {
    uint32_t set;
    uint16_t tag;
    uint16_t way; /* KNOWN_LINE_WAYS: not cached */
} known_line_place;

/* Initialises an empty cache. */
static inline void known_lines_init(known_lines *k, brz_ctx *ctx)
{
    k->tags = ctx->host->alloc(ctx, KNOWN_LINE_SETS * sizeof *k->tags, 64);
    k->places = ctx->host->alloc(ctx, KNOWN_LINE_SETS * sizeof *k->places, 64);
    k->hand = ctx->host->alloc(ctx, KNOWN_LINE_SETS, 64);
    k->lines =
        ctx->host->alloc(ctx, (size_t)KNOWN_LINE_SETS * KNOWN_LINE_WAYS * sizeof *k->lines, 64);
    k->n_lines = 0;
    k->keys = brz_hash_keys_of(ctx->seed);
}

/* Returns the way with a tag, or KNOWN_LINE_WAYS. */
static inline uint16_t known_lines_way(const uint16_t tags[KNOWN_LINE_WAYS], uint16_t tag)
{
#if BRZ_HAVE_SSE2
    __m128i all = _mm_load_si128((const __m128i *)(const void *)tags);
    __m128i same = _mm_cmpeq_epi16(all, _mm_set1_epi16((short)tag));
    uint32_t mask = (uint32_t)_mm_movemask_epi8(same) | 1u << (2 * KNOWN_LINE_WAYS);
    return (uint16_t)(__builtin_ctz(mask) / 2);
#else
    uint16_t way = 0;
    while (way < KNOWN_LINE_WAYS && tags[way] != tag)
        way++;
    return way;
#endif
}

/* Returns the line in a way of a set. */
static inline known_line *known_lines_at(const known_lines *k, uint32_t set, uint32_t way)
{
    return &k->lines[k->places[set][way]];
}

/* Returns the position of a line of at least 17 bytes. `context` is the data besides the text that
 * determines the value. */
static inline known_line_place known_lines_find(const known_lines *k, brz_str line,
                                                uint32_t context)
{
    uint64_t h = brz_hash_pair(&k->keys, brz_load64(line.data + 1),
                               brz_load64(line.data + 9) ^ line.len * k->keys.times ^ context);
    known_line_place p;
    p.set = (uint32_t)h % KNOWN_LINE_SETS;
    p.tag = (uint16_t)(h >> 48 | 1);
    p.way = known_lines_way(k->tags[p.set], p.tag);
    return p;
}

/* Stores the value of the line at a position. Returns false if it is not the same line. */
static inline bool known_lines_value(known_lines *k, const known_line_place *p, brz_str line,
                                     uint32_t *value)
{
    if (p->way == KNOWN_LINE_WAYS)
        return false;
    known_line *l = known_lines_at(k, p->set, p->way);
    *value = l->value;
    l->was_met = true;
    return l->len == line.len && memcmp(l->text, line.data, line.len) == 0;
}

/* Chooses the way to replace: the first one from the hand on that is free, or was not met since the
 * hand passed it. */
static inline uint32_t known_lines_give_place(known_lines *k, uint32_t set)
{
    uint32_t way = k->hand[set];
    for (; k->tags[set][way] != 0 && known_lines_at(k, set, way)->was_met;
         way = (way + 1) % KNOWN_LINE_WAYS)
        known_lines_at(k, set, way)->was_met = false;
    k->hand[set] = (uint8_t)((way + 1) % KNOWN_LINE_WAYS);
    return way;
}

/* Stores a line at a position. It replaces a line with the same tag, which would hide it. */
static inline void known_lines_put(known_lines *k, const known_line_place *p, brz_str line,
                                   uint32_t value)
{
    if (line.len > KNOWN_LINE_TEXT)
        return;
    uint32_t way = p->way < KNOWN_LINE_WAYS ? p->way : known_lines_give_place(k, p->set);
    if (k->tags[p->set][way] == 0)
        k->places[p->set][way] = k->n_lines++;
    known_line *l = known_lines_at(k, p->set, way);
    k->tags[p->set][way] = p->tag;
    l->value = value;
    l->len = (uint16_t)line.len;
    l->was_met = false;
    memcpy(l->text, line.data, line.len);
}

#endif
