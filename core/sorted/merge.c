/* SPDX-License-Identifier: MIT */
/* Adds up several sorted inputs, or compares two of them. */
#include "sorted/merge.h"

#include <stdlib.h>
#include <string.h>

#include <brazier/digits.h>

#include "base/mem.h"

#define OUT_BYTES ((size_t)128 << 10)

/* Up to so many sources fit into the cache, so that stacks are taken together; later stacks of more
 * sources would have left it when they are needed. */
#define FEW 32

/* Number of stacks that are taken together from few sources, and from one at most. */
#define TOGETHER 512
#define MOST     64

/* Bytes of a stack that are fetched into the cache. */
#define AHEAD      ((size_t)512)
#define CACHE_LINE ((size_t)64)

/* Bytes that readers of a stack, and brz_sorted_writer.put, may touch after it. */
#define SPARE ((size_t)64)

void brz_sorted_merge_init(brz_sorted_merge *m, uint32_t n, const brz_sorted_writer *writer,
                           const atomic_bool *stop)
{
    *m = (brz_sorted_merge){.n = n, .most = UINT64_MAX, .writer = writer, .stop = stop};
    m->sources = brz_calloc(n, sizeof *m->sources);
    m->counts = brz_calloc(n, sizeof *m->counts);
    m->stacks_each = n > FEW ? 1 : TOGETHER / n < MOST ? TOGETHER / n : MOST;
    m->stacks = brz_calloc(n * m->stacks_each, sizeof *m->stacks);
    brz_loser_tree_init(&m->tree, n);
}

void brz_sorted_merge_open(brz_sorted_merge *m, uint32_t i, const brz_sorted_reader *reader,
                           size_t cap, brz_sorted_fill_fn *fill, void *context)
{
    brz_sorted_source_init(&m->sources[i], reader, cap, BRZ_MERGE_BUFFERS / m->n,
                           m->stacks + i * m->stacks_each, m->stacks_each);
    m->sources[i].fill = fill;
    m->sources[i].context = context;
}

void brz_sorted_merge_open_samples(brz_sorted_merge *m, uint32_t i, brz_sample_stack *samples,
                                   brz_sorted_sample_fn *read_sample, void *context)
{
    brz_sorted_source_init_samples(&m->sources[i], samples, read_sample, context,
                                   m->stacks + i * m->stacks_each);
}

void brz_sorted_merge_finish(brz_sorted_merge *m)
{
    for (uint32_t i = 0; i < m->n; i++)
        brz_sorted_source_finish(&m->sources[i]);
    free(m->sources);
    free(m->counts);
    free(m->stacks);
    brz_loser_tree_finish(&m->tree);
    brz_buf_finish(&m->names);
    brz_buf_finish(&m->out);
    *m = (brz_sorted_merge){.n = 0};
}

/* ---- reading -------------------------------------------------------------------------------- */

static brz_merge_end end_of(brz_sorted_state state)
{
    return state == BRZ_SORTED_FAILED      ? BRZ_MERGE_UNREAD
           : state == BRZ_SORTED_NOT_PLAIN ? BRZ_MERGE_NOT_PLAIN
                                           : BRZ_MERGE_DONE;
}

/* Fetches the next stack of a source, or the bytes of its next records: they have left the cache if
 * there are many sources. */
static inline void prefetch(const brz_sorted_source *source)
{
    const char *at = source->rest.data;
    if (source->next < source->n) {
        __builtin_prefetch(&source->stacks[source->next + 1]);
        at = source->stacks[source->next].names;
    }
    for (size_t i = 0; i < AHEAD; i += CACHE_LINE)
        __builtin_prefetch(at + i);
}

