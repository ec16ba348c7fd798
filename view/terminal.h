/* SPDX-License-Identifier: MIT */
/* Whether there is a terminal, and whether the viewer can use it. */
#ifndef BRZ_VIEW_TERMINAL_H
#define BRZ_VIEW_TERMINAL_H

#include <stdio.h>

#include "base/buf.h"

/* Checks that there is a terminal which the viewer can use. Returns false and appends the reason to
 * `error` if not. */
bool view_terminal_check(brz_buf *error);

/* Returns the stream of the keys: standard input if that is a terminal, or else the controlling
 * terminal. Returns NULL if there is none. */
FILE *view_terminal_keys(void);

/* Closes the stream; NULL is allowed. */
void view_terminal_close_keys(FILE *keys);

#endif
