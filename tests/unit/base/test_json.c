/* SPDX-License-Identifier: MIT */
/* Tests the host's JSON strings. */
#include "unit.h"

#include "base/json.h"

static void strings_are_quoted_and_escaped(void **state)
{
    (void)state;
    static const struct {
        brz_str text;
        const char *json;
    } cases[] = {
        {{"", 0}, "\"\""},
        {{NULL, 0}, "\"\""},
        {{"plain \xc3\xa9", 8}, "\"plain \xc3\xa9\""},
        {{"a\"b\\c/", 6}, "\"a\\\"b\\\\c/\""},
        {{"\n\t\033\177", 4}, "\"\\u000a\\u0009\\u001b\\u007f\""},
        {{"a\0b", 3}, "\"a\\u0000b\""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_buf b = {0};
        brz_json_string(&b, cases[i].text);
        assert_string_equal(brz_buf_text(&b), cases[i].json);
        brz_buf_finish(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_quoted_and_escaped),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
