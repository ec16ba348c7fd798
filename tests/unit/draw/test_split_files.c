/* SPDX-License-Identifier: MIT */
/* Tests the names of files of a run that writes a file for each value of a tag's part. */
#include "unit.h"

#include <stdlib.h>

#include "draw/split_files.h"

static void a_name_needs_the_part_in_front_of_its_ending(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool good;
    } cases[] = {{"flame-{thread}.svg", true},
                 {"x/{thread}.folded.gz", true},
                 {"flame.svg", false},
                 {"{thread}/flame-{thread}.svg", false},
                 {"flame.svg-{thread}", false},
                 {"{cpu}.svg", false},
                 {"-", false}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_buf error = {0};
        assert_int_equal(brz_split_files_check(cases[i].name, BRZ_STR("thread"), &error),
                         cases[i].good);
        assert_int_equal(error.len == 0, cases[i].good);
        brz_buf_finish(&error);
    }
}

static void each_output_has_a_file_for_each_value(void **state)
{
    (void)state;
    char svg[] = "{thread}.svg", folded[] = "a/{thread}-{thread}.folded";
    const brz_output_use outputs[] = {{.to = svg}, {.to = folded}};
    const brz_str values[] = {BRZ_STR("main"), BRZ_STR("a/b c"), BRZ_STR("main"), BRZ_STR(".."),
                              BRZ_STR("")};
    static const char *const want[] = {"main", "a_b-c", "main~2", "_.", "empty"};
    brz_split_names s;
    brz_split_names_init(&s, outputs, 2, BRZ_STR("thread"), values, COUNT_OF(values));
    assert_int_equal(s.n_names, 2 * COUNT_OF(values));
    for (size_t k = 0; k < COUNT_OF(values); k++) {
        brz_buf b = {0};
        assert_string_equal(s.words[k], want[k]);
        brz_buf_printf(&b, "%s.svg", want[k]);
        assert_string_equal(brz_split_names_at(&s, 0, k), brz_buf_text(&b));
        brz_buf_clear(&b);
        brz_buf_printf(&b, "a/%s-%s.folded", want[k], want[k]);
        assert_string_equal(brz_split_names_at(&s, 1, k), brz_buf_text(&b));
        brz_buf_finish(&b);
    }
    brz_split_names_finish(&s);
}

static void no_values_give_no_files(void **state)
{
    (void)state;
    char svg[] = "{cpu}.svg";
    const brz_output_use output = {.to = svg};
    brz_split_names s;
    brz_split_names_init(&s, &output, 1, BRZ_STR("cpu"), NULL, 0);
    assert_int_equal(s.n_names, 0);
    brz_split_names_finish(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_needs_the_part_in_front_of_its_ending),
        cmocka_unit_test(each_output_has_a_file_for_each_value),
        cmocka_unit_test(no_values_give_no_files),
    };
    return cmocka_run_group_tests_name("split_files", tests, NULL, NULL);
}
