/* Converts the events of tracers, which report when calls begin and end, into stacks with self
 * times.
 *
 * Each track (a thread or process) has a stack of calls. The time between two events belongs to the
 * call on top. Calls are nodes of a tree, so the cost of an event does not depend on the depth.
 */
#ifndef BRZ_TRACE_H
#define BRZ_TRACE_H

#include "profile/profile.h"

typedef struct brz_trace brz_trace;

brz_trace *brz_trace_create(void);

/* Makes the trace keep each period of time that a call is on top, for samples. Call it before the
 * first event. */
void brz_trace_keep_samples(brz_trace *t);

/* Destroys a trace; NULL is allowed. */
void brz_trace_destroy(brz_trace *t);

/* Begins a call within the current call of a track. Times are in units of the column; a time before
 * the last event of the track counts as the time of that event. */
void brz_trace_enter(brz_trace *t, uint64_t track, brz_frame frame, int64_t time);

/* Ends the current call of a track. Returns false if there is none. */
bool brz_trace_leave(brz_trace *t, uint64_t track, int64_t time);

/* Sets the tag of a track's samples from now on. */
void brz_trace_tag(brz_trace *t, uint64_t track, brz_tag tag);

/* Adds the collected times to a column of the profile. Open calls end at the last event of their
 * track. Adds the samples, too, if the trace kept them. */
void brz_trace_finish(brz_trace *t, brz_profile *p, uint32_t weight);

#endif
