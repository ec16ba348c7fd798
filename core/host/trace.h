/* SPDX-License-Identifier: MIT */
/* Converts the events of tracers, which report when calls begin and end, into stacks with what
 * passes during each call itself.
 *
 * Each track (a thread or process) has a stack of calls. By how much the columns rise between two
 * events belongs to the call on top. Calls are nodes of a tree, so the cost of an event does not
 * depend on the depth.
 */
#ifndef BRZ_TRACE_H
#define BRZ_TRACE_H

#include "profile/profile.h"

typedef struct brz_trace brz_trace;

/* Creates a trace that fills the columns which the profile has now; destroy it with
 * brz_trace_destroy(). If the profile keeps samples, there is one for each pair of events. */
brz_trace *brz_trace_create(brz_profile *p);

/* Destroys a trace; NULL is allowed. */
void brz_trace_destroy(brz_trace *t);

/* Begins a call within the current call of a track. `at` is what the columns read; its time is
 * BRZ_NO_TIME if it is unknown. Columns that are not given did not change. */
void brz_trace_enter(brz_trace *t, uint64_t track, brz_frame frame, const brz_values *at);

/* Ends the current call of a track. Returns false if no call of it is open. */
bool brz_trace_leave(brz_trace *t, uint64_t track, const brz_values *at);

/* Adds what was collected to the profile. Open calls end at the last event of their track. */
void brz_trace_finish(brz_trace *t);

#endif
