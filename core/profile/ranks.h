/* SPDX-License-Identifier: MIT */
/* Ranks frame names, so that stacks can be compared by numbers.
 *
 * Folded lines are sorted by their bytes, where a name is followed by ";" or, as the last one, by
 * the end of the stack. A name therefore has two ranks: "foo" as a leaf sorts before "foo2", which
 * sorts before "foo;...".
 */
#ifndef BRZ_RANKS_H
#define BRZ_RANKS_H

#include "profile/profile.h"

typedef enum brz_order {
    BRZ_ORDER_MERGED, /* by name: a leaf directly before the stacks that extend it */
    BRZ_ORDER_FOLDED, /* by stack text */
    BRZ_ORDER_LINES,  /* by stack text followed by a space and a count */
} brz_order;

typedef struct brz_ranks {
    uint32_t *labels; /* by string id: the string that represents it in folded text */
    uint32_t *leaf;   /* by label: rank as the last frame, from 1 */
    uint32_t *inner;  /* by label: rank as any other frame */
    size_t n;         /* number of strings covered */
} brz_ranks;

/* Ranks the names of all frames. May add strings to the profile's table. */
void brz_ranks_init(brz_ranks *r, brz_profile *p, brz_order order);
void brz_ranks_finish(brz_ranks *r);

#endif
