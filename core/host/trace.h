/* Calls as tracers tell them, enter and leave, turned into stacks with self time.
 *
 * Each track (a thread, a process) has a stack of calls. Time that passes between two events
 * belongs to the call on top. Calls are nodes of a tree, so an event costs the same at any depth.
 */
#ifndef BRZ_TRACE_H
#define BRZ_TRACE_H

#include "profile/profile.h"

typedef struct brz_trace brz_trace;

brz_trace *brz_trace_create(void);

/* NULL is fine. */
void brz_trace_destroy(brz_trace *t);

/* A call begins on a track, within what is open there. Times are in units of the column, and a time
 * before the track's last one counts as that. */
void brz_trace_enter(brz_trace *t, uint64_t track, brz_frame frame, int64_t time);

/* The call that is open on the track ends; false if none is. */
bool brz_trace_leave(brz_trace *t, uint64_t track, int64_t time);

/* Adds what was gathered to a column of the profile; open calls end where their track was seen
 * last. */
void brz_trace_finish(brz_trace *t, brz_profile *p, uint32_t weight);

#endif
