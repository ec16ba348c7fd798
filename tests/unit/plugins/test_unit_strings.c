/* SPDX-License-Identifier: MIT */
/* Tests how the strings of a unit are picked. */
#include "unit.h"

#include "common/symbols/dwarf/unit_strings.h"

#include <stdlib.h>

enum { HEADER = 8, LARGE = 1 << 20 };

/* Picks strings of a section, whose offsets stand after a header. */
static uint8_t *pick(uint32_t *table, size_t n, unit_bytes *offsets, unit_bytes *strings)
{
    *offsets = (unit_bytes){(const uint8_t *)table, HEADER + 4 * n};
    return unit_strings_pick(offsets, HEADER, strings);
}

static uint32_t offset_at(unit_bytes offsets, size_t i)
{
    uint32_t offset;
    memcpy(&offset, offsets.data + HEADER + 4 * i, sizeof offset);
    return offset;
}

static void only_the_strings_of_the_unit_are_left(void **state)
{
    (void)state;
    static const char all[] = "first\0second\0\0fourth";
    uint32_t table[] = {7, 5, 6, 13, 6, 14, 1000};
    unit_bytes offsets, strings = {(const uint8_t *)all, sizeof all + 20};
    uint8_t *padded = calloc(1, strings.len);
    memcpy(padded, all, sizeof all);
    strings.data = padded;
    uint8_t *owned = pick(table, 5, &offsets, &strings);
    assert_non_null(owned);
    assert_memory_equal(strings.data, "second\0\0second\0fourth", 22);
    assert_int_equal(strings.len, 22);
    assert_memory_equal(offsets.data, table, HEADER);
    const uint32_t expected[] = {0, 7, 8, 15};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(offset_at(offsets, i), expected[i]);
    assert_int_equal(offset_at(offsets, 4), UINT32_MAX);
    free(owned);
    free(padded);
}

static void strings_that_would_not_become_smaller_stay(void **state)
{
    (void)state;
    static const uint8_t all[] = "first\0second";
    uint32_t whole[] = {0, 0, 0, 6}, open[] = {0, 0, 6};
    unit_bytes offsets, strings = {all, sizeof all};
    assert_null(pick(whole, 2, &offsets, &strings));
    assert_ptr_equal(strings.data, all);
    strings.len--; /* "second" has no end */
    assert_null(pick(open, 1, &offsets, &strings));
    offsets = (unit_bytes){(const uint8_t *)whole, HEADER - 1};
    assert_null(unit_strings_pick(&offsets, HEADER, &strings));
}

/* Many offsets of a long string would take hours to read if each were read. */
static void offsets_of_one_long_string_are_read_only_once(void **state)
{
    (void)state;
    uint8_t *all = malloc(LARGE);
    uint32_t *table = calloc(LARGE, sizeof *table);
    memset(all, 'a', LARGE);
    for (int i = 0; i < 2; i++) {
        unit_bytes offsets, strings = {all, LARGE};
        assert_null(pick(table, LARGE - 2, &offsets, &strings));
        all[LARGE - 1] = 0;
    }
    free(table);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_strings_of_the_unit_are_left),
        cmocka_unit_test(strings_that_would_not_become_smaller_stay),
        cmocka_unit_test(offsets_of_one_long_string_are_read_only_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
