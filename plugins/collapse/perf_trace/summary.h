/* SPDX-License-Identifier: MIT */
/* The tables of system calls that `perf trace -s` prints. */
#ifndef PERF_TRACE_SUMMARY_H
#define PERF_TRACE_SUMMARY_H

#include <brazier/base.h>

/* The line in front of a table. */
typedef struct summary_heading {
    brz_str process; /* a process or a control group; empty if the table is the total */
    int64_t thread;  /* with has_thread */
    bool has_thread;
} summary_heading;

/* Parses "NAME (THREAD), N events…", "NAME, N events" of a control group, or "total, N events". */
bool summary_parse_heading(brz_str line, summary_heading *h);

/* A row: a system call of the thread. */
typedef struct summary_row {
    brz_str name;
    int64_t calls, errors;
    int64_t time; /* in nanoseconds */
    bool has_errors;
} summary_row;

/* Parses "NAME calls [errors] total min avg max stddev%". */
bool summary_parse_row(brz_str line, summary_row *r);

/* Recognises the two lines of titles and the rule below them. The first one tells whether there is
 * a column of errors. */
bool summary_is_title(brz_str line);

/* Recognises the count of an error of the row above (--errno-summary): "ENOENT: 5". */
bool summary_is_error(brz_str line);

#endif
