/* SPDX-License-Identifier: MIT */
/* Shows the progress of a long run on a line of the terminal. */
#include "progress_line.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/diag.h"

#define FIRST_LINE 1.0 /* seconds after the start */
#define INTERVAL   0.2 /* between lines */

void cli_progress_line_init(cli_progress_line *l)
{
    *l = (cli_progress_line){.start = brz_clock_seconds(CLOCK_MONOTONIC)};
    l->last = l->start;
    l->next = l->start + FIRST_LINE;
}

static void add_eta(brz_buf *b, double seconds)
{
    unsigned long s = (unsigned long)(seconds + 0.5);
    if (s >= 3600)
        brz_buf_printf(b, ", %lu:%02lu:%02lu left", s / 3600, s / 60 % 60, s % 60);
    else
        brz_buf_printf(b, ", %lu:%02lu left", s / 60, s % 60);
}

static void print(const cli_progress_line *l, const brazier_progress *p)
{
    brz_buf b = {0};
    double passed = l->last - l->start;
    double rate = passed > 0 ? (double)p->bytes / passed : 0;
    brz_add_printable(&b, brz_str_of_text(basename(p->input)));
    brz_buf_printf(&b, ": %.1f MB", (double)p->bytes / 1e6);
    if (p->total > 0)
        brz_buf_printf(&b, ", %.0f%%", 100.0 * (double)p->bytes / (double)p->total);
    brz_buf_printf(&b, ", %.0f MB/s", rate / 1e6);
    if (p->total > p->bytes && rate > 0)
        add_eta(&b, (double)(p->total - p->bytes) / rate);
    fprintf(stderr, "\r\033[K%s", brz_buf_text(&b));
    fflush(stderr);
    brz_buf_finish(&b);
}

int cli_progress_line_show(void *context, const brazier_progress *progress)
{
    cli_progress_line *l = context;
    if (progress->bytes < l->bytes) /* the next input */
        l->start = l->last;
    l->bytes = progress->bytes;
    l->last = brz_clock_seconds(CLOCK_MONOTONIC);
    if (l->next == 0 || l->last < l->next) /* not initialised, or not due */
        return 0;
    l->next = l->last + INTERVAL;
    print(l, progress);
    l->shown = true;
    return 0;
}

void cli_progress_line_finish(const cli_progress_line *l)
{
    if (l->shown)
        fputs("\r\033[K", stderr);
}
