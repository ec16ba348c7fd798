/* SPDX-License-Identifier: MIT */
/* Tests the replacement of placeholders in text. */
#include "unit.h"

#include "base/template.h"

static const brz_template_word words[] = {{"@NAME@", "tally"}, {"@KIND@", ""}, {NULL, NULL}};

static void check(const char *text, const char *want)
{
    brz_buf b = {0};
    brz_template_fill(brz_str_of(text, strlen(text)), words, &b);
    assert_string_equal(brz_buf_text(&b), want);
    brz_buf_finish(&b);
}

static void every_placeholder_is_replaced(void **state)
{
    (void)state;
    check("@NAME@.c: @NAME@@NAME@", "tally.c: tallytally");
    check("a@KIND@b", "ab");
    check("@NAME@", "tally");
}

static void other_text_is_kept(void **state)
{
    (void)state;
    check("", "");
    check("none", "none");
    check("@NAME", "@NAME");
    check("@OTHER@ me@NAME.org @", "@OTHER@ me@NAME.org @");
    check("@@NAME@@", "@tally@");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_placeholder_is_replaced),
        cmocka_unit_test(other_text_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
