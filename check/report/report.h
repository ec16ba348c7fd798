/* SPDX-License-Identifier: MIT */
/* Reports of the results of all tests: for people, for programs, and for test result collectors. */
#ifndef BRZ_CHECK_REPORT_H
#define BRZ_CHECK_REPORT_H

#include <stdio.h>

#include "runner.h"

typedef struct check_report {
    const check_runner *runner;
    check_result *results;
    size_t n, cap;
} check_report;

/* Adds a result; the report takes ownership of it. */
void check_report_add(check_report *r, check_result result);
void check_report_finish(check_report *r);

size_t check_report_count(const check_report *r, check_status status);

/* Print results while tests run: before the first, after each, and after the last. `color`: the
 * output is a terminal; `quiet`: omit passed tests. */
void check_text_begin(FILE *out, const check_runner *runner);
void check_text_result(FILE *out, const check_runner *runner, const check_result *result,
                       bool color, bool quiet);
void check_text_end(FILE *out, const check_report *r, bool color);

void check_report_json(const check_report *r, brz_buf *b);
void check_report_junit(const check_report *r, brz_buf *b);

#endif
