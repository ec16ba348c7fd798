/* SPDX-License-Identifier: MIT */
/* Prepares that the terminal is given back if the program ends in the middle of its work. */
#ifndef VIEW_TERMINAL_GUARD_H
#define VIEW_TERMINAL_GUARD_H

#include "base/terminal_guard.h"

/* Returns the guard of the program or module that contains the viewer. */
brz_terminal_guard *view_terminal_guard(void);

/* Begins to guard the terminal with the descriptor `keys`. `modes` are those from before it was
 * changed; curses must have loaded its description. */
void view_terminal_guard_begin(int keys, const struct termios *modes);

/* Ends that, once the terminal is restored. */
void view_terminal_guard_end(void);

#endif
