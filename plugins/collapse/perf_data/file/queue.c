/* SPDX-License-Identifier: MIT */
/* Puts records in the order of time. */
#include "queue.h"

#include <brazier/text/buffer.h>

/* Number of records between the one that is delivered and the one that is prefetched, and maximum
 * number of its bytes that are: those in front of the copy of its stack, and the top of the copy.
 */
#define AHEAD      3
#define PREFETCHED 1024
#define CACHE_LINE 64

/* ---- sorting -------------------------------------------------------------------------------- */

/* Finds the beginnings of ascending runs. Returns their number. */
static size_t find_runs(queue *q, brz_ctx *ctx)
{
    size_t n = 0;
    for (size_t i = 0; i < q->n; i++) {
        if (i > 0 && q->items[i - 1].time <= q->items[i].time)
            continue;
        q->runs = brz_list_room(ctx, q->runs, n, &q->runs_cap, sizeof *q->runs);
        q->runs[n++] = i;
    }
    return n;
}

/* Merges from[a..b) and from[b..c) to `to`; of equal times the first run comes first. */
static void merge(const queued *from, queued *to, size_t a, size_t b, size_t c)
{
    size_t left = a, right = b;
    for (size_t i = a; i < c; i++)
        to[i] = left < b && (right == c || from[left].time <= from[right].time) ? from[left++]
                                                                                : from[right++];
}

/* Merges neighbouring runs in pairs. Returns the number of runs that are left. */
static size_t merge_pairs(queue *q, size_t n_runs)
{
    size_t n = 0;
    for (size_t i = 0; i < n_runs; i += 2) {
        size_t a = q->runs[i], b = i + 1 < n_runs ? q->runs[i + 1] : q->n;
        size_t c = i + 2 < n_runs ? q->runs[i + 2] : q->n;
        merge(q->items, q->scratch, a, b, c);
        q->runs[n++] = a;
    }
    queued *sorted = q->scratch;
    q->scratch = q->items;
    q->items = sorted;
    return n;
}

/* Sorts the queue by time; keeps the order of equal times. */
static void sort(queue *q, brz_ctx *ctx)
{
    size_t n = find_runs(q, ctx);
    while (n > 1)
        n = merge_pairs(q, n);
}

/* ---- delivering ----------------------------------------------------------------------------- */

/* Prefetches the beginning of the record of a queued one that is delivered soon. */
BRZ_PREFETCHING
static inline void prefetch(const queued *q)
{
    for (size_t i = 0; i < PREFETCHED && i < q->size; i += CACHE_LINE)
        __builtin_prefetch(q->data + i);
}

static brz_rc deliver_first(queue *q, size_t n, queue_deliver *deliver, void *context)
{
    brz_rc rc = BRZ_OK;
    size_t i = 0;
    if (n > 0 && q->items[n - 1].time > q->delivered)
        q->delivered = q->items[n - 1].time;
    while (i < n && rc == BRZ_OK) {
        if (n - i > AHEAD)
            prefetch(&q->items[i + AHEAD]);
        rc = deliver(context, &q->items[i++]);
    }
    q->n -= i;
    if (i > 0)
        memmove(q->items, q->items + i, q->n * sizeof *q->items);
    return rc;
}

/* Delivers the records that are not newer than `limit`. */
static brz_rc deliver_until(queue *q, brz_ctx *ctx, uint64_t limit, queue_deliver *deliver,
                            void *context)
{
    sort(q, ctx);
    size_t n = 0;
    while (n < q->n && q->items[n].time <= limit)
        n++;
    return deliver_first(q, n, deliver, context);
}

void queue_grow(queue *q, brz_ctx *ctx)
{
    q->items = brz_list_room(ctx, q->items, q->n, &q->cap, sizeof *q->items);
    q->scratch = ctx->host->alloc(ctx, q->cap * sizeof *q->scratch, 0);
}

brz_rc queue_spill(queue *q, brz_ctx *ctx, queue_deliver *deliver, void *context)
{
    sort(q, ctx);
    return deliver_first(q, q->n / 2, deliver, context);
}

brz_rc queue_end_round(queue *q, brz_ctx *ctx, queue_deliver *deliver, void *context)
{
    uint64_t limit = q->newest_of_round;
    q->newest_of_round = q->newest;
    return deliver_until(q, ctx, limit, deliver, context);
}

brz_rc queue_flush(queue *q, brz_ctx *ctx, queue_deliver *deliver, void *context)
{
    return deliver_until(q, ctx, UINT64_MAX, deliver, context);
}
