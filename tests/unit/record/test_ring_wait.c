/* SPDX-License-Identifier: MIT */
/* Tests waiting for rings, with pipes in the place of events. */
#include "unit.h"

#include <unistd.h>

#include "record/ring_wait.h"

#define PIPES 4

/* Two processors with two events each. */
typedef struct fixture {
    int ends[PIPES][2];
    brz_event_fd fds[PIPES];
    brz_processor processors[2];
    brz_event_set set;
    brz_ring_wait wait;
} fixture;

static void begin(fixture *f)
{
    *f = (fixture){.set = {.fds = f->fds, .n_fds = PIPES, .n_processors = 2}};
    f->set.processors = f->processors;
    for (size_t i = 0; i < PIPES; i++) {
        assert_int_equal(pipe(f->ends[i]), 0);
        f->fds[i] = (brz_event_fd){f->ends[i][0], i / 2};
    }
    brz_ring_wait_init(&f->wait, &f->set, -1, -1);
}

static void hang_up(fixture *f, size_t i)
{
    close(f->ends[i][1]);
    f->ends[i][1] = -1;
}

static void finish(fixture *f)
{
    brz_ring_wait_finish(&f->wait);
    for (size_t i = 0; i < PIPES; i++) {
        close(f->ends[i][0]);
        if (f->ends[i][1] >= 0)
            close(f->ends[i][1]);
    }
}

static void a_ring_is_waited_for_after_the_end_of_a_thread(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    hang_up(&f, 0);
    assert_true(brz_ring_wait_for(&f.wait, -1)); /* returns, since a thread has ended */
    assert_int_equal(write(f.ends[1][1], "x", 1), 1);
    assert_true(brz_ring_wait_for(&f.wait, -1)); /* returns, since the ring fills */
    assert_int_equal(f.wait.polls[2].revents, POLLIN);
    assert_int_equal(f.wait.polls[3].revents, 0);
    finish(&f);
}

static void nothing_is_left_when_all_threads_have_ended(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    for (size_t i = 0; i < PIPES; i++)
        hang_up(&f, i);
    assert_true(brz_ring_wait_for(&f.wait, -1));
    assert_false(brz_ring_wait_for(&f.wait, -1));
    assert_int_equal(f.wait.polls[2].fd, -1);
    assert_int_equal(f.wait.polls[3].fd, -1);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_is_waited_for_after_the_end_of_a_thread),
        cmocka_unit_test(nothing_is_left_when_all_threads_have_ended),
    };
    return cmocka_run_group_tests_name("ring_wait", tests, NULL, NULL);
}
