/* SPDX-License-Identifier: MIT */
/* Tests the weights of a profile: finding columns, and naming weights in messages. */
#include "unit.h"

#include "profile/weight.h"

/* Returns a profile with the weights "cycles" in events, without values, and "samples". */
static brz_profile *profile_create(void)
{
    brz_profile *p = brz_profile_create();
    brz_frame_desc d = {.name = BRZ_STR("f")};
    brz_frame f = brz_profile_add_frame(p, &d);
    brz_stack s = brz_profile_intern_stack(p, &f, 1, 0);
    brz_profile_add_weight(p, BRZ_STR("cycles"), BRZ_STR("events"), 0, 0);
    brz_profile_add_weight(p, BRZ_STR("samples"), BRZ_STR("samples"), 0, 1);
    brz_profile_add_value(p, s, 0, 0);
    brz_profile_add_value(p, s, 1, 3);
    return p;
}

static void a_name_is_found_without_its_modifiers(void **state)
{
    (void)state;
    brz_profile *p = profile_create();
    assert_int_equal(brz_weight_find(p, "cycles"), 0);
    assert_int_equal(brz_weight_find(p, "cycles:u"), 0);
    assert_int_equal(brz_weight_find(p, "samples"), 1);
    assert_int_equal(brz_weight_find(p, "cycle"), BRZ_NO_COLUMN);
    assert_int_equal(brz_weight_find(p, ":u"), BRZ_NO_COLUMN);
    assert_int_equal(brz_weight_find(p, NULL), BRZ_NO_COLUMN);
    brz_profile_destroy(p);
}

static void the_default_is_the_marked_column_or_the_first(void **state)
{
    (void)state;
    brz_profile *p = profile_create();
    assert_int_equal(brz_weight_default(p), 0);
    p->weights[1].flags = BRZ_COLUMN_DEFAULT;
    assert_int_equal(brz_weight_default(p), 1);
    brz_profile_destroy(p);
}

static void zeros_are_no_values(void **state)
{
    (void)state;
    brz_profile *p = profile_create(), *empty = brz_profile_create();
    assert_false(brz_weight_has_values(p, 0));
    assert_true(brz_weight_has_values(p, 1));
    assert_false(brz_weight_has_values(p, BRZ_NO_COLUMN));
    assert_false(brz_weight_has_values(empty, 0));
    assert_true(brz_weights_have_values(p));
    assert_false(brz_weights_have_values(empty));
    assert_false(brz_weights_have_values(NULL));
    brz_profile_destroy(p);
    brz_profile_destroy(empty);
}

static void only_weights_with_values_are_described(void **state)
{
    (void)state;
    brz_profile *p = profile_create();
    brz_buf b = {0};
    brz_weights_describe(p, &b);
    assert_string_equal(brz_buf_text(&b), "'samples'");
    brz_profile_add_value(p, 0, 0, -1);
    brz_buf_clear(&b);
    brz_weights_describe(p, &b);
    assert_string_equal(brz_buf_text(&b), "'cycles' in events, 'samples'");
    brz_buf_finish(&b);
    brz_profile_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_found_without_its_modifiers),
        cmocka_unit_test(the_default_is_the_marked_column_or_the_first),
        cmocka_unit_test(zeros_are_no_values),
        cmocka_unit_test(only_weights_with_values_are_described),
    };
    return cmocka_run_group_tests_name("weight", tests, NULL, NULL);
}
