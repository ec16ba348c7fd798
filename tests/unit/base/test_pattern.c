/* SPDX-License-Identifier: MIT */
/* Tests patterns: regular expressions over UTF-8, within limits. */
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
        brz_buf error = {0};
        assert_int_equal(brz_pattern_search(p, str_of(cases[i].text), &error),
                         cases[i].matches ? BRZ_MATCH_FOUND : BRZ_MATCH_NONE);
        assert_int_equal(error.len, 0);
        brz_pattern_destroy(p);
    }
}

static void assert_search(const char *expression, brz_str name, brz_match want)
{
    brz_buf error = {0};
    brz_pattern *p = compile(expression);
    brz_match got = brz_pattern_search(p, name, &error);
    if (got != want)
        print_error("%s: %s\n", expression, brz_buf_text(&error));
    assert_int_equal(got, want);
    assert_int_equal(error.len > 0, want == BRZ_MATCH_FAILED);
    brz_buf_finish(&error);
    brz_pattern_destroy(p);
}

static void a_long_name_takes_more_than_a_small_stack(void **state)
{
    (void)state;
    static const char *const expressions[] = {"^((x)|(y))*END$", "(?:.|\n)*END",
                                              "^(?:(x)|[^x])*?END", "(*NO_JIT)^((x)|(y))*END$"};
    static char name[100000];
    memset(name, 'x', sizeof name);
    memcpy(name + sizeof name - 3, "END", 3);
    for (size_t i = 0; i < COUNT_OF(expressions); i++) {
        assert_search(expressions[i], brz_str_of(name, sizeof name), BRZ_MATCH_FOUND);
        assert_search(expressions[i], brz_str_of(name, 1000), BRZ_MATCH_NONE);
    }
}

static void a_match_that_hits_a_limit_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *says;
    } cases[] = {
        {"^(a+)+$",
         "the expression '^(a+)+$' exceeds the match limit of 10000000 steps on the frame "
         "'aaaaaaaa"},
        {"(*LIMIT_MATCH=99)^(a+)+$", "exceeds the match limit of 99 steps"},
        {"(*LIMIT_HEAP=1)(*NO_JIT)^(a|b)*[cd]", "exceeds the heap limit of 1 KiB"},
        {"(*LIMIT_DEPTH=1)(*NO_JIT)^(a|b)*[cd]", "exceeds the depth limit of 1 nested steps"},
    };
    char name[1000];
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = 'b';
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_buf error = {0}, out = {0};
        brz_pattern *p = compile(cases[i].expression);
        brz_str text = brz_str_of(name, sizeof name);
        assert_int_equal(brz_pattern_search(p, text, &error), BRZ_MATCH_FAILED);
        assert_contains(brz_buf_text(&error), cases[i].says);
        assert_contains(brz_buf_text(&error), "...' (1000 bytes)");
        brz_buf_clear(&error);
        brz_buf_add_text(&out, "before");
        assert_int_equal(brz_pattern_replace(p, text, BRZ_STR("x"), &out, &error),
                         BRZ_MATCH_FAILED);
        assert_contains(brz_buf_text(&error), cases[i].says);
        assert_string_equal(brz_buf_text(&out), "before");
        brz_buf_finish(&error);
        brz_buf_finish(&out);
        brz_pattern_destroy(p);
    }
}

static void a_failure_is_safe_on_a_terminal(void **state)
{
    (void)state;
    brz_buf error = {0};
    brz_pattern *p = compile("(*LIMIT_MATCH=1)(*NO_JIT)\\A(?:.|\\n)*\033[xy]");
    assert_int_equal(brz_pattern_search(p, BRZ_STR("\033[31m\xc3\xa9\n"), &error),
                     BRZ_MATCH_FAILED);
    assert_contains(brz_buf_text(&error), "on the frame '\\x1b[31m\xc3\xa9\\x0a'");
    brz_buf_finish(&error);
    brz_pattern_destroy(p);
}

