/* Counts the events of a chunk. */
#ifndef JFR_EVENTS_H
#define JFR_EVENTS_H

#include "columns.h"
#include "frames.h"

#define EVENTS_BATCH 1024

typedef struct events {
    brz_ctx *ctx;
    columns columns;
    frames frames;
    bool wants_tags, wants_time;
    uint64_t truncated; /* number of events whose stacks are incomplete */
    brz_count batch[EVENTS_BATCH];
    size_t n_batch;
} events;

void events_init(events *e, brz_ctx *ctx, bool merges);

/* Counts the events of a chunk, whose columns and constants are known. */
brz_rc events_count(events *e, chunk *c);

/* Passes the rest of the counts to the host, and reports truncated stacks. */
brz_rc events_finish(events *e);

#endif
