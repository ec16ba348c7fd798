/* How far a run is, for whoever wants to show it or to end the run early. */
#ifndef BRZ_PROGRESS_H
#define BRZ_PROGRESS_H

#include "input/source.h"

/* Told of an input, how many of its bytes were taken and how many there are (0: not known). What is
 * not 0 ends the run early. Any thread, one at a time. */
typedef int brz_progress_fn(void *context, const char *input, uint64_t taken, uint64_t total);

typedef struct brz_progress {
    brz_progress_fn *tell;
    void *context;
    atomic_bool *stop; /* of the run */
} brz_progress;

/* One more piece of the source was parsed. NULL is fine; one thread at a time. */
void brz_progress_tick(const brz_progress *p, const brz_source *s);

#endif
