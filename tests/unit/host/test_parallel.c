/* SPDX-License-Identifier: MIT */
/* Tests the threads on which the work of plug-ins runs. */
#include "unit.h"

#include "host/parallel.h"

#include <stdatomic.h>

#define ITEMS 1000

typedef struct job {
    atomic_int done[ITEMS];
    atomic_int all;
    atomic_int busy[BRZ_PARALLEL_MAX];
} job;

static void count(void *arg, size_t item, uint32_t thread)
{
    job *j = arg;
    assert_true(thread < BRZ_PARALLEL_MAX);
    assert_int_equal(atomic_fetch_add(&j->busy[thread], 1), 0);
    atomic_fetch_add(&j->done[item], 1);
    atomic_fetch_add(&j->all, 1);
    atomic_fetch_sub(&j->busy[thread], 1);
}

static const brz_loaded plugin = {.path = "plugin.so"};

static void each_item_is_done_once_by_any_number_of_threads(void **state)
{
    static const unsigned threads[] = {0, 1, 2, 8, 1000};
    (void)state;
    for (size_t t = 0; t < COUNT_OF(threads); t++) {
        job j = {.all = 0};
        brz_parallel *p = brz_parallel_create(threads[t], &plugin, "in");
        brz_parallel_start(p, count, &j, ITEMS);
        brz_parallel_wait(p);
        for (size_t i = 0; i < ITEMS; i++)
            assert_int_equal(j.done[i], 1);
        brz_parallel_destroy(p);
    }
}

static void a_job_waits_for_the_one_before(void **state)
{
    (void)state;
    job first = {.all = 0}, second = {.all = 0};
    brz_parallel *p = brz_parallel_create(4, &plugin, "in");
    brz_parallel_start(p, count, &first, ITEMS);
    brz_parallel_start(p, count, &second, ITEMS);
    assert_int_equal(first.all, ITEMS);
    brz_parallel_wait(p);
    assert_int_equal(second.all, ITEMS);
    brz_parallel_destroy(p);
}

static void without_other_threads_a_job_runs_when_the_caller_waits(void **state)
{
    (void)state;
    job j = {.all = 0};
    brz_parallel *p = brz_parallel_create(1, &plugin, "in");
    brz_parallel_start(p, count, &j, ITEMS);
    assert_int_equal(j.all, 0);
    brz_parallel_wait(p);
    assert_int_equal(j.all, ITEMS);
    brz_parallel_destroy(p);
}

static void many_small_jobs(void **state)
{
    (void)state;
    job j = {.all = 0};
    brz_parallel *p = brz_parallel_create(3, &plugin, "in");
    for (size_t i = 0; i < 2000; i++) {
        brz_parallel_start(p, count, &j, i % 4);
        if (i % 3 == 0)
            brz_parallel_wait(p);
    }
    brz_parallel_destroy(p);
    assert_int_equal(j.all, 3000);
}

static void nothing_to_wait_for(void **state)
{
    (void)state;
    brz_parallel_wait(NULL);
    brz_parallel_destroy(NULL);
    brz_parallel *p = brz_parallel_create(2, &plugin, "in");
    brz_parallel_wait(p);
    brz_parallel_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_item_is_done_once_by_any_number_of_threads),
        cmocka_unit_test(a_job_waits_for_the_one_before),
        cmocka_unit_test(without_other_threads_a_job_runs_when_the_caller_waits),
        cmocka_unit_test(many_small_jobs),
        cmocka_unit_test(nothing_to_wait_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
