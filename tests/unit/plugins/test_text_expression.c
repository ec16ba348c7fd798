/* SPDX-License-Identifier: MIT */
/* Tests the expressions, weights and times of formats that options describe. */
#include "unit.h"

#include "collapse/text/expression.h"
#include "collapse/text/times.h"
#include "collapse/text/units.h"

/* An expression, and what the test needs to match it. */
typedef struct subject {
    expression_memory memory;
    matcher matcher;
    expression expression;
    char fault[EXPRESSION_FAULT];
} subject;

static bool begin(subject *s, const char *text)
{
    assert_true(expression_memory_init(&s->memory, NULL));
    assert_true(matcher_init(&s->matcher, &s->memory, true));
    bool good = expression_compile(&s->expression, brz_str_of_text(text), BRZ_STR("weight"),
                                   &s->memory, s->fault);
    if (good)
        expression_to_machine_code(&s->expression);
    return good;
}

static void end(subject *s)
{
    expression_finish(&s->expression, &s->memory);
    matcher_finish(&s->matcher);
    expression_memory_finish(&s->memory);
}

/* Searches a copy of the line without terminator, with machine code and with the interpreter. */
static match_result search(subject *s, const char *line)
{
    int error;
    size_t n = strlen(line);
    char *copy = exact_copy(line, n);
    matcher plain = s->matcher;
    plain.stack = NULL;
    match_result result =
        expression_search(&s->expression, &s->matcher, brz_str_of(copy, n), &error);
    assert_int_equal(result,
                     expression_search(&s->expression, &plain, brz_str_of(copy, n), &error));
    free(copy);
    return result;
}

static void an_expression_begins_with_its_literal_text(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *prefix;
        bool anchored;
    } cases[] = {
        {"^TID (\\d+)", "TID ", true}, {"TID (\\d+)", "TID ", false}, {"^ab?c", "a", true},
        {"^a\\.b\\d", "a.b", true},    {"ab|cd", "", false},          {"a(b|c)", "a", false},
        {"^[|]a", "", false},          {"(?i)ab", "", false},         {"ab{2}", "a", false},
        {"\\Qa|b\\E", "", false},      {"^\303\251a", "", true},      {"", "", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        subject s;
        assert_true(begin(&s, cases[i].expression));
        assert_text(s.expression.prefix, cases[i].prefix);
        assert_int_equal(s.expression.anchored, cases[i].anchored);
        end(&s);
    }
}

static void both_engines_find_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *line;
        match_result result;
    } cases[] = {
        {"^TID (?<thread>\\d+)", "TID 12", MATCH_FOUND},
        {"^TID (?<thread>\\d+)", " TID 12", MATCH_NONE},
        {"TID (?<thread>\\d+)$", "TID TID 12", MATCH_FOUND},
        {"^\\S", "\xff\xfe", MATCH_FOUND},
        {"^a.b$",
         "a\xff"
         "b",
         MATCH_FOUND},
        {"^a[\303\251]", "a\303\251", MATCH_FOUND},
        {"^a[\303\251]", "a\303\251 \xff", MATCH_NONE},
        {"^$", "", MATCH_FOUND},
        {"(*LIMIT_MATCH=5)^(a+)+$", "aaaaaaaaaaaaaaab", MATCH_FAILED},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        subject s;
        assert_true(begin(&s, cases[i].expression));
        assert_int_equal(search(&s, cases[i].line), cases[i].result);
        end(&s);
    }
}

static void of_groups_with_one_name_the_first_in_the_match_counts(void **state)
{
    (void)state;
    subject s;
    assert_true(begin(&s, "^(?:a=(?<thread>\\d+)|b=(?<thread>\\w+))(?<weight>!)?"));
    assert_true(expression_has(&s.expression, GROUP_THREAD));
    assert_true(expression_has(&s.expression, GROUP_WEIGHT));
    assert_false(expression_has(&s.expression, GROUP_STACK));
    brz_str line = BRZ_STR("b=main");
    int error;
    assert_int_equal(expression_search(&s.expression, &s.matcher, line, &error), MATCH_FOUND);
    assert_text(expression_text(&s.expression, &s.matcher, line, GROUP_THREAD), "main");
    assert_null(expression_text(&s.expression, &s.matcher, line, GROUP_WEIGHT).data);
    end(&s);
}

static void a_wrong_expression_is_described(void **state)
{
    (void)state;
    subject s;
    assert_false(begin(&s, "\303\251(a"));
    assert_string_equal(s.fault, "at character 4 of the expression: missing closing parenthesis");
    end(&s);
}

