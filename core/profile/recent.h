/* SPDX-License-Identifier: MIT */
/* Keeps what was added to a profile while it is read: since a moment, or in the last seconds.
 *
 * The profile has sums only. At each tick the new sums are compared with those of the tick before,
 * and the differences go to a ring with a place for each of the last ticks. Its memory is bounded
 * by the number of samples in that time, and by BRZ_RECENT_MOST: if there are more, the oldest
 * ticks are forgotten early. */
#ifndef BRZ_RECENT_H
#define BRZ_RECENT_H

#include "profile/profile.h"

/* Maximum number of differences that are kept. */
#define BRZ_RECENT_MOST ((size_t)1 << 20)

/* An addition to a value of a stack. */
typedef struct brz_addition {
    brz_stack stack;
    uint32_t weight;
    int64_t value;
} brz_addition;

/* The sums at a moment. */
typedef struct brz_sums {
    int64_t *values; /* by stack, for each weight */
    size_t n_stacks, n_weights;
} brz_sums;

typedef struct brz_recent {
    struct brz_tick *ticks; /* a ring */
    size_t n_ticks;
    size_t last; /* the newest one */
    size_t n_kept, most;
    brz_sums before; /* at the last tick */
    brz_sums begin;  /* at the moment that was marked; empty: none was */
} brz_recent;

/* Remembers the last `n_ticks`, at least one, and at most `most` differences. */
void brz_recent_init(brz_recent *r, size_t n_ticks, size_t most);
void brz_recent_finish(brz_recent *r);

/* Takes what was added since the last tick, which is `n` ticks ago. */
void brz_recent_tick(brz_recent *r, const brz_profile *p, size_t n);

/* Marks this moment. */
void brz_recent_mark(brz_recent *r, const brz_profile *p);

/* The part of a profile to copy. */
typedef enum brz_recent_part {
    BRZ_RECENT_ALL,
    BRZ_RECENT_SINCE_MARK,
    BRZ_RECENT_LAST, /* what the ring has */
} brz_recent_part;

/* Returns a copy of a part of the profile. It has samples with tags only if the part is all. A part
 * without samples keeps one stack, with the value 0. */
brz_profile *brz_recent_copy(const brz_recent *r, const brz_profile *p, brz_recent_part part);

#endif
