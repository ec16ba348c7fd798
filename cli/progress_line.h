/* The line on the terminal that tells how far a long run is. */
#ifndef BRZ_CLI_PROGRESS_LINE_H
#define BRZ_CLI_PROGRESS_LINE_H

#include <brazier.h>

#include <stdbool.h>

typedef struct cli_progress_line {
    double start, last, next; /* of the input; of the last news; of the next line; in seconds */
    uint64_t bytes;           /* of the input, as last heard */
    bool shown;
} cli_progress_line;

/* Inputs that end within a second are never mentioned. */
void cli_progress_line_init(cli_progress_line *l);

/* A brazier_progress_fn; the context is the line. */
int cli_progress_line_show(void *context, const brazier_progress *progress);

/* Wipes the line. */
void cli_progress_line_finish(const cli_progress_line *l);

#endif
