/* SPDX-License-Identifier: MIT */
/* Runs tests in child processes, which may crash, hang or exit at any time. */
#ifndef BRZ_CHECK_RUNNER_H
#define BRZ_CHECK_RUNNER_H

#include "check/contract/check.h"

typedef struct check_runner {
    check_subject *subject;
    check_settings settings;
    check_crash_record *crash_record;
    double time_limit;       /* of a test, in seconds of work */
    const atomic_bool *stop; /* aborts tests once true */
} check_runner;

/* Runs a test in a child and waits for it. The caller must finish the result. */
check_result check_run_apart(check_runner *r, const check_test *test);

/* Runs a test in this process, for debuggers. */
check_result check_run_here(check_runner *r, const check_test *test);

#endif
