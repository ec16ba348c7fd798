/* SPDX-License-Identifier: MIT */
/* Prepares that the terminal is given back if the program ends in the middle of its work. */
#ifndef VIEW_TERMINAL_GUARD_H
#define VIEW_TERMINAL_GUARD_H

#include "base/terminal_guard.h"

/* The guard of the viewer, in the program or the module that contains it. */
brz_terminal_guard *view_terminal_guard(void);

/* Says that the terminal is changed from now on, whose modes were those, or no longer. `keys` is a
 * descriptor of the terminal, whose description the library has loaded. */
void view_terminal_guard_begin(int keys, const struct termios *modes);
void view_terminal_guard_end(void);

#endif
