/* SPDX-License-Identifier: MIT */
/* Runs a collapser on an input in various ways and records the result.
 *
 * Unlike brz_collapse, which is built for speed, this is built for verification: each chunk is a
 * copy between inaccessible pages, is overwritten after the call, and all calls of the plug-in to
 * the host are checked.
 */
#ifndef BRZ_CHECK_RUN_COLLAPSER_H
#define BRZ_CHECK_RUN_COLLAPSER_H

#include "collapse_result.h"
#include "check/guard/host_monitor.h"

typedef struct check_collapser_options {
    uint64_t seed;      /* seed of random choices */
    size_t step;        /* bytes added per chunk; 0: all */
    bool random_steps;  /* steps of 1 to `step` bytes */
    unsigned cuts;      /* number of random boundaries that divide the input into runs */
    unsigned instances; /* instances that runs are assigned to; 0 means 1 */
    uint8_t slack;      /* bytes around chunks */
    bool slack_at_front;
    unsigned newer; /* properties of a later host: CHECK_LONGER, CHECK_ODD_FLAGS */
    uint32_t ctx_flags;
    size_t stop_at;       /* the emission that returns BRZ_STOP; 0: none */
    bool answers_related; /* open_related returns `related` instead of looking for the file */
    int32_t related;      /* BRZ_RELATED_* */
    bool measures_memory; /* sets `memory` of the result, which takes longer than a short input */
} check_collapser_options;

/* Runs a case. Reports violations of the contract that any input may reveal as failures at once. */
void check_run_collapser(check *c, const check_case *k, const check_collapser_options *how,
                         check_collapse_result *o);
/* Returns the beginning of a case's records: the end of the part that `prelude` takes. */
size_t check_records_begin(check *c, const check_case *k);

#endif
