/* Calls as tracers tell them, enter and leave, turned into stacks with self time.
 *
 * Each track (a thread, a process) has a stack of calls. Time that passes between two events
 * belongs to the call on top. Calls are nodes of a tree, so an event costs the same at any depth.
 */
#ifndef BRZ_TRACKS_H
#define BRZ_TRACKS_H

#include "profile.h"

typedef struct brz_tracks brz_tracks;

brz_tracks *brz_tracks_create(void);
void brz_tracks_destroy(brz_tracks *t);

void brz_tracks_enter(brz_tracks *t, uint64_t track, brz_frame frame, int64_t time);

/* False if no call is open on the track. */
bool brz_tracks_leave(brz_tracks *t, uint64_t track, int64_t time);

/* Adds what was gathered to a column of the profile; open calls end where their track was seen
 * last. */
void brz_tracks_finish(brz_tracks *t, brz_profile *p, uint32_t weight);

#endif
