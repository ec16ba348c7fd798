/* SPDX-License-Identifier: MIT */
/* Records interval after interval, for `brazier record --every`. A process of its own records each,
 * folds it and writes the outputs while the next one records: no time is left out, and no memory
 * grows with the number of intervals. */
#ifndef CLI_CONTINUOUS_H
#define CLI_CONTINUOUS_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

#define CLI_INTERVAL_LEAST UINT64_C(1000000000) /* nanoseconds */

typedef struct cli_continuous {
    brz_console *console;
    uint64_t every;    /* length of an interval in nanoseconds; they end at multiples of it */
    uint64_t duration; /* of all; 0: until a signal */
    uint64_t keep;     /* age from which on files are removed; 0: none are */
    const char *const *files; /* names with the time of the interval: see interval_names.h */
    size_t n_files;
    char **words; /* of the command line; NULL-terminated */
    /* Records an interval of some nanoseconds, in its process. Returns the exit status. */
    int (*record)(void *context, char **words, uint64_t duration);
    void *context;
} cli_continuous;

/* Records until the duration is over, a signal asks it to end, the recorded processes have ended,
 * or intervals fail. Returns the exit status. */
int cli_continuous_run(const cli_continuous *c);

#endif
