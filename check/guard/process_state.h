/* SPDX-License-Identifier: MIT */
/* Process state that a plug-in could change, as lines of text that can be compared. */
#ifndef BRZ_CHECK_PROCESS_STATE_H
#define BRZ_CHECK_PROCESS_STATE_H

#include "base/buf.h"

/* Appends the open descriptors and their types. */
void check_process_state_descriptors(brz_buf *to);

/* Appends the number of threads, and whether there are child processes. */
void check_process_state_threads(brz_buf *to);

/* Appends locale, working directory, umask, environment, signals and floating-point modes. */
void check_process_state_process(brz_buf *to);

#endif
