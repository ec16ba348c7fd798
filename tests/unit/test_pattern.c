/* Patterns: regular expressions over UTF-8, which cannot run away. */
#include "unit.h"

#include "base/pattern.h"

static brz_pattern *compile(const char *expression)
{
    brz_buf error = {0};
    brz_pattern *p = brz_pattern_create(str_of(expression), &error);
    if (p == NULL)
        print_error("%s\n", brz_buf_text(&error));
    assert_non_null(p);
    brz_buf_finish(&error);
    return p;
}

static void an_expression_matches_anywhere(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *text;
        bool matches;
    } cases[] = {
        {"b+", "abbbc", true},
        {"^b", "abc", false},
        {"^(std|core)::", "core::fmt", true},
        {"", "", true},
        {".", "", false},
        {"^.$", "\xc3\xa9", true}, /* one character */
        {"(?i)MAIN", "domain", true},
        {"main", "MAIN", false},
        {"\\d{3}$", "x12", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_pattern *p = compile(cases[i].expression);
        assert_int_equal(brz_pattern_matches(p, str_of(cases[i].text)), cases[i].matches);
        brz_pattern_destroy(p);
    }
}

static void an_expression_that_runs_away_does_not_match(void **state)
{
    (void)state;
    char text[64];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = 'b';
    brz_pattern *p = compile("^(a+)+$");
    assert_false(brz_pattern_matches(p, brz_str_of(text, sizeof text)));
    brz_pattern_destroy(p);
}

static void matches_are_replaced_everywhere(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *with, *text, *result; /* NULL: no match */
    } cases[] = {
        {"a", "bb", "banana", "bbbnbbnbb"},
        {"(\\w+)::(\\w+)", "$2 of ${1}", "std::vec", "vec of std"},
        {"(?<n>\\d+)", "<${n}>", "a1b22", "a<1>b<22>"},
        {"<.*>", "", "vec<int>", "vec"},
        {"^.*$", "", "all", ""},
        {"x", "y", "abc", NULL},
        {"(a)|b", "[$1]", "b", "[]"},
        {"\\$", "$$", "a$b", "a$b"},
        {"x*", "-", "ab", "-a-b-"},
        {"\xc3\xa9", "e", "caf\xc3\xa9", "cafe"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_buf out = {0}, error = {0};
        brz_pattern *p = compile(cases[i].expression);
        assert_true(brz_pattern_check_replacement(p, str_of(cases[i].with), &error));
        brz_buf_add_text(&out, "before ");
        bool replaced = brz_pattern_replace(p, str_of(cases[i].text), str_of(cases[i].with), &out);
        assert_int_equal(replaced, cases[i].result != NULL);
        assert_int_equal(strlen(out.data), out.len);
        assert_memory_equal(out.data, "before ", 7);
        assert_string_equal(out.data + 7, cases[i].result != NULL ? cases[i].result : "");
        brz_buf_finish(&out);
        brz_buf_finish(&error);
        brz_pattern_destroy(p);
    }
}

static void a_result_of_any_length_is_whole(void **state)
{
    (void)state;
    char text[500], with[100];
    memset(text, 'x', sizeof text);
    memset(with, 'y', sizeof with);
    brz_pattern *p = compile("x");
    for (size_t n = 1; n < sizeof text; n += 33) {
        brz_buf out = {0};
        assert_true(
            brz_pattern_replace(p, brz_str_of(text, n), brz_str_of(with, sizeof with), &out));
        assert_int_equal(out.len, n * sizeof with);
        assert_int_equal(strspn(out.data, "y"), out.len);
        brz_buf_finish(&out);
    }
    brz_pattern_destroy(p);
}

static void a_bad_expression_is_told_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *where;
    } cases[] = {
        {"a(b", "in the expression 'a(b', at character 4: "},
        {"[z-a]", "at character 4: "},
        {"*", "at character 1: "},
        {"(?<n>a)(?<n>b)", "at character "},
        {"\xc3\xa9\xc3\xa9(", "at character 4: "},
        {"\xff", "in the expression"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_buf error = {0};
        assert_null(brz_pattern_create(str_of(cases[i].expression), &error));
        assert_contains(brz_buf_text(&error), cases[i].where);
        brz_buf_finish(&error);
    }
}

static void a_bad_replacement_is_found_before_anything_matches(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *with;
    } cases[] = {{"foo", "${unclosed"}, {"foo", "$9"}, {"(a)", "$2"},
                 {"(?<n>x)", "${m}"},   {"x", "$"},    {"^(?:a)# a comment", "${"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_buf error = {0};
        brz_pattern *p = compile(cases[i].expression);
        assert_false(brz_pattern_check_replacement(p, str_of(cases[i].with), &error));
        assert_contains(brz_buf_text(&error), "in the replacement '");
        brz_buf_finish(&error);
        brz_pattern_destroy(p);
    }
    brz_pattern_destroy(NULL);
}

static void a_long_replacement_is_no_bad_one(void **state)
{
    (void)state;
    char with[1000];
    brz_buf error = {0};
    memset(with, 'y', sizeof with);
    brz_pattern *p = compile("x*");
    assert_true(brz_pattern_check_replacement(p, brz_str_of(with, sizeof with), &error));
    brz_buf_finish(&error);
    brz_pattern_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_expression_matches_anywhere),
        cmocka_unit_test(an_expression_that_runs_away_does_not_match),
        cmocka_unit_test(matches_are_replaced_everywhere),
        cmocka_unit_test(a_result_of_any_length_is_whole),
        cmocka_unit_test(a_bad_expression_is_told_with_its_place),
        cmocka_unit_test(a_bad_replacement_is_found_before_anything_matches),
        cmocka_unit_test(a_long_replacement_is_no_bad_one),
    };
    return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
