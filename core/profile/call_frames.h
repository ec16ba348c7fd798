/* SPDX-License-Identifier: MIT */
/* Chooses the frames of calls that several frames of one name share. */
#ifndef BRZ_CALL_FRAMES_H
#define BRZ_CALL_FRAMES_H

#include "base/arena.h"
#include "profile/profile.h"
#include "profile/stack_order.h"

/* Sorted stacks: group i has those with the names of stack `order[i].item`, and the lower half of
 * its key is the number of leading names that it shares with the group before it. */
typedef struct brz_stack_groups {
    const brz_profile *profile;
    const brz_frame_rank *ranks; /* by frame */
    uint32_t weight;             /* column by which the heaviest frame is found */
    const brz_multikey_item *order;
    size_t n_order;
    const uint32_t *sorted; /* all stacks */
    const size_t *ends;     /* by group: end of its stacks in `sorted` */
    int (*compare)(const brz_profile *p, brz_frame a, brz_frame b); /* by all attributes */
} brz_stack_groups;

/* Returns the frames of each group, or NULL in place of those of stack `order[i].item`. A call has
 * the heaviest of its frames; of equally heavy ones that which compares least. The memory of the
 * frames belongs to the arena; the caller frees the array. */
brz_frame **brz_call_frames_choose(const brz_stack_groups *g, brz_arena *memory);

#endif
