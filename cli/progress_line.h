/* SPDX-License-Identifier: MIT */
/* Shows the progress of a long run on a line of the terminal. */
#ifndef BRZ_CLI_PROGRESS_LINE_H
#define BRZ_CLI_PROGRESS_LINE_H

#include <brazier.h>

#include <stdbool.h>

typedef struct cli_progress_line {
    double start, last, next; /* start of the input, last report, next line; in seconds */
    uint64_t bytes;           /* last reported state of the input */
    bool shown;
} cli_progress_line;

/* Shows nothing for inputs that end within a second. */
void cli_progress_line_init(cli_progress_line *l);

/* A brazier_progress_fn; its context is the line. */
int cli_progress_line_show(void *context, const brazier_progress *progress);

/* Clears the line. */
void cli_progress_line_finish(const cli_progress_line *l);

#endif
