/* SPDX-License-Identifier: MIT */
/* Tests the versions of the SDK that the host shows and refuses. */
#include "unit.h"

#include "plugin/sdk_version.h"

static void versions_are_shown_with_points(void **state)
{
    (void)state;
    char text[BRZ_SDK_TEXT];
    assert_string_equal(brz_sdk_version_text(1000, text), "0.1.0");
    assert_string_equal(brz_sdk_version_text(12034056, text), "12.34.56");
    assert_string_equal(brz_sdk_version_text(0, text), "unknown");
    assert_string_equal(brz_sdk_version_text(UINT32_MAX, text), "4294.967.295");
}

static void a_faulty_version_is_found_in_its_range(void **state)
{
    (void)state;
    const brz_sdk_fault table[] = {{1002, 1004, "loses frames"}, {2000, 2000, "counts twice"}};
    assert_null(brz_sdk_fault_in(table, 2, 1001));
    assert_string_equal(brz_sdk_fault_in(table, 2, 1002), "loses frames");
    assert_string_equal(brz_sdk_fault_in(table, 2, 1004), "loses frames");
    assert_null(brz_sdk_fault_in(table, 2, 1005));
    assert_string_equal(brz_sdk_fault_in(table, 2, 2000), "counts twice");
    assert_null(brz_sdk_fault_in(table, 0, 2000));
}

static void this_sdk_and_an_unknown_one_are_not_faulty(void **state)
{
    (void)state;
    assert_null(brz_sdk_fault_of(BRZ_SDK_VERSION));
    assert_null(brz_sdk_fault_of(0));
    assert_non_null(brz_sdk_fault_of(UINT32_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_shown_with_points),
        cmocka_unit_test(a_faulty_version_is_found_in_its_range),
        cmocka_unit_test(this_sdk_and_an_unknown_one_are_not_faulty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