/* Takes the next stack of a source. */
static inline brz_merge_end advance(brz_sorted_merge *m, uint32_t i)
{
    brz_player *player = &m->tree.players[i];
    const brz_sorted_stack *s = brz_sorted_next(&m->sources[i]);
    if (s == NULL) {
        player->is_over = true;
        return end_of(m->sources[i].state);
    }
    player->stack = brz_str_of(s->names, s->len);
    player->shared = s->shared;
    m->counts[i] = s->count;
    if (m->n > FEW)
        prefetch(&m->sources[i]);
    return BRZ_MERGE_DONE;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Returns room for `n` more bytes, which there mostly is. */
static inline char *room_for(brz_buf *b, size_t n)
{
    return b->cap - b->len > n ? b->data + b->len : brz_buf_room(b, n);
}

/* Writes the stack that was added up, if any. Returns false if its count is too large. */
static bool put_stack(brz_sorted_merge *m)
{
    brz_str names = brz_str_of(m->names.data, m->names.len);
    if (names.len == 0)
        return true;
    char *start = room_for(&m->out, names.len + m->writer->room + SPARE);
    m->out.len += (size_t)(m->writer->put(start, names, m->sums, m->compares ? 2 : 1) - start);
    bool fits = m->sums[0] <= m->most;
    m->sums[0] = m->sums[1] = 0;
    return fits;
}

/* Begins to add up a stack, of whose names the first `shared` bytes are those of the last one. */
static void open_stack(brz_sorted_merge *m, brz_str names, size_t shared)
{
    shared = shared < m->names.len ? shared : m->names.len;
    m->names.len = shared;
    char *to = room_for(&m->names, names.len - shared + SPARE);
    memcpy(to, names.data + shared, names.len - shared);
    m->names.len = names.len;
}

/* Adds the first of all stacks. */
static brz_merge_end merge_stack(brz_sorted_merge *m, uint32_t i)
{
    const brz_player *player = &m->tree.players[i];
    if (player->shared != player->stack.len || m->names.len != player->stack.len) {
        if (!put_stack(m))
            return BRZ_MERGE_NOT_PLAIN;
        open_stack(m, player->stack, player->shared);
    }
    m->sums[m->compares ? i : 0] += m->counts[i];
    if (__builtin_add_overflow(m->sum, m->counts[i], &m->sum) || m->sum > INT64_MAX)
        return BRZ_MERGE_NOT_PLAIN;
    brz_merge_end end = advance(m, i);
    brz_loser_tree_replay(&m->tree);
    return end;
}

/* Merges until the buffer of the output is full, or to the end. */
static brz_merge_end merge_part(brz_sorted_merge *m, bool *is_over)
{
    brz_merge_end end = BRZ_MERGE_DONE;
    while (m->out.len < OUT_BYTES && end == BRZ_MERGE_DONE) {
        uint32_t i = brz_loser_tree_first(&m->tree);
        *is_over = m->tree.players[i].is_over;
        if (*is_over)
            return put_stack(m) ? BRZ_MERGE_DONE : BRZ_MERGE_NOT_PLAIN;
        end = merge_stack(m, i);
    }
    return end;
}

static brz_merge_end flush(brz_sorted_merge *m, brz_sink *sink)
{
    bool is_written = sink->write(sink, m->out.data, m->out.len) == BRZ_OK;
    brz_buf_clear(&m->out);
    return atomic_load(m->stop) ? BRZ_MERGE_STOPPED
           : is_written         ? BRZ_MERGE_DONE
                                : BRZ_MERGE_UNWRITTEN;
}

/* ---- two texts -------------------------------------------------------------------------------
 *
 * No stack occurs twice in a text, so that a stack can be written as soon as the next ones of both
 * texts were compared. */

/* The next stack of a text. */
typedef struct side {
    const brz_sorted_stack *stack; /* NULL: there are no more */
    size_t shared;                 /* number of bytes that the stack shares with the last one */
} side;

static brz_merge_end advance_side(brz_sorted_merge *m, uint32_t i, side *s)
{
    s->stack = brz_sorted_next(&m->sources[i]);
    if (s->stack == NULL)
        return end_of(m->sources[i].state);
    s->shared = s->stack->shared;
    return BRZ_MERGE_DONE;
}

/* Compares the next stacks. Returns a number below, equal to or above 0. From then on, the later
 * one shares bytes with the earlier one. */
static int compare_sides(const brz_sorted_merge *m, side *a, side *b)
{
    const brz_sorted_stack *x = a->stack, *y = b->stack;
    if (x == NULL || y == NULL)
        return x == NULL ? 1 : -1;
    if (a->shared != b->shared)
        return a->shared > b->shared ? -1 : 1;
    size_t shorter = x->len < y->len ? x->len : y->len, same = a->shared;
    same += m->tree.common_prefix(x->names + same, y->names + same, shorter - same);
    a->shared = b->shared = same;
    if (same == shorter)
        return (x->len > y->len) - (x->len < y->len);
    return (unsigned char)x->names[same] < (unsigned char)y->names[same] ? -1 : 1;
}

/* Writes a stack with its counts. Returns false if a count is too large. */
static bool put_counts(brz_sorted_merge *m, const brz_sorted_stack *s, uint64_t a, uint64_t b)
{
    const uint64_t counts[2] = {m->compares ? a : a + b, b};
    if (counts[0] > m->most || __builtin_add_overflow(m->sum, a + b, &m->sum) || m->sum > INT64_MAX)
        return false;
    char *start = room_for(&m->out, s->len + m->writer->room + SPARE);
    char *end = m->writer->put(start, brz_str_of(s->names, s->len), counts, m->compares ? 2 : 1);
    m->out.len += (size_t)(end - start);
    return true;
}

/* Merges until the buffer of the output is full, or to the end. */
static brz_merge_end merge_sides(brz_sorted_merge *m, side *a, side *b)
{
    brz_merge_end end = BRZ_MERGE_DONE;
    while (m->out.len < OUT_BYTES && end == BRZ_MERGE_DONE &&
           (a->stack != NULL || b->stack != NULL)) {
        int order = compare_sides(m, a, b);
        if (!put_counts(m, order <= 0 ? a->stack : b->stack, order <= 0 ? a->stack->count : 0,
                        order >= 0 ? b->stack->count : 0))
            return BRZ_MERGE_NOT_PLAIN;
        if (order <= 0)
            end = advance_side(m, 0, a);
        if (order >= 0 && end == BRZ_MERGE_DONE)
            end = advance_side(m, 1, b);
    }
    return end;
}

static brz_merge_end write_two(brz_sorted_merge *m, brz_sink *sink)
{
    side a = {NULL, 0}, b = {NULL, 0};
    brz_merge_end end = advance_side(m, 0, &a);
    if (end == BRZ_MERGE_DONE)
        end = advance_side(m, 1, &b);
    while (end == BRZ_MERGE_DONE && (a.stack != NULL || b.stack != NULL)) {
        end = merge_sides(m, &a, &b);
        if (end == BRZ_MERGE_DONE)
            end = flush(m, sink);
    }
    return end;
}

/* ---- the merge ------------------------------------------------------------------------------ */

/* Returns whether a merge has two sources, in which no stack occurs twice. */
static bool is_of_two_texts(const brz_sorted_merge *m)
{
    return m->n == 2 && m->sources[0].samples == NULL && m->sources[1].samples == NULL;
}

brz_merge_end brz_sorted_merge_write(brz_sorted_merge *m, brz_sink *sink)
{
    bool is_over = false;
    brz_merge_end end = BRZ_MERGE_DONE;
    if (is_of_two_texts(m))
        return write_two(m, sink);
    for (uint32_t i = 0; i < m->n && end == BRZ_MERGE_DONE; i++)
        end = advance(m, i);
    if (end != BRZ_MERGE_DONE)
        return end;
    brz_loser_tree_begin(&m->tree);
    while (end == BRZ_MERGE_DONE && !is_over) {
        end = merge_part(m, &is_over);
        if (end == BRZ_MERGE_DONE)
            end = flush(m, sink);
    }
    return end;
}
