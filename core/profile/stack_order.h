/* SPDX-License-Identifier: MIT */
/* Sorts the stacks of a profile by the ranks of their frames, and finds what neighbours share. */
#ifndef BRZ_STACK_ORDER_H
#define BRZ_STACK_ORDER_H

#include "base/multikey.h"
#include "profile/profile.h"

/* Ranks of a frame: see ranks.h. Frames with the same label have the same ranks. */
typedef struct brz_frame_rank {
    uint32_t inner, leaf, label;
} brz_frame_rank;

/* Sorts all stacks of a profile, whose frames have the given ranks. `order` has an item per stack.
 * Equal stacks are adjacent, in any order. Returns true if the key of each item is the number of
 * leading frames whose ranks equal those of the previous stack. Returns false, and all keys are 0,
 * if the stacks were in no order: the caller, who reads them anyway, compares them then. */
bool brz_stack_order_sort(const brz_profile *p, const brz_frame_rank *ranks,
                          brz_multikey_item *order);

#endif
