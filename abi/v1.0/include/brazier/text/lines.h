/* SPDX-License-Identifier: MIT */
/** @file
 * Iterates over the lines of a chunk, with an index of newlines that is built one block at a time.
 */
#ifndef BRAZIER_TEXT_LINES_H
#define BRAZIER_TEXT_LINES_H

#include <brazier/collapser.h>
#include <brazier/text/newline.h>

#include <string.h>

/** Size of a block in bytes. */
#define BRZ_LINES_BLOCK (64u << 10)

/** The iterator. */
typedef struct brz_lines {
    brz_newline_fn *index;    /**< function that finds newlines */
    uint32_t *ends;           /**< offsets of the newlines in the block */
    size_t n_ends;            /**< number of newlines */
    size_t next_end;          /**< index of the next line's end in `ends` */
    const uint8_t *block;     /**< start of the indexed block */
    const uint8_t *block_end; /**< end of the indexed block */
    const uint8_t *next;      /**< start of the next line */
    const uint8_t *end;       /**< end of the chunk */
} brz_lines;

/** Initialises an iterator; call it once per instance. */
static inline void brz_lines_init(brz_lines *l, brz_ctx *ctx)
{
    l->index = brz_newlines_best();
    l->ends = (uint32_t *)ctx->host->alloc(
        ctx, (BRZ_LINES_BLOCK + BRZ_NEWLINE_SPARE) * sizeof(uint32_t), 64);
}

/** Starts at the first line of data[0..len). */
static inline void brz_lines_start(brz_lines *l, const uint8_t *data, size_t len)
{
    l->n_ends = l->next_end = 0;
    l->next = l->block = l->block_end = data;
    l->end = data + len;
}

/** Indexes blocks until one has a newline. Returns false at the end of the chunk. */
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

/** Stores the next line without its newline. Returns false if no complete line is left. */
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

/** Skips empty lines. */
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

/** Returns the text after the last newline: the last line of an input without a final newline. */
static inline brz_str brz_lines_rest(const brz_lines *l)
{
    return brz_str_of((const char *)l->next, (size_t)(l->end - l->next));
}

/** Stores the next line of a chunk, without its newline. The last line of an input may lack one: at
 * the end of the last chunk, this is the rest, unless it is empty. Returns false if there is no
 * other line; brz_lines_rest() returns what was not taken. */
static inline bool brz_lines_take(brz_lines *l, const brz_chunk *chunk, brz_str *line)
{
    if (brz_lines_next(l, line))
        return true;
    *line = brz_lines_rest(l);
    if (line->len == 0 || !(chunk->flags & BRZ_CHUNK_LAST))
        return false;
    l->next = l->end;
    return true;
}

/* ---- line boundaries ------------------------------------------------------------------------- */

/** Returns the complete lines of the text passed to `sniff`. The last line counts as complete if
 * the input ends with it. */
static inline brz_str brz_head_lines(const brz_head *head)
{
    size_t n = head->len;
    if (!(head->flags & BRZ_CHUNK_LAST))
        while (n > 0 && head->data[n - 1] != '\n')
            n--;
    return brz_str_of((const char *)head->data, n);
}

/** Returns the offset of the first line that starts at or after `from`, or `n` if there is none. */
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

/** Returns the k-th of the following lines, 0 being the next one. The line must be in the index:
 * see brz_lines_until_empty(). */
static inline brz_str brz_lines_at(const brz_lines *l, size_t k)
{
    const uint32_t *end = l->ends + l->next_end + k;
    const uint8_t *start = k == 0 ? l->next : l->block + end[-1] + 1;
    return brz_str_of((const char *)start, (size_t)(l->block + *end - start));
}

/** Returns the number of indexed lines before the next empty one, or SIZE_MAX if there is none. */
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

/** Returns the number of lines before the next empty one, after making sure that all of them are in
 * the index. Returns SIZE_MAX if they do not fit into the index. */
static inline size_t brz_lines_until_empty(brz_lines *l)
{
    size_t k = brz_lines_find_empty(l);
    if (k != SIZE_MAX || l->block_end == l->end || l->block == l->next)
        return k;
    l->block_end = l->next; /* index again, starting with this line */
    l->next_end = l->n_ends = 0;
    return brz_lines_refill(l) ? brz_lines_find_empty(l) : SIZE_MAX;
}

/** Skips `n` lines, which must be in the index. */
static inline void brz_lines_skip(brz_lines *l, size_t n)
{
    if (n == 0)
        return;
    l->next_end += n;
    l->next = l->block + l->ends[l->next_end - 1] + 1;
}

#endif
