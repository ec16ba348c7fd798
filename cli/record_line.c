/* SPDX-License-Identifier: MIT */
/* Shows the state of a recording. */
#include "record_line.h"

#include <stdio.h>

static double seconds(uint64_t nanoseconds)
{
    return (double)nanoseconds / 1e9;
}

void cli_record_line_show(void *context, const brz_record_state *state)
{
    cli_record_line *l = context;
    double passed = seconds(state->elapsed - l->last.elapsed);
    double rate = passed > 0 ? (double)(state->samples - l->last.samples) / passed : 0;
    if (!state->is_on)
        fprintf(stderr, "\r\033[Krecording begins soon: %.1f s", seconds(state->elapsed));
    else
        fprintf(stderr, "\r\033[Krecording %.1f s, %llu sample%s, %.0f/s, %llu lost",
                seconds(state->elapsed), (unsigned long long)state->samples,
                state->samples == 1 ? "" : "s", rate, (unsigned long long)state->lost);
    fflush(stderr);
    l->last = *state;
    l->shown = true;
}

void cli_record_line_finish(cli_record_line *l)
{
    if (l->shown)
        fputs("\r\033[K", stderr);
    l->shown = false;
}
