/* SPDX-License-Identifier: MIT */
/* Tests suggestions of the most similar word for a mistyped one. */
#include "unit.h"

#include "base/suggest.h"

static void the_nearest_word_is_suggested_if_one_is_near(void **state)
{
    (void)state;
    static const char *const words[] = {"palette", "pipeline", "output", "options", "hot", "io"};
    static const struct {
        const char *typed, *meant;
    } cases[] = {
        {"palete", "palette"},
        {"paltete", "palette"},
        {"Palette", "palette"},
        {"pipelines", "pipeline"},
        {"outptu", "output"},
        {"option", "options"},
        {"hto", "hot"},
        {"hat", "hot"},
        {"oi", "io"},
        {"xy", NULL},
        {"", NULL},
        {"completely", NULL},
        {"h", NULL},
        {"palette", "palette"},
        {"ot", "hot"},
        {"output-format", "output"},
        {"hottest-first", NULL},
        {"pipe", "pipeline"},
        {"opti", "options"},
        {"pip", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_suggestion s = {.typed = str_of(cases[i].typed)};
        for (size_t w = 0; w < COUNT_OF(words); w++)
            brz_suggestion_offer(&s, words[w]);
        if (cases[i].meant == NULL && s.best != NULL)
            fail_msg("'%s' is not '%s'", cases[i].typed, s.best);
        if (cases[i].meant != NULL)
            assert_string_equal(s.best, cases[i].meant);
    }
}

static void the_first_of_two_that_are_as_near_stays(void **state)
{
    (void)state;
    brz_suggestion s = {.typed = BRZ_STR("hit")};
    brz_suggestion_offer(&s, "hot");
    brz_suggestion_offer(&s, "hat");
    assert_string_equal(s.best, "hot");
}

static void words_of_any_length_can_be_compared(void **state)
{
    (void)state;
    char word[300];
    for (size_t n = 0; n + 1 < sizeof word; n++) {
        memset(word, 'w', n);
        word[n] = '\0';
        brz_suggestion s = {.typed = brz_str_of(word, n)};
        brz_suggestion_offer(&s, word);
        assert_int_equal(s.best != NULL, n > 0 && n <= 40);
        brz_suggestion_offer(&s, "");
    }
}

static void the_suggestion_ends_a_sentence(void **state)
{
    (void)state;
    brz_buf b = {0};
    brz_suggestion s = {.typed = BRZ_STR("hto")};
    brz_suggestion_add(&s, &b);
    assert_int_equal(b.len, 0);
    brz_suggestion_offer(&s, "hot");
    brz_suggestion_add(&s, &b);
    assert_string_equal(brz_buf_text(&b), "; did you mean 'hot'?");
    brz_buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_word_is_suggested_if_one_is_near),
        cmocka_unit_test(the_first_of_two_that_are_as_near_stays),
        cmocka_unit_test(words_of_any_length_can_be_compared),
        cmocka_unit_test(the_suggestion_ends_a_sentence),
    };
    return cmocka_run_group_tests_name("suggest", tests, NULL, NULL);
}
