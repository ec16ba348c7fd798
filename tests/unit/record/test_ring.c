/* SPDX-License-Identifier: MIT */
/* Tests rings in memory of the test, in the place of those that the kernel shares. */
#include "unit.h"

#include <string.h>

#include "record/tally.h"

#define SIZE 4096

typedef struct fixture {
    struct perf_event_mmap_page page;
    uint8_t data[SIZE];
    brz_ring ring;
    uint64_t head;
} fixture;

static void init(fixture *f, uint64_t start)
{
    memset(f, 0, sizeof *f);
    f->head = f->page.data_head = start;
    f->ring =
        (brz_ring){.page = &f->page, .data = f->data, .size = SIZE, .head = start, .tail = start};
}

/* Writes bytes as the kernel does: around the end of the memory. */
static void put(fixture *f, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        f->data[(f->head + i) % SIZE] = ((const uint8_t *)bytes)[i];
    f->head += n;
    f->page.data_head = f->head;
}

/* Writes a record of 8-byte words after its header. */
static void put_record(fixture *f, uint32_t type, const uint64_t *words, size_t n)
{
    const struct perf_event_header h = {.type = type, .size = (uint16_t)(sizeof h + 8 * n)};
    put(f, &h, sizeof h);
    put(f, words, 8 * n);
}

static void records_that_wrap_around_are_counted(void **state)
{
    (void)state;
    fixture f;
    for (uint64_t start = 0; start < 2 * SIZE; start += 8) {
        const uint64_t sample[] = {0x1000, 7, 500 + start}, later[] = {0x2000, 7, 400 + start};
        const uint64_t lost[] = {1, 30}, throttle[] = {1, 2, 3};
        brz_tally t = {0};
        init(&f, start + SIZE - 48);
        put_record(&f, PERF_RECORD_SAMPLE, sample, 3);
        put_record(&f, PERF_RECORD_LOST, lost, 2);
        put_record(&f, PERF_RECORD_THROTTLE, throttle, 3);
        put_record(&f, PERF_RECORD_SAMPLE, later, 3);
        assert_int_equal(brz_ring_look(&f.ring), 32 + 24 + 32 + 32);
        brz_tally_add(&t, &f.ring, 24);
        assert_int_equal(t.samples, 2);
        assert_int_equal(t.lost, 30);
        assert_int_equal(t.throttled, 1);
        assert_int_equal(t.first, 400 + start);
        assert_int_equal(t.last, 500 + start);
    }
}

static void samples_that_were_lost_before_the_ring_are_counted(void **state)
{
    (void)state;
    fixture f;
    static const uint64_t few[] = {5, 1}, lost[] = {1, 30}, many[] = {40, 1};
    brz_tally t = {0};
    init(&f, 0);
    put_record(&f, PERF_RECORD_LOST_SAMPLES, few, 2);
    brz_ring_look(&f.ring);
    brz_tally_add(&t, &f.ring, 24);
    assert_int_equal(brz_tally_lost(&t), 5);
    brz_ring_release(&f.ring);
    put_record(&f, PERF_RECORD_LOST, lost, 2);
    brz_ring_look(&f.ring);
    brz_tally_add(&t, &f.ring, 24);
    assert_int_equal(brz_tally_lost(&t), 30); /* both may count the same samples */
    brz_ring_release(&f.ring);
    put_record(&f, PERF_RECORD_LOST_SAMPLES, many, 2);
    brz_ring_look(&f.ring);
    brz_tally_add(&t, &f.ring, 24);
    assert_int_equal(brz_tally_lost(&t), 45);
}

static void pieces_are_the_bytes_in_order(void **state)
{
    (void)state;
    fixture f;
    uint8_t bytes[256], copy[256];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    for (uint64_t start = 0; start < 2 * SIZE; start += 8) {
        struct iovec pieces[2];
        size_t at = 0;
        init(&f, start);
        put(&f, bytes, sizeof bytes);
        assert_int_equal(brz_ring_look(&f.ring), sizeof bytes);
        int n = brz_ring_pieces(&f.ring, pieces);
        assert_int_equal(n, start % SIZE > SIZE - sizeof bytes ? 2 : 1);
        for (int i = 0; i < n; at += pieces[i++].iov_len)
            memcpy(copy + at, pieces[i].iov_base, pieces[i].iov_len);
        assert_int_equal(at, sizeof bytes);
        assert_memory_equal(copy, bytes, sizeof bytes);
        brz_ring_copy(&f.ring, 16, copy, 64);
        assert_memory_equal(copy, bytes + 16, 64);
    }
}

static void what_was_read_is_given_back(void **state)
{
    (void)state;
    fixture f;
    struct iovec pieces[2];
    init(&f, 64);
    assert_int_equal(brz_ring_look(&f.ring), 0);
    assert_int_equal(brz_ring_pieces(&f.ring, pieces), 0);
    put(&f, "12345678", 8);
    assert_int_equal(brz_ring_look(&f.ring), 8);
    assert_int_equal(f.page.data_tail, 0);
    brz_ring_release(&f.ring);
    assert_int_equal(f.page.data_tail, 72);
    assert_int_equal(brz_ring_look(&f.ring), 0);
}

static void a_record_with_a_wrong_size_ends_the_count(void **state)
{
    (void)state;
    fixture f;
    static const uint16_t sizes[] = {0, 4, 64};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        const struct perf_event_header h = {.type = PERF_RECORD_SAMPLE, .size = sizes[i]};
        brz_tally t = {0};
        init(&f, 0);
        put(&f, &h, sizeof h);
        brz_ring_look(&f.ring);
        brz_tally_add(&t, &f.ring, 24);
        assert_int_equal(t.samples, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_that_wrap_around_are_counted),
        cmocka_unit_test(samples_that_were_lost_before_the_ring_are_counted),
        cmocka_unit_test(pieces_are_the_bytes_in_order),
        cmocka_unit_test(what_was_read_is_given_back),
        cmocka_unit_test(a_record_with_a_wrong_size_ends_the_count),
    };
    return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
