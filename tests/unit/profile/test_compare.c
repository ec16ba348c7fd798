/* SPDX-License-Identifier: MIT */
/* Tests comparisons: scaling preserves sums, and merging both sides loses nothing. */
#include "unit.h"

#include "profile/compare.h"

static brz_profile *profile_of(size_t n, const int64_t *before, const int64_t *after)
{
    brz_profile *p = brz_profile_create();
    brz_profile_add_weight(p, BRZ_BEFORE, BRZ_STR("samples"), 0, 0);
    brz_profile_add_weight(p, BRZ_AFTER, BRZ_STR("samples"), 0, 1);
    for (size_t i = 0; i < n; i++) {
        brz_frame_desc d = {.name = BRZ_STR("f"), .line = (uint32_t)i};
        brz_frame f = brz_profile_add_frame(p, &d);
        brz_stack s = brz_profile_intern_stack(p, &f, 1, 0);
        brz_profile_add_value(p, s, 0, before[i]);
        brz_profile_add_value(p, s, 1, after[i]);
    }
    return p;
}

static void columns_are_found_by_their_flags(void **state)
{
    (void)state;
    uint32_t before, after;
    brz_profile *p = brz_profile_create();
    brz_profile_add_weight(p, BRZ_AFTER, BRZ_STR(""), 0, 0);
    brz_profile_add_weight(p, BRZ_BEFORE, BRZ_STR(""), 0, 1);
    assert_false(brz_find_comparison(p, &before, &after));
    brz_mark_compared(p, 0, BRZ_COLUMN_AFTER);
    assert_false(brz_find_comparison(p, &before, &after));
    assert_int_equal(after, BRZ_NO_COLUMN);
    brz_mark_compared(p, 1, BRZ_COLUMN_BEFORE);
    assert_true(brz_find_comparison(p, &before, &after));
    assert_int_equal(before, 1);
    assert_int_equal(after, 0);
    brz_profile_destroy(p);
}

static void scaled_values_are_rounded_to_the_nearest(void **state)
{
    (void)state;
    brz_profile *p = profile_of(3, (int64_t[]){1, 1, 1}, (int64_t[]){5, 5, 1});
    brz_scale_column(p, 0, 1, 2, false); /* 11 / 3 each */
    assert_int_equal(p->weights[0].decimals, 2);
    assert_int_equal(p->weights[1].decimals, 2);
    for (brz_stack s = 0; s < 3; s++)
        assert_int_equal(brz_profile_value(p, s, 0), 367);
    assert_int_equal(brz_profile_value(p, 0, 1), 500);
    brz_profile_destroy(p);
}

static void scaled_values_may_be_cut_off(void **state)
{
    (void)state;
    brz_profile *p = profile_of(3, (int64_t[]){1, 1, 1}, (int64_t[]){5, 5, 1});
    brz_scale_column(p, 0, 1, 0, true);
    for (brz_stack s = 0; s < 3; s++)
        assert_int_equal(brz_profile_value(p, s, 0), 3);
    brz_profile_destroy(p);
}

static void equal_sums_are_left_alone(void **state)
{
    (void)state;
    brz_profile *p = profile_of(2, (int64_t[]){4, 6}, (int64_t[]){9, 1});
    brz_scale_column(p, 0, 1, 0, false);
    assert_int_equal(brz_profile_value(p, 0, 0), 4);
    assert_int_equal(brz_profile_value(p, 1, 0), 6);
    brz_profile_destroy(p);
}

static void a_sum_of_zero_cannot_be_scaled(void **state)
{
    (void)state;
    brz_profile *p = profile_of(2, (int64_t[]){0, 0}, (int64_t[]){9, 1});
    brz_scale_column(p, 0, 1, 2, false);
    assert_int_equal(brz_profile_value(p, 0, 0), 0);
    brz_profile_destroy(p);
}

static void losses_are_scaled_like_gains(void **state)
{
    (void)state;
    brz_profile *p = profile_of(3, (int64_t[]){6, -3, 1}, (int64_t[]){-9, 0, 11});
    brz_scale_column(p, 0, 1, 0, false);
    assert_int_equal(brz_profile_value(p, 0, 0), 12);
    assert_int_equal(brz_profile_value(p, 1, 0), -6);
    assert_int_equal(brz_profile_value(p, 2, 0), 2);
    brz_profile_destroy(p);
}

