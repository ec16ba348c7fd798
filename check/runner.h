/* Runs tests, each in a child process that may crash, hang or end as it likes. */
#ifndef BRZ_CHECK_RUNNER_H
#define BRZ_CHECK_RUNNER_H

#include "check.h"

typedef struct check_runner {
    check_subject *subject;
    check_settings settings;
    check_board *board;
    double time_limit;       /* seconds, for one test */
    const atomic_bool *stop; /* once true, tests are given up */
} check_runner;

/* Runs a test in a child and waits for it. Finish the result. */
check_result check_run_apart(check_runner *r, const check_test *test);

/* Runs it in this process, for debuggers. */
check_result check_run_here(check_runner *r, const check_test *test);

#endif
