/* Counts what a recording lacks, and reports it at the end. */
#ifndef PERF_DATA_LOSSES_H
#define PERF_DATA_LOSSES_H

#include <brazier/host.h>

typedef struct losses {
    uint64_t lost;          /* records that the kernel dropped, by LOST records */
    uint64_t lost_samples;  /* likewise, by LOST_SAMPLES records */
    uint64_t throttled;     /* times that the kernel slowed the sampling down */
    uint64_t aux_lost;      /* pieces of hardware traces that were cut or collided */
    uint64_t map_timeouts;  /* processes whose mappings perf did not read in time */
    uint64_t unknown_type;  /* records of unknown types */
    uint64_t unknown_event; /* records of events that the recording does not describe */
    uint64_t bad_chains;    /* call chains with an unknown marker */
    uint64_t deferred;      /* user call chains that come later */
    uint64_t aux;           /* pieces of hardware traces, which are not decoded */
    uint64_t not_unwound;   /* samples with a copy of the user stack */
    uint64_t no_column;     /* samples of too many events */
    uint64_t bad_payloads;  /* switches and wake-ups whose fields are missing */
    uint64_t no_frames;     /* samples without a frame */
} losses;

/* Reports what was counted. */
void losses_report(const losses *l, brz_ctx *ctx);

#endif
