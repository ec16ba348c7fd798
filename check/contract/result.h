/* SPDX-License-Identifier: MIT */
/* The result of a test, and its transfer from the test's process to the one that reports it. */
#ifndef BRZ_CHECK_RESULT_H
#define BRZ_CHECK_RESULT_H

#include <brazier/base.h>

#include "base/buf.h"

struct check_test;

typedef enum check_status {
    CHECK_PASSED,
    CHECK_FAILED,
    CHECK_SKIPPED,
} check_status;

/* A failure. The struct owns its texts. */
typedef struct check_failure {
    unsigned clause;
    brz_buf what, expected, seen;
} check_failure;

typedef struct check_result {
    const struct check_test *test;
    check_status status;
    check_failure *failures;
    size_t n_failures, failures_cap;
    brz_buf detail; /* reason for skipping, or a detail worth showing */
    bool over;      /* the test has reported its end */
    bool hung;
    double seconds;
} check_result;

/* ---- sender ---- */

void check_send_failure(int to, unsigned clause, brz_str what, brz_str expected, brz_str seen);
void check_send_skip(int to, brz_str why);
void check_send_detail(int to, brz_str detail);
/* Reports a component found in the file; called by the test that loads it. */
void check_send_component(int to, uint32_t kind, uint32_t flags, brz_str id);
void check_send_end(int to);

/* ---- receiver ---- */

struct check_subject;

/* Handles and removes all complete messages at the front of `in`; adds components to the
 * subject. */
void check_receive(brz_buf *in, check_result *r, struct check_subject *subject);

/* Adds a failure that the test could not report itself. */
void check_result_fail(check_result *r, unsigned clause, brz_str what, brz_str seen);

void check_result_finish(check_result *r);

#endif
