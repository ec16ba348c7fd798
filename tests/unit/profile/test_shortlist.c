/* SPDX-License-Identifier: MIT */
/* Tests short lists of texts for messages. */
#include "unit.h"

#include "profile/shortlist.h"

/* Adds texts that commas separate, and checks what the list prints. */
static void assert_printed(const char *texts, size_t most, const char *printed)
{
    brz_shortlist l = {.most = most};
    brz_buf b = {0};
    for (const char *at = texts; *at != '\0';) {
        size_t n = strcspn(at, ",");
        brz_shortlist_add(&l, brz_str_of(at, n));
        at += n + (at[n] == ',');
    }
    brz_shortlist_print(&l, &b);
    assert_string_equal(brz_buf_text(&b), printed);
    brz_buf_finish(&b);
    brz_shortlist_finish(&l);
}

static void texts_are_sorted_and_different(void **state)
{
    (void)state;
    assert_printed("", 3, "");
    assert_printed("b", 3, "b");
    assert_printed("c,a,b,a,c", 3, "a, b, c");
}

static void a_list_that_is_full_keeps_the_first_texts(void **state)
{
    (void)state;
    assert_printed("d,c,b,a", 3, "a, b, c, ...");
    assert_printed("a,b,c,d", 3, "a, b, c, ...");
    assert_printed("a,c,d,b,a", 3, "a, b, c, ...");
    assert_printed("b,a", 1, "a, ...");
}

static void long_texts_are_cut(void **state)
{
    (void)state;
    char text[101], printed[64];
    memset(text, 'x', 100);
    text[100] = '\0';
    memset(printed, 'x', 60);
    memcpy(printed + 60, "...", 4);
    assert_printed(text, 3, printed);
    text[60] = '\0';
    assert_printed(text, 3, text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_sorted_and_different),
        cmocka_unit_test(a_list_that_is_full_keeps_the_first_texts),
        cmocka_unit_test(long_texts_are_cut),
    };
    return cmocka_run_group_tests_name("shortlist", tests, NULL, NULL);
}
