/* Caches whole stack lines: a program returns to the same places over and over, so a thousand lines
 * make up nearly all of a recording.
 *
 * The cache is set-associative with eight ways and clock replacement within a set. A line is looked
 * up by its address and length, and compared completely. The tags of all sets fit into the nearest
 * processor cache, so the texts can be prefetched; those of a set fit into a vector, so that the
 * search for a way has no branches, which would be unpredictable. The table is small until a
 * recording turns out to be large.
 */
#ifndef PERF_KNOWN_LINES_H
#define PERF_KNOWN_LINES_H

#include <brazier/host.h>
#include <brazier/text/find.h>
#include <brazier/text/hash.h>

#define KNOWN_LINE_SETS_FIRST 64
#define KNOWN_LINE_SETS       2048
#define KNOWN_LINE_WAYS       8
#define KNOWN_LINE_TEXT       184 /* longer lines are not cached */

typedef struct known_line {
    uint32_t value;
    uint32_t len;
    char text[KNOWN_LINE_TEXT];
} known_line;

typedef struct known_lines {
    uint32_t n_sets;                     /* power of 2 */
    uint16_t (*tags)[KNOWN_LINE_WAYS];   /* indexed by set; 0: free */
    uint16_t (*places)[KNOWN_LINE_WAYS]; /* indexed by set: index into `lines` */
    known_line *lines; /* in the order of first use, so that few lines take little memory */
    uint16_t n_lines;
    uint8_t *met;  /* by set: a bit for each way used since the hand passed it */
    uint8_t *hand; /* by set: the next way to be considered for replacement */
    brz_hash_keys keys;
} known_lines;

/* The position of a line in the cache. */
typedef struct known_line_place {
    uint32_t set;
    uint16_t tag;
    uint16_t way; /* KNOWN_LINE_WAYS: not cached */
} known_line_place;

/* Initialises an empty cache with `n_sets` sets. */
static inline void known_lines_init(known_lines *k, brz_ctx *ctx, uint32_t n_sets)
{
    k->n_sets = n_sets;
    k->tags = ctx->host->alloc(ctx, n_sets * sizeof *k->tags, 64);
    k->places = ctx->host->alloc(ctx, n_sets * sizeof *k->places, 64);
    k->met = ctx->host->alloc(ctx, n_sets, 64);
    k->hand = ctx->host->alloc(ctx, n_sets, 64);
    k->lines = ctx->host->alloc(ctx, (size_t)n_sets * KNOWN_LINE_WAYS * sizeof *k->lines, 64);
    k->n_lines = 0;
    k->keys = brz_hash_keys_of(ctx->seed);
}

/* Enlarges the table once the small one is half full; the lines are learned again. Invalidates
 * positions found before. */
static inline void known_lines_room(known_lines *k, brz_ctx *ctx)
{
    if (k->n_sets < KNOWN_LINE_SETS && k->n_lines > k->n_sets * KNOWN_LINE_WAYS / 2)
        known_lines_init(k, ctx, KNOWN_LINE_SETS);
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

/* Finds the position of a line of at least 17 bytes, and prefetches its text. `context` is the data
 * besides the text that determines the value. */
static inline known_line_place known_lines_find(const known_lines *k, brz_str line,
                                                uint32_t context)
{
    uint64_t h = brz_hash_pair(&k->keys, brz_load64(line.data + 1),
                               brz_load64(line.data + 9) ^ line.len * k->keys.times ^ context);
    known_line_place p;
    p.set = (uint32_t)h & (k->n_sets - 1);
    p.tag = (uint16_t)(h >> 48 | 1);
    p.way = known_lines_way(k->tags[p.set], p.tag);
    const char *entry = (const char *)&k->lines[k->places[p.set][p.way % KNOWN_LINE_WAYS]];
    for (size_t i = 0; i < sizeof(known_line); i += 64)
        __builtin_prefetch(entry + i);
    return p;
}

/* Stores the value of the line at a position. Returns false if it is not the same line. */
static inline bool known_lines_value(known_lines *k, const known_line_place *p, brz_str line,
                                     uint32_t *value)
{
    if (p->way == KNOWN_LINE_WAYS)
        return false;
    const known_line *l = &k->lines[k->places[p->set][p->way]];
    *value = l->value;
    k->met[p->set] |= (uint8_t)(1u << p->way);
    return l->len == line.len && memcmp(l->text, line.data, line.len) == 0;
}

/* Chooses the way to replace: the first one from the hand on that was not used since the hand
 * passed it. */
static inline uint32_t known_lines_give_place(known_lines *k, uint32_t set)
{
    uint32_t way = k->hand[set];
    for (; k->met[set] & (1u << way); way = (way + 1) % KNOWN_LINE_WAYS)
        k->met[set] &= (uint8_t) ~(1u << way);
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
    known_line *l = &k->lines[k->places[p->set][way]];
    k->tags[p->set][way] = p->tag;
    l->value = value;
    l->len = (uint32_t)line.len;
    memcpy(l->text, line.data, line.len);
}

#endif
