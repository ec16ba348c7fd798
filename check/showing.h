/* Runs a collapser on an input in various ways and records the result.
 *
 * Unlike brz_collapse, which is built for speed, this is built for verification: each chunk is a
 * copy between inaccessible pages, is overwritten after the call, and all calls of the plug-in to
 * the host are checked.
 */
#ifndef BRZ_CHECK_SHOWING_H
#define BRZ_CHECK_SHOWING_H

#include "outcome.h"
#include "watch.h"

typedef struct check_showing {
    uint64_t seed;      /* seed of random choices */
    size_t step;        /* bytes added per chunk; 0: all */
    bool random_steps;  /* steps of 1 to `step` bytes */
    unsigned cuts;      /* number of random boundaries that divide the input into runs */
    unsigned instances; /* instances that runs are assigned to; 0 means 1 */
    uint8_t slack;      /* bytes around chunks */
    bool slack_at_front;
    unsigned newer; /* properties of a later host: CHECK_LONGER, CHECK_ODD_FLAGS */
    uint32_t ctx_flags;
    size_t stop_at; /* the emission that returns BRZ_STOP; 0: none */
} check_showing;

/* Runs a case. Reports violations of the contract that any input may reveal as failures at once. */
void check_show(check *c, const check_case *k, const check_showing *how, check_outcome *o);
/* Returns the beginning of a case's records: the end of the part that `prelude` takes. */
size_t check_records_begin(check *c, const check_case *k);

#endif
