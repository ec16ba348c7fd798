/* SPDX-License-Identifier: MIT */
/* Tests the budget of memory for compressed sections. */
#include "unit.h"

#include "common/symbols/elf/packed_budget.h"

enum { LENGTH = 10000 };

#define OWN ((uint64_t)LENGTH * PACKED_GROWTH)

/* Makes an image of bytes that differ for each number. */
static elf_image image_of(uint8_t bytes[LENGTH], uint8_t number)
{
    memset(bytes, number, LENGTH);
    return (elf_image){.data = bytes, .len = LENGTH};
}

static void a_file_has_a_few_times_its_size(void **state)
{
    (void)state;
    uint8_t bytes[LENGTH];
    packed_budget b;
    packed_claim claim;
    elf_image e = image_of(bytes, 1);
    packed_budget_init(&b);
    assert_true(packed_budget_take(&b, &e, (packed_sizes){LENGTH, OWN}, &claim));
    assert_int_equal(b.reserve, PACKED_RESERVE);
    packed_budget_return(&b, &claim);
    assert_int_equal(b.n, 0);
}

static void what_exceeds_it_comes_from_the_reserve(void **state)
{
    (void)state;
    uint8_t bytes[LENGTH];
    packed_budget b;
    packed_claim claim, other;
    elf_image e = image_of(bytes, 1);
    packed_budget_init(&b);
    assert_true(packed_budget_take(&b, &e, (packed_sizes){LENGTH, OWN + PACKED_RESERVE}, &claim));
    assert_int_equal(b.reserve, 0);
    assert_false(packed_budget_take(&b, &e, (packed_sizes){LENGTH, OWN + 1}, &other));
    assert_true(packed_budget_take(&b, &e, (packed_sizes){LENGTH, OWN}, &other));
    packed_budget_return(&b, &claim);
    packed_budget_return(&b, &other);
    packed_budget_return(&b, &other);
    assert_int_equal(b.reserve, PACKED_RESERVE);
    assert_int_equal(b.n, 0);
}

static void sections_that_overlap_count_once(void **state)
{
    (void)state;
    uint8_t bytes[LENGTH];
    packed_budget b;
    packed_claim claim;
    elf_image e = image_of(bytes, 1);
    packed_sizes s = {0, 0};
    packed_budget_init(&b);
    for (size_t i = 0; i < 100000; i++)
        packed_sizes_add(&s, LENGTH, PACKED_RESERVE / 1000);
    assert_false(packed_budget_take(&b, &e, s, &claim));
    assert_int_equal(b.reserve, PACKED_RESERVE);
}

static void names_of_one_file_do_not_multiply_its_memory(void **state)
{
    (void)state;
    uint8_t bytes[LENGTH], others[LENGTH];
    packed_budget b;
    packed_claim claims[PACKED_COPIES + 2];
    elf_image e = image_of(bytes, 1), other = image_of(others, 2);
    packed_budget_init(&b);
    for (size_t i = 0; i < PACKED_COPIES + 1; i++)
        assert_true(packed_budget_take(&b, &e, (packed_sizes){LENGTH, OWN}, &claims[i]));
    assert_int_equal(b.reserve, PACKED_RESERVE - OWN);
    assert_true(
        packed_budget_take(&b, &other, (packed_sizes){LENGTH, OWN}, &claims[PACKED_COPIES + 1]));
    assert_int_equal(b.reserve, PACKED_RESERVE - OWN);
    for (size_t i = 0; i < PACKED_COPIES + 2; i++)
        packed_budget_return(&b, &claims[i]);
    assert_int_equal(b.reserve, PACKED_RESERVE);
    assert_int_equal(b.n, 0);
}

static void sizes_that_no_number_holds_are_too_much(void **state)
{
    (void)state;
    uint8_t bytes[LENGTH];
    packed_budget b;
    packed_claim claim;
    elf_image e = image_of(bytes, 1);
    packed_sizes s = {LENGTH, UINT64_MAX};
    packed_budget_init(&b);
    packed_sizes_add(&s, UINT64_MAX, UINT64_MAX);
    assert_int_equal(s.unpacked, UINT64_MAX);
    assert_false(packed_budget_take(&b, &e, s, &claim));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_has_a_few_times_its_size),
        cmocka_unit_test(what_exceeds_it_comes_from_the_reserve),
        cmocka_unit_test(sections_that_overlap_count_once),
        cmocka_unit_test(names_of_one_file_do_not_multiply_its_memory),
        cmocka_unit_test(sizes_that_no_number_holds_are_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
