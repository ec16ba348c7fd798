/* SPDX-License-Identifier: MIT */
/* Tests which inputs the hints of a plug-in are true for. */
#include "unit.h"

#include "collapse/hints.h"

#include <brazier/plugin.h>

#include <string.h>

/* Returns whether hints hold for an input with one form. */
static bool hold(const char *name, const char *input, brz_str hints)
{
    brz_hinted h = {.n = 0};
    brz_hinted_init(&h, brz_str_of_text(name));
    brz_hinted_add(&h, brz_str_of_text(input));
    return brz_hints_hold(&h, hints);
}

static void names_and_texts_are_compared(void **state)
{
    (void)state;
    const brz_str hints =
        BRZ_STR(BRZ_IF_NAME("*.xt") BRZ_IF_BEGINS("FLR") BRZ_IF_CONTAINS("Call graph:"));
    assert_true(hold("a.xt", "", hints));
    assert_false(hold("a.xt.gz", "", hints));
    assert_true(hold("", "FLR", hints));
    assert_false(hold("", "xFLR", hints));
    assert_false(hold("", "FL", hints));
    assert_true(hold("", "one\nCall graph:\n", hints));
    assert_false(hold("", "one\nCall graph\n", hints));
    assert_false(hold("", "", hints));
}

static void a_text_of_pairs_that_occur_elsewhere_is_absent(void **state)
{
    (void)state;
    assert_false(hold("", "ab bc", BRZ_STR(BRZ_IF_CONTAINS("abc"))));
    assert_true(hold("", "ab abc", BRZ_STR(BRZ_IF_CONTAINS("abc"))));
    assert_true(hold("", "xy", BRZ_STR(BRZ_IF_CONTAINS("y"))));
}

static void no_hints_hold_for_nothing(void **state)
{
    (void)state;
    assert_false(hold("a", "a", brz_str_of("\0\0\0", 4)));
    assert_false(hold("a", "a", brz_str_of("", 0)));
}

static void unknown_and_damaged_hints_hold(void **state)
{
    (void)state;
    assert_true(hold("", "", BRZ_STR("zlater\0")));
    assert_true(hold("", "", brz_str_of("cabc", 4)));
}

static void each_form_counts(void **state)
{
    (void)state;
    brz_hinted h = {.n = 0};
    brz_hinted_init(&h, BRZ_STR(""));
    brz_hinted_add(&h, BRZ_STR("text"));
    brz_hinted_add(&h, BRZ_STR("te"));
    brz_hinted_add(&h, BRZ_STR("PK\3\4"));
    assert_int_equal(2, h.n);
    assert_true(brz_hints_hold(&h, BRZ_STR(BRZ_IF_BEGINS("PK"))));
    assert_true(brz_hints_hold(&h, BRZ_STR(BRZ_IF_BEGINS("tex"))));
    assert_false(brz_hints_hold(&h, BRZ_STR(BRZ_IF_BEGINS("K"))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_texts_are_compared),
        cmocka_unit_test(a_text_of_pairs_that_occur_elsewhere_is_absent),
        cmocka_unit_test(no_hints_hold_for_nothing),
        cmocka_unit_test(unknown_and_damaged_hints_hold),
        cmocka_unit_test(each_form_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
