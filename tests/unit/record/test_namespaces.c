/* SPDX-License-Identifier: MIT */
/* Tests remembering the namespaces of recorded processes. */
#include "unit.h"

#include "base/mem.h"
#include "record/namespaces.h"

#include <linux/perf_event.h>
#include <unistd.h>

/* Numbers that no process has. */
#define PARENT 4000001
#define CHILD  4000002
#define OTHER  4000003

#define MOUNTS 99
#define ROOT   55

/* The record of a new process, or of the execution of a program. */
typedef struct record {
    struct perf_event_header header;
    uint32_t numbers[4];
} record;

static record record_of(uint32_t type, uint16_t misc, uint32_t first, uint32_t second)
{
    return (record){.header = {.type = type, .misc = misc, .size = sizeof(record)},
                    .numbers = {first, second}};
}

/* Passes records as the ring of a processor. */
static void add(brz_namespaces *n, record *records, size_t count)
{
    const brz_ring ring = {
        .data = (uint8_t *)records, .size = 4096, .head = count * sizeof(record)};
    brz_namespaces_add_ring(n, &ring);
}

static void a_process_that_has_ended_has_the_mounts_of_its_parent(void **state)
{
    (void)state;
    brz_contained parent = {.pid = PARENT, .own = 1, .mounts = MOUNTS};
    brz_kept_mounts mounts = {MOUNTS, -1, ROOT};
    brz_namespaces n;
    record records[] = {record_of(PERF_RECORD_FORK, 0, CHILD, PARENT),
                        record_of(PERF_RECORD_COMM, 1u << 13, CHILD, CHILD)};
    brz_namespaces_init(&n);
    n.processes = brz_grow(n.processes, 0, &n.cap, sizeof parent);
    n.processes[n.n++] = parent;
    n.kept = &mounts;
    n.n_kept = 1;
    add(&n, records, 2);
    assert_int_equal(brz_namespaces_root(&n, CHILD), ROOT);
    assert_false(brz_namespaces_misses(&n, CHILD));
    n.kept = NULL;
    n.n_kept = 0;
    assert_true(brz_namespaces_misses(&n, CHILD));
    brz_namespaces_finish(&n);
}

static void a_program_whose_process_has_ended_may_have_been_in_a_container(void **state)
{
    (void)state;
    brz_namespaces n;
    record records[] = {record_of(PERF_RECORD_COMM, 1u << 13, OTHER, OTHER),
                        record_of(PERF_RECORD_COMM, 1u << 13, (uint32_t)getpid(), 1),
                        record_of(PERF_RECORD_FORK, 0, CHILD, OTHER)};
    brz_namespaces_init(&n);
    assert_false(brz_namespaces_misses(&n, OTHER));
    add(&n, records, 3);
    assert_true(brz_namespaces_misses(&n, OTHER));
    assert_false(brz_namespaces_misses(&n, (uint32_t)getpid()));
    assert_false(brz_namespaces_misses(&n, CHILD));
    assert_int_equal(brz_namespaces_root(&n, OTHER), -1);
    brz_namespaces_finish(&n);
}

static void a_process_that_has_ended_is_missed_if_there_are_too_many(void **state)
{
    (void)state;
    brz_namespaces n;
    record records[] = {record_of(PERF_RECORD_FORK, 0, CHILD, PARENT)};
    brz_namespaces_init(&n);
    for (uint32_t i = 0; i < 2048; i++) {
        n.processes = brz_grow(n.processes, n.n, &n.cap, sizeof *n.processes);
        n.processes[n.n++] = (brz_contained){.pid = PARENT - i, .own = 1, .mounts = MOUNTS};
    }
    add(&n, records, 1);
    assert_true(brz_namespaces_misses(&n, CHILD));
    brz_namespaces_finish(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_has_ended_has_the_mounts_of_its_parent),
        cmocka_unit_test(a_process_that_has_ended_is_missed_if_there_are_too_many),
        cmocka_unit_test(a_program_whose_process_has_ended_may_have_been_in_a_container),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
