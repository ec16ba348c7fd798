/* Counts records while they are still in a ring. */
#ifndef BRZ_RECORD_TALLY_H
#define BRZ_RECORD_TALLY_H

#include "record/ring.h"

typedef struct brz_tally {
    uint64_t samples, lost, throttled;
    uint64_t first, last; /* times of samples; 0: none */
} brz_tally;

/* Adds the records between tail and head. `time_at` is the place of the time in samples, from the
 * beginning of the record. */
void brz_tally_add(brz_tally *t, const brz_ring *r, size_t time_at);

#endif