static void scaling_is_exact_at_the_end_of_the_range(void **state)
{
    (void)state;
    int64_t most = INT64_MAX;
    brz_profile *p = profile_of(2, (int64_t[]){most - 1, 1}, (int64_t[]){most / 2, 0});
    brz_scale_column(p, 0, 1, 0, true);
    /* (2^63 - 2) * (2^62 - 1) / (2^63 - 1) is slightly less than 2^62 - 1 */
    assert_true(brz_profile_value(p, 0, 0) == most / 2 - 1);
    assert_int_equal(brz_profile_value(p, 1, 0), 0);
    brz_profile_destroy(p);
    p = profile_of(1, (int64_t[]){3}, (int64_t[]){most});
    brz_scale_column(p, 0, 1, 0, true);
    assert_true(brz_profile_value(p, 0, 0) == most);
    brz_profile_destroy(p);
}

static void scaling_equals_division(void **state)
{
    (void)state;
    dice d = {.state = 7};
    for (int round = 0; round < 300; round++) {
        int64_t before[4], after[4], of = 0, to = 0;
        for (size_t i = 0; i < 4; i++) {
            of += before[i] = (int64_t)roll_below(&d, 100000);
            to += after[i] = (int64_t)roll_below(&d, 100000);
        }
        brz_profile *p = profile_of(4, before, after);
        brz_scale_column(p, 0, 1, 0, true);
        for (brz_stack s = 0; s < 4 && of > 0; s++)
            assert_int_equal(brz_profile_value(p, s, 0),
                             of == to ? before[s] : before[s] * to / of);
        brz_profile_destroy(p);
    }
}

static void both_sides_together_lose_nothing(void **state)
{
    (void)state;
    brz_profile *p = profile_of(3, (int64_t[]){1, 0, 5}, (int64_t[]){0, 2, 5});
    brz_profile_set_decimals(p, 1, 1);
    uint32_t both = brz_add_both(p, 0, 1);
    assert_int_equal(p->weights[both].decimals, 1);
    assert_int_equal(brz_profile_value(p, 0, both), 10);
    assert_int_equal(brz_profile_value(p, 1, both), 20);
    assert_int_equal(brz_profile_value(p, 2, both), 100);
    brz_profile_destroy(p);
}

/* ---- signs ---------------------------------------------------------------------------------- */

static void columns_of_the_input_are_not_mixed_with_new_ones(void **state)
{
    (void)state;
    static const char *const names[] = {"delta", "losses", "both"};
    brz_profile *p = brz_profile_create();
    brz_frame f = brz_profile_add_frame(p, &(brz_frame_desc){.name = BRZ_STR("f")});
    brz_stack s = brz_profile_intern_stack(p, &f, 1, 0);
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        brz_profile_add_weight(p, brz_str_of(names[i], strlen(names[i])), BRZ_STR("bytes"), 0, i);
        brz_profile_add_value(p, s, i, i == 0 ? -5 : 100);
    }
    uint32_t both = brz_add_both(p, 0, 1);
    assert_int_equal(brz_profile_value(p, s, both), 95);
    for (uint32_t i = 1; i < COUNT_OF(names); i++)
        assert_int_equal(brz_profile_value(p, s, i), 100);
    brz_profile_destroy(p);
}

static void losses_are_found_in_their_column(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    brz_frame f = brz_profile_add_frame(p, &(brz_frame_desc){.name = BRZ_STR("f")});
    brz_stack s = brz_profile_intern_stack(p, &f, 1, 0);
    for (uint32_t i = 0; i < 2; i++) {
        brz_profile_add_weight(p, i == 0 ? BRZ_STR("freed") : BRZ_STR("kept"), BRZ_STR("bytes"), 0,
                               i);
        brz_profile_add_value(p, s, i, i == 0 ? -5 : 5);
    }
    assert_true(brz_has_losses(p, 0));
    assert_false(brz_has_losses(p, 1));
    assert_false(brz_has_losses(p, BRZ_NO_COLUMN));
    brz_profile_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_found_by_their_flags),
        cmocka_unit_test(scaled_values_are_rounded_to_the_nearest),
        cmocka_unit_test(scaled_values_may_be_cut_off),
        cmocka_unit_test(equal_sums_are_left_alone),
        cmocka_unit_test(a_sum_of_zero_cannot_be_scaled),
        cmocka_unit_test(losses_are_scaled_like_gains),
        cmocka_unit_test(scaling_is_exact_at_the_end_of_the_range),
        cmocka_unit_test(scaling_equals_division),
        cmocka_unit_test(both_sides_together_lose_nothing),
        cmocka_unit_test(columns_of_the_input_are_not_mixed_with_new_ones),
        cmocka_unit_test(losses_are_found_in_their_column),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
