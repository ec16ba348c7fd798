/* Ways to show a collapser an input, and what comes of it.
 *
 * What brz_collapse does for speed, this does for proof: each chunk is a copy between pages that
 * nobody may touch, is spoilt when the call is over, and everything that the plug-in calls is
 * looked at.
 */
#ifndef BRZ_CHECK_SHOWING_H
#define BRZ_CHECK_SHOWING_H

#include "outcome.h"
#include "watch.h"

typedef struct check_showing {
    uint64_t seed;      /* of what is left to chance */
    size_t step;        /* how many bytes more are shown each time; 0: all that there are */
    bool random_steps;  /* 1 to `step` */
    unsigned cuts;      /* at how many boundaries, by chance, runs are divided */
    unsigned instances; /* that runs are dealt to; 0 is 1 */
    uint8_t slack;      /* what lies around chunks */
    bool slack_at_front;
    unsigned newer; /* what a host of a later minor does: CHECK_LONGER, CHECK_ODD_FLAGS */
    uint32_t ctx_flags;
    size_t stop_at; /* the emission that is answered BRZ_STOP; 0: none */
} check_showing;

/* Shows a case; breaches of the contract that any input may bring to light are failures at once. */
void check_show(check *c, const check_case *k, const check_showing *how, check_outcome *o);
/* Where the records of a case begin: behind what `prelude` takes. */
size_t check_records_begin(check *c, const check_case *k);

#endif
