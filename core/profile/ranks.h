/* The order of frame names, as ranks: so that stacks are compared by numbers.
 *
 * Folded lines are sorted by their bytes, in which a name is followed by ";" or, as the last one,
 * by the end of the stack. So a name has two ranks. "foo" as a leaf comes before "foo2", which
 * comes before "foo;…".
 */
#ifndef BRZ_RANKS_H
#define BRZ_RANKS_H

#include "profile/profile.h"

typedef enum brz_order {
    BRZ_ORDER_MERGED, /* by names: a leaf directly before the stacks that go on from it */
    BRZ_ORDER_FOLDED, /* by stack text */
    BRZ_ORDER_LINES,  /* by stack text followed by a blank and a count */
} brz_order;

typedef struct brz_ranks {
    uint32_t *labels; /* by string id: the string that stands for it in folded text */
    uint32_t *leaf;   /* by label: rank as a last frame, from 1 */
    uint32_t *inner;  /* by label: rank as any other frame */
    size_t n;         /* strings covered */
} brz_ranks;

/* Ranks the names of all frames. May add strings to the profile's table. */
void brz_ranks_init(brz_ranks *r, brz_profile *p, brz_order order);
void brz_ranks_finish(brz_ranks *r);

#endif
