/* SPDX-License-Identifier: MIT */
/* Tests the thread that watches the limits of a run. */
#include "unit.h"

#include <langinfo.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "request/limits.h"

static pthread_t tester;
static atomic_uint started;

/* Replaces the function of the C library, which a starting thread calls to choose its locale. The
 * thread takes long here. */
char *nl_langinfo(nl_item item)
{
    static char point[] = ".", nothing[] = "";
    if (!pthread_equal(pthread_self(), tester)) {
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        atomic_fetch_add(&started, 1);
    }
    return item == RADIXCHAR ? point : nothing;
}

/* A run that forks would copy the locks of a thread that is starting. */
static void the_thread_has_started_when_the_watch_begins(void **state)
{
    (void)state;
    brz_run run = {.console = NULL};
    tester = pthread_self();
    brz_limit_watch *w = brz_limit_watch_begin(&run, &(brz_limits){.time = UINT64_MAX});
    assert_int_equal(atomic_load(&started), 1);
    assert_false(brz_limit_watch_end(w, false));
}

static void a_run_that_takes_too_long_is_stopped(void **state)
{
    (void)state;
    brz_run run = {.console = NULL};
    brz_limit_watch *w = brz_limit_watch_begin(&run, &(brz_limits){.time = 1});
    while (!atomic_load(&run.stop))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_true(brz_limit_watch_end(w, false));
}

static void without_limits_there_is_no_watch(void **state)
{
    (void)state;
    brz_run run = {.console = NULL};
    assert_null(brz_limit_watch_begin(&run, &(brz_limits){.threads = 2}));
    assert_false(brz_limit_watch_end(NULL, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_thread_has_started_when_the_watch_begins),
        cmocka_unit_test(a_run_that_takes_too_long_is_stopped),
        cmocka_unit_test(without_limits_there_is_no_watch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
