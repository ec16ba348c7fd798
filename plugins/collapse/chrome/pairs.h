/* Finds the ends of events that begin and end separately. */
#ifndef CHROME_PAIRS_H
#define CHROME_PAIRS_H

#include "trace.h"

/* An end that occurs before any beginning with its name. It may be that of an event without
 * duration whose beginning follows at the same time. */
typedef struct early_ends {
    int64_t time;
    uint64_t n;
} early_ends;

/* Tables for the events of one thread at a time. */
typedef struct pairs {
    trace *trace;
    uint32_t *innermost; /* by name: index of the innermost open event, from 1; 0: none */
    early_ends *early;   /* by name */
    uint32_t *open;      /* indices of events that have begun; some have ended */
    size_t n_open;
    uint64_t unmatched; /* ends without a beginning, of all threads */
} pairs;

/* Creates tables for threads of up to `most` events. */
pairs pairs_of(trace *t, brz_ctx *ctx, size_t most);

/* Gives each beginning among the events of a thread its end, if it has one. The events are sorted
 * by time, and those of equal times in the order of the file. */
void pairs_find(pairs *p, const uint32_t *events, size_t n);

#endif