static void a_failure_names_the_limit(void **state)
{
    (void)state;
    subject s;
    assert_true(begin(&s, "(*LIMIT_MATCH=5)^(a+)+$"));
    expression_describe_failure(&s.expression, PCRE2_ERROR_MATCHLIMIT, s.fault);
    assert_string_equal(s.fault, "exceeds the match limit of 5 steps");
    end(&s);
}

static void times_are_numbers_or_clocks(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        text_time_unit unit;
        int64_t nanoseconds;
    } times[] = {
        {"1.5", TIME_S, 1500000000},
        {"2", TIME_MS, 2000000},
        {"-3", TIME_US, -3000},
        {"7", TIME_NS, 7},
        {"01:02", TIME_MS, INT64_C(62000000000)},
        {"1:00:00.25", TIME_S, INT64_C(3600250000000)},
        {"1970-01-02T00:00:01Z", TIME_S, INT64_C(86401000000000)},
        {"2024-02-29 12:00:00", TIME_S, INT64_C(1709208000000000000)},
    };
    for (size_t i = 0; i < COUNT_OF(times); i++) {
        int64_t ns = 0;
        assert_true(text_time_read(brz_str_of_text(times[i].text), times[i].unit, &ns));
        assert_int_equal(ns, times[i].nanoseconds);
    }
    static const char *const wrong[] = {"",       "x", "1:", ":1", "1:99:00", "2024-13-01T00:00:00",
                                        "1:2:3:4"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        int64_t ns;
        assert_false(text_time_read(brz_str_of_text(wrong[i]), TIME_S, &ns));
    }
}

static void numbers_convert_between_units_exactly(void **state)
{
    (void)state;
    static const struct {
        decimal number;
        const char *from, *to;
        decimal result;
    } cases[] = {
        {{12, 0}, "ms", "us", {12000, 0}},
        {{5, 0}, "us", "ms", {5, 3}},
        {{15, 1}, "h", "ms", {5400000, 0}},
        {{90, 0}, "s", "minutes", {15, 1}},
        {{1, 0}, "s", "m", {16666667, 9}},
        {{3, 0}, "\302\265s", "ns", {3000, 0}},
        {{2, -3}, "ns", "us", {2, 0}},
        {{15, 1}, "KiB", "bytes", {1536, 0}},
        {{1, 0}, "MB", "KB", {1000, 0}},
        {{512, 0}, "B", "KiB", {5, 1}},
        {{0, 0}, "s", "ns", {0, 0}},
        {{INT64_MAX, 0}, "ns", "ns", {INT64_MAX, 0}},
        {{INT64_MAX, 0}, "h", "h", {INT64_MAX, 0}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        text_unit from, to;
        decimal d = cases[i].number;
        assert_true(text_unit_find(brz_str_of_text(cases[i].from), &from));
        assert_true(text_unit_find(brz_str_of_text(cases[i].to), &to));
        assert_true(text_unit_convert(&d, from, to));
        assert_int_equal(d.digits, cases[i].result.digits);
        assert_int_equal(d.decimals, cases[i].result.decimals);
    }
}

static void numbers_that_do_not_convert_are_refused(void **state)
{
    (void)state;
    text_unit s, ns, bytes, none;
    assert_true(text_unit_find(BRZ_STR("s"), &s));
    assert_true(text_unit_find(BRZ_STR("ns"), &ns));
    assert_true(text_unit_find(BRZ_STR("B"), &bytes));
    decimal one = {1, 0}, many = {INT64_MAX, 0}, huge = {1, -30};
    assert_false(text_unit_convert(&one, s, bytes));
    assert_false(text_unit_convert(&many, s, ns));
    assert_false(text_unit_convert(&huge, ns, ns));
    static const char *const wrong[] = {"", "x", "S", "Ms", "mss", "K"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_false(text_unit_find(brz_str_of_text(wrong[i]), &none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_expression_begins_with_its_literal_text),
        cmocka_unit_test(both_engines_find_the_same),
        cmocka_unit_test(of_groups_with_one_name_the_first_in_the_match_counts),
        cmocka_unit_test(a_wrong_expression_is_described),
        cmocka_unit_test(a_failure_names_the_limit),
        cmocka_unit_test(times_are_numbers_or_clocks),
        cmocka_unit_test(numbers_convert_between_units_exactly),
        cmocka_unit_test(numbers_that_do_not_convert_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
