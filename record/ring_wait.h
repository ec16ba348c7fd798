/* SPDX-License-Identifier: MIT */
/* Waits until rings fill.
 *
 * The events of a processor share its ring, and waiting uses the descriptor of one of them. Once
 * the thread of that event and all its children have ended, another event takes its place.
 */
#ifndef BRZ_RECORD_RING_WAIT_H
#define BRZ_RECORD_RING_WAIT_H

#include <poll.h>

#include "record/event_set.h"

typedef struct brz_ring_wait {
    const brz_event_set *set;
    struct pollfd *polls; /* two other descriptors, then one per processor */
    size_t *at;           /* position in the set of the descriptor, per processor */
} brz_ring_wait;

/* Prepares to wait for the rings of a set, and for input from two other descriptors (-1: none). */
void brz_ring_wait_init(brz_ring_wait *w, const brz_event_set *s, int first, int second);

/* Waits up to a number of milliseconds. Returns whether any recorded thread may live. */
bool brz_ring_wait_for(brz_ring_wait *w, int timeout);

void brz_ring_wait_finish(brz_ring_wait *w);

#endif
