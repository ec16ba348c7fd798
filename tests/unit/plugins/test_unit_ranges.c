/* SPDX-License-Identifier: MIT */
/* Tests how lists of address ranges of split units are changed. */
#include "unit.h"

#include "common/symbols/dwarf/unit_ranges.h"

#include <stdlib.h>

enum { HEADER = 12, BASE_ADDRESS = 5, OFFSET_PAIR = 4, N = 200000 };

/* Makes a section with `n` offsets of the same list, which has `pairs` entries. */
static uint8_t *make(uint32_t n, uint32_t pairs, size_t *len)
{
    size_t table = HEADER + 4 * (size_t)n;
    *len = table + 3 * (size_t)pairs + 1;
    uint8_t *section = calloc(1, *len);
    uint32_t length = (uint32_t)*len - 4, offset = 4 * n;
    memcpy(section, &length, sizeof length);
    section[4] = 5;
    section[6] = 8;
    memcpy(section + 8, &n, sizeof n);
    for (uint32_t i = 0; i < n; i++)
        memcpy(section + HEADER + 4 * (size_t)i, &offset, sizeof offset);
    for (uint32_t i = 0; i < pairs; i++)
        section[table + 3 * (size_t)i] = OFFSET_PAIR;
    return section;
}

static uint32_t offset_of(unit_bytes b, uint32_t i)
{
    uint32_t offset;
    memcpy(&offset, b.data + HEADER + 4 * (size_t)i, sizeof offset);
    return offset;
}

static void each_list_gets_the_base_address(void **state)
{
    (void)state;
    size_t len;
    uint8_t *section = make(2, 2, &len), *owned = NULL;
    unit_bytes b = unit_ranges_lists((unit_bytes){section, len}, 0x1234, &owned);
    assert_int_equal(b.len, len + 2 * (9 + 7));
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t base;
        size_t at = HEADER + offset_of(b, i);
        assert_int_equal(at, len + 16 * i);
        assert_int_equal(b.data[at], BASE_ADDRESS);
        memcpy(&base, b.data + at + 1, sizeof base);
        assert_int_equal(base, 0x1234);
        assert_memory_equal(b.data + at + 9, section + len - 7, 7);
    }
    free(owned);
    free(section);
}

/* Many lists with the same bytes would take hours to read if each were read. */
static void lists_that_overlap_are_read_only_a_few_times(void **state)
{
    (void)state;
    size_t len;
    uint8_t *section = make(N, 2 * N, &len), *owned = NULL;
    unit_bytes b = unit_ranges_lists((unit_bytes){section, len}, 0x1234, &owned);
    assert_true(b.len <= 16 * len);
    assert_int_equal(offset_of(b, 0), len - HEADER);
    assert_int_equal(offset_of(b, N - 1), 4 * N);
    free(owned);
    free(section);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_list_gets_the_base_address),
        cmocka_unit_test(lists_that_overlap_are_read_only_a_few_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
