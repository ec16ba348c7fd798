/* SPDX-License-Identifier: MIT */
/* Prints scripts that complete the options of a tool. */
#ifndef BRZ_CARGO_COMPLETIONS_H
#define BRZ_CARGO_COMPLETIONS_H

#include "compat/words.h"

/* Prints the script for the shell that --completions names. Returns the exit status. */
int cargo_print_completions(compat_words *w);

#endif
