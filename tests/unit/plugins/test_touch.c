/* SPDX-License-Identifier: MIT */
/* Tests that records are read in advance once each. */
#include "unit.h"

#include "collapse/perf_data/file/touch.h"

#include <string.h>

#define RECORDS 100

/* Records of different sizes, from 48 to 96 bytes. */
typedef struct file {
    uint8_t bytes[RECORDS * 96];
    size_t starts[RECORDS + 1];
} file;

static void make(file *f, uint32_t order)
{
    size_t at = 0;
    memset(f, 0, sizeof *f);
    for (size_t i = 0; i < RECORDS; i++) {
        size_t size = 48 + i % 7 * 8;
        f->starts[i] = at;
        f->bytes[at + 6 + (order == BRZ_BIG_ENDIAN)] = (uint8_t)size;
        at += size;
    }
    f->starts[RECORDS] = at;
}

static size_t touch(const file *f, size_t at, size_t until, uint32_t order)
{
    const uint8_t *b = f->bytes;
    touch_range r = {b + at, b + until, b + f->starts[RECORDS], order};
    return (size_t)(touch_records(r) - b);
}

static bool is_start(const file *f, size_t at)
{
    for (size_t i = 0; i <= RECORDS; i++)
        if (f->starts[i] == at)
            return true;
    return false;
}

static void a_range_that_ends_in_a_record_stops_after_it(void **state)
{
    (void)state;
    file f;
    for (uint32_t order = BRZ_LITTLE_ENDIAN; order <= BRZ_BIG_ENDIAN; order++) {
        make(&f, order);
        for (size_t until = 0; until <= f.starts[RECORDS]; until++) {
            size_t stopped = touch(&f, 0, until, order);
            assert_true(is_start(&f, stopped));
            assert_in_range(stopped, until, until + 95);
        }
    }
}

static void ranges_one_after_another_touch_each_record_once(void **state)
{
    (void)state;
    file f;
    size_t at = 0, walked = 0;
    make(&f, BRZ_LITTLE_ENDIAN);
    for (size_t until = 100; until < f.starts[RECORDS] + 100; until += 100) {
        size_t limit = until < f.starts[RECORDS] ? until : f.starts[RECORDS];
        size_t stopped = touch(&f, at, limit, BRZ_LITTLE_ENDIAN);
        walked += stopped - at;
        at = stopped;
    }
    assert_int_equal(at, f.starts[RECORDS]);
    assert_int_equal(walked, f.starts[RECORDS]);
}

static void damaged_and_cut_records_end_it(void **state)
{
    (void)state;
    file f;
    make(&f, BRZ_LITTLE_ENDIAN);
    size_t end = f.starts[RECORDS];
    f.bytes[f.starts[5] + 6] = 7;
    assert_int_equal(touch(&f, 0, end, BRZ_LITTLE_ENDIAN), f.starts[5]);
    assert_int_equal(touch(&f, f.starts[5], end, BRZ_LITTLE_ENDIAN), f.starts[5]);
    f.bytes[f.starts[RECORDS - 1] + 6] = 200;
    assert_int_equal(touch(&f, f.starts[6], end, BRZ_LITTLE_ENDIAN), f.starts[RECORDS - 1]);
    assert_int_equal(touch(&f, end, end, BRZ_LITTLE_ENDIAN), end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_that_ends_in_a_record_stops_after_it),
        cmocka_unit_test(ranges_one_after_another_touch_each_record_once),
        cmocka_unit_test(damaged_and_cut_records_end_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
