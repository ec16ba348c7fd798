/* Passes folded stacks through a command of the user. */
#ifndef BRZ_CLI_CARGO_STACKS_H
#define BRZ_CLI_CARGO_STACKS_H

#include "compat/words.h"
#include "options.h"

/* The option that leaves out inlined functions. */
#define CARGO_WITHOUT_INLINES "--set=?perf-data.inlines=false"

/* Folds a recording and runs the command of --post-process with the result, which becomes the
 * standard input of this process. Returns the exit status if that fails, which is reported;
 * otherwise -1. */
int cargo_process_stacks(compat_words *w, const char *recording);

#endif
