/* SPDX-License-Identifier: MIT */
/* Puts records in the order of time.
 *
 * perf writes the buffers of the processors one after another. A round ends when each was written
 * once; a record is not older than the newest one of the round before the previous one.
 */
#ifndef PERF_DATA_QUEUE_H
#define PERF_DATA_QUEUE_H

#include <brazier/host.h>

/* Maximum number of records in the queue, whose lists then take 256 MiB: two of the final size, and
 * those that they have outgrown. Rounds are far shorter; old recordings have no rounds. */
#define QUEUE_MAX ((size_t)1 << 21)

/* A place in the input. */
typedef union record_place {
    const uint8_t *at; /* address, if the input is there as a whole */
    uint64_t offset;   /* if it arrives in chunks */
} record_place;

typedef struct queued {
    uint64_t time;
    const uint8_t *data; /* the record, with its header */
    record_place place;
    uint32_t block; /* memory of the record if it is a copy or was unpacked: see unpack.h */
    uint32_t size;  /* of the record */
} queued;

typedef struct queue {
    queued *items;
    size_t n, cap;
    queued *scratch; /* for sorting, of the same capacity */
    size_t *runs;    /* beginnings of ascending runs */
    size_t runs_cap;
    uint64_t newest;          /* time of the newest record so far */
    uint64_t newest_of_round; /* likewise, at the end of the previous round */
    uint64_t delivered;       /* time of the newest record that was delivered */
    uint64_t n_late;          /* records that are older than that */
} queue;

/* Takes a record out of the queue. */
typedef brz_rc queue_deliver(void *context, const queued *record);

/* Makes room for another record. */
void queue_grow(queue *q, brz_ctx *ctx);

/* Returns where the next record is described. */
static inline queued *queue_next(queue *q, brz_ctx *ctx)
{
    if (q->n == q->cap)
        queue_grow(q, ctx);
    return &q->items[q->n];
}

/* Delivers the older half. */
brz_rc queue_spill(queue *q, brz_ctx *ctx, queue_deliver *deliver, void *context);

/* Adds the record that is described there. Delivers the older half if the queue is full. */
static inline brz_rc queue_add(queue *q, brz_ctx *ctx, queue_deliver *deliver, void *context)
{
    uint64_t time = q->items[q->n++].time;
    q->newest = time > q->newest ? time : q->newest;
    q->n_late += time < q->delivered;
    return q->n < QUEUE_MAX ? BRZ_OK : queue_spill(q, ctx, deliver, context);
}

/* Ends a round: delivers what no later record can precede. */
brz_rc queue_end_round(queue *q, brz_ctx *ctx, queue_deliver *deliver, void *context);

/* Delivers everything. */
brz_rc queue_flush(queue *q, brz_ctx *ctx, queue_deliver *deliver, void *context);

#endif
