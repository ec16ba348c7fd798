/* The line that tells how far a long run is: on a terminal, and only once it is long. */
#ifndef BRZ_PROGRESS_H
#define BRZ_PROGRESS_H

#include "source.h"

typedef struct brz_progress brz_progress;

/* NULL if stderr is no terminal. Inputs that end within a second are never mentioned. */
brz_progress *brz_progress_create(bool terminal);

/* One more piece of the source was parsed. NULL is fine; cheap; one thread at a time. */
void brz_progress_tick(brz_progress *p, const brz_source *s);

/* The line goes there from now on, as text, instead of being shown. NULL is fine. */
void brz_progress_relay(brz_progress *p, void (*relay)(brz_str line));

/* Shows a line that was made elsewhere. NULL is fine. */
void brz_progress_show(brz_progress *p, brz_str line);

/* Wipes the line. */
void brz_progress_destroy(brz_progress *p);

#endif
