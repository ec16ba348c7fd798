/* SPDX-License-Identifier: MIT */
/* Tests the colours of terminals. */
#include "unit.h"

#include "view/colors.h"

static void the_nearest_colour_is_chosen(void **state)
{
    (void)state;
    assert_int_equal(view_color_number(0xff0000ff, 8, false), 1);
    assert_int_equal(view_color_number(0xff0000ff, 16, false), 9);
    assert_int_equal(view_color_number(0xff0000ff, 256, false), 196);
    assert_int_equal(view_color_number(0x808080ff, 256, false), 244);
    assert_int_equal(view_color_number(0x123456ff, 1 << 24, true), 0x123456);
    assert_int_equal(view_color_number(0x000000ff, 1 << 24, true), 8);
}

static void a_number_stands_for_its_colour(void **state)
{
    (void)state;
    for (int i = 16; i < 256; i++)
        assert_int_equal(
            view_color_shown(view_color_number(view_color_shown(i, false), 256, false), false),
            view_color_shown(i, false));
    assert_int_equal(view_color_shown(0x123456, true), 0x123456ff);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_colour_is_chosen),
        cmocka_unit_test(a_number_stands_for_its_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
