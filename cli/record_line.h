/* SPDX-License-Identifier: MIT */
/* The line on the terminal that shows the state of a recording. */
#ifndef BRZ_CLI_RECORD_LINE_H
#define BRZ_CLI_RECORD_LINE_H

#include "record/recorder.h"

typedef struct cli_record_line {
    brz_record_state last;
    bool shown;
} cli_record_line;

/* Implements brz_record_live_fn. */
void cli_record_line_show(void *context, const brz_record_state *state);

/* Removes the line. */
void cli_record_line_finish(cli_record_line *l);

#endif
