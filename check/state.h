/* What a plug-in could change of the process that it runs in: as lines of text, to be compared. */
#ifndef BRZ_CHECK_STATE_H
#define BRZ_CHECK_STATE_H

#include "base/buf.h"

/* Open descriptors, and what each is. */
void check_state_descriptors(brz_buf *to);

/* How many threads there are, and whether there are child processes. */
void check_state_threads(brz_buf *to);

/* Locale, working directory, umask, environment, signals, and how floating point rounds. */
void check_state_process(brz_buf *to);

#endif
