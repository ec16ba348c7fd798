/* SPDX-License-Identifier: MIT */
/* Counts records while they are still in a ring. */
#ifndef BRZ_RECORD_TALLY_H
#define BRZ_RECORD_TALLY_H

#include "record/ring.h"

typedef struct brz_tally {
    uint64_t samples, throttled;
    uint64_t lost;        /* records for which a ring had no room */
    uint64_t lost_before; /* samples that were lost before they got to a ring */
    uint64_t first, last; /* times of samples; 0: none */
} brz_tally;

/* Adds the records between tail and head. `time_at` is the place of the time in samples, from the
 * beginning of the record. */
void brz_tally_add(brz_tally *t, const brz_ring *r, size_t time_at);

/* Returns the number of lost records: the larger count, since both may count the same records. */
uint64_t brz_tally_lost(const brz_tally *t);

#endif
