/** @file
 * A cursor over the lines of a chunk, which indexes newlines a block at a time.
 */
#ifndef BRAZIER_TEXT_LINES_H
#define BRAZIER_TEXT_LINES_H

#include <brazier/collapser.h>
#include <brazier/text/newline.h>

#include <string.h>

/** Bytes that are indexed at a time. */
#define BRZ_LINES_BLOCK (64u << 10)

/** The cursor. */
typedef struct brz_lines {
    brz_newline_fn *index;    /**< how newlines are found */
    uint32_t *ends;           /**< of the newlines in the block, from its start */
    size_t n_ends;            /**< how many */
    size_t next_end;          /**< the next line's, among them */
    const uint8_t *block;     /**< where the part of the chunk begins that is indexed */
    const uint8_t *block_end; /**< where it ends */
    const uint8_t *next;      /**< the next line */
    const uint8_t *end;       /**< of the chunk */
} brz_lines;

/** Once per instance. */
static inline void brz_lines_init(brz_lines *l, brz_ctx *ctx)
{
    l->index = brz_newlines_best();
    l->ends = (uint32_t *)ctx->host->alloc(
        ctx, (BRZ_LINES_BLOCK + BRZ_NEWLINE_SPARE) * sizeof(uint32_t), 64);
}

/** Begins with the first line of data[0..len). */
static inline void brz_lines_start(brz_lines *l, const uint8_t *data, size_t len)
{
    l->n_ends = l->next_end = 0;
    l->next = l->block = l->block_end = data;
    l->end = data + len;
}

/** Indexes blocks until one has a newline; false at the end of the chunk. */
static inline bool brz_lines_refill(brz_lines *l)
{
    do {
        size_t left = (size_t)(l->end - l->block_end);
        if (left == 0)
            return false;
        size_t n = left < BRZ_LINES_BLOCK ? left : BRZ_LINES_BLOCK;
        l->block = l->block_end;
        l->block_end += n;
        l->next_end = 0;
        l->n_ends = l->index(l->block, n, l->ends);
    } while (l->n_ends == 0);
    return true;
}

/** The next line without its newline; false when no complete line is left. */
static inline bool brz_lines_next(brz_lines *l, brz_str *line)
{
    if (l->next_end == l->n_ends && !brz_lines_refill(l))
        return false;
    const uint8_t *stop = l->block + l->ends[l->next_end++];
    line->data = (const char *)l->next;
    line->len = (size_t)(stop - l->next);
    l->next = stop + 1;
    return true;
}

/** Passes over the lines that are empty. */
static inline void brz_lines_skip_empty(brz_lines *l)
{
    while (l->next < l->end && *l->next == '\n') {
        if (l->next_end == l->n_ends && !brz_lines_refill(l))
            return;
        while (l->next_end < l->n_ends && l->block + l->ends[l->next_end] == l->next) {
            l->next_end++;
            l->next++;
        }
    }
}

/** What stands behind the last newline: the last line of an input that does not end in one. */
static inline brz_str brz_lines_rest(const brz_lines *l)
{
    return brz_str_of((const char *)l->next, (size_t)(l->end - l->next));
}

/* ---- where lines are, once in a while ---------------------------------------------------------
 */

/** The lines that a sniffer is shown, without the last one if it goes on behind them. */
static inline brz_str brz_head_lines(const brz_head *head)
{
    size_t n = head->len;
    if (!(head->flags & BRZ_CHUNK_LAST))
        while (n > 0 && head->data[n - 1] != '\n')
            n--;
    return brz_str_of((const char *)head->data, n);
}

/** Where the first line begins that does so at `from` or behind it; n if none is in sight. */
static inline size_t brz_line_start(const uint8_t *buf, size_t n, size_t from)
{
    if (from >= n)
        return n;
    if (from == 0 || buf[from - 1] == '\n')
        return from;
    const uint8_t *newline = (const uint8_t *)memchr(buf + from, '\n', n - from);
    return newline == NULL ? n : (size_t)(newline - buf) + 1;
}

/* ---- looking ahead --------------------------------------------------------------------------- */

/** The k-th line from here on, 0 being the next one. It must be in the index: see below. */
static inline brz_str brz_lines_at(const brz_lines *l, size_t k)
{
    const uint32_t *end = l->ends + l->next_end + k;
    const uint8_t *start = k == 0 ? l->next : l->block + end[-1] + 1;
    return brz_str_of((const char *)start, (size_t)(l->block + *end - start));
}

/** How many lines of the index there are before an empty one; SIZE_MAX: it has none. */
static inline size_t brz_lines_find_empty(const brz_lines *l)
{
    if (l->next_end == l->n_ends)
        return SIZE_MAX;
    const uint32_t *ends = l->ends + l->next_end;
    size_t n = l->n_ends - l->next_end;
    if (l->block + ends[0] == l->next)
        return 0;
    for (size_t k = 1; k < n; k++)
        if (ends[k] == ends[k - 1] + 1)
            return k;
    return SIZE_MAX;
}

/** How many lines there are before the next empty one, all of them and it indexed; SIZE_MAX if it
 * is farther away than the index reaches. */
static inline size_t brz_lines_until_empty(brz_lines *l)
{
    size_t k = brz_lines_find_empty(l);
    if (k != SIZE_MAX || l->block_end == l->end || l->block == l->next)
        return k;
    l->block_end = l->next; /* once more, with this line at the front */
    l->next_end = l->n_ends = 0;
    return brz_lines_refill(l) ? brz_lines_find_empty(l) : SIZE_MAX;
}

/** Passes over n lines of the index. */
static inline void brz_lines_skip(brz_lines *l, size_t n)
{
    if (n == 0)
        return;
    l->next_end += n;
    l->next = l->block + l->ends[l->next_end - 1] + 1;
}

#endif