static void a_long_name_is_cut_between_characters(void **state)
{
    (void)state;
    char name[200];
    name[0] = 'a';
    for (size_t i = 1; i + 1 < sizeof name; i += 2)
        memcpy(name + i, "\xc3\xa9", 2);
    brz_buf error = {0};
    brz_pattern *p = compile("(*LIMIT_MATCH=1)(*NO_JIT)(?:.|\\n)*[xy]");
    assert_int_equal(brz_pattern_search(p, brz_str_of(name, 199), &error), BRZ_MATCH_FAILED);
    assert_contains(brz_buf_text(&error), "\xc3\xa9...' (199 bytes)");
    assert_null(strstr(brz_buf_text(&error), "\\x"));
    brz_buf_finish(&error);
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
        brz_match m =
            brz_pattern_replace(p, str_of(cases[i].text), str_of(cases[i].with), &out, &error);
        assert_int_equal(m, cases[i].result != NULL ? BRZ_MATCH_FOUND : BRZ_MATCH_NONE);
        assert_int_equal(error.len, 0);
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
        brz_buf out = {0}, error = {0};
        assert_int_equal(brz_pattern_replace(p, brz_str_of(text, n), brz_str_of(with, sizeof with),
                                             &out, &error),
                         BRZ_MATCH_FOUND);
        assert_int_equal(out.len, n * sizeof with);
        assert_int_equal(strspn(out.data, "y"), out.len);
        brz_buf_finish(&out);
    }
    brz_pattern_destroy(p);
}

static void the_length_of_a_result_is_limited(void **state)
{
    (void)state;
    enum { MOST = BRZ_PATTERN_RESULT_MAX };
    static char name[2 * MOST];
    memset(name, 'x', sizeof name);
    static const struct {
        const char *expression, *with;
        size_t len, result; /* result 0: too long */
    } cases[] = {
        {".+", "$0$0", MOST / 2, MOST},  {".+", "$0$0", MOST / 2 + 1, 0},
        {"x", "yy", MOST / 2, MOST},     {"x", "yy", MOST / 2 + 1, 0},
        {"^x", "yy", MOST - 1, MOST},    {"^x", "yy", MOST, 0},
        {"^x", "y", MOST + 9, MOST + 9}, {"^x", "yy", MOST + 9, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        brz_buf out = {0}, error = {0};
        brz_pattern *p = compile(cases[i].expression);
        brz_match m = brz_pattern_replace(p, brz_str_of(name, cases[i].len), str_of(cases[i].with),
                                          &out, &error);
        assert_int_equal(m, cases[i].result > 0 ? BRZ_MATCH_FOUND : BRZ_MATCH_FAILED);
        assert_int_equal(out.len, cases[i].result);
        assert_int_equal(strlen(out.data), out.len);
        if (cases[i].result == 0)
            assert_contains(brz_buf_text(&error), "bytes, more than the limit of 655");
        brz_buf_finish(&out);
        brz_buf_finish(&error);
        brz_pattern_destroy(p);
    }
}

static void errors_in_expressions_have_a_position(void **state)
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
        {"a\\C", "at character "}, /* could replace half a character */
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

static void a_long_replacement_is_valid(void **state)
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
        cmocka_unit_test(a_long_name_takes_more_than_a_small_stack),
        cmocka_unit_test(a_match_that_hits_a_limit_is_an_error),
        cmocka_unit_test(a_failure_is_safe_on_a_terminal),
        cmocka_unit_test(a_long_name_is_cut_between_characters),
        cmocka_unit_test(matches_are_replaced_everywhere),
        cmocka_unit_test(a_result_of_any_length_is_whole),
        cmocka_unit_test(the_length_of_a_result_is_limited),
        cmocka_unit_test(errors_in_expressions_have_a_position),
        cmocka_unit_test(a_bad_replacement_is_found_before_anything_matches),
        cmocka_unit_test(a_long_replacement_is_valid),
    };
    return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
