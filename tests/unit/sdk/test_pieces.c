/* SPDX-License-Identifier: MIT */
/* Tests splitting of texts and parsing of integers: <brazier/text/pieces.h> and
 * <brazier/text/integer.h>. */
#include "unit.h"

#include <brazier/symbol.h>
#include <brazier/text/integer.h>
#include <brazier/text/pieces.h>

#define STR(s) brz_str_of(s, strlen(s))

static void assert_str(brz_str s, const char *want)
{
    if (s.len != strlen(want) || (s.len > 0 && memcmp(s.data, want, s.len) != 0))
        fail_msg("'%.*s', not '%s'", (int)s.len, s.data, want);
}

static void a_text_is_cut_at_the_first_or_the_last_of_a_byte(void **state)
{
    (void)state;
    brz_str before = {0}, after = {0};
    assert_true(brz_cut_first(STR("a:b:c"), ':', &before, &after));
    assert_str(before, "a");
    assert_str(after, "b:c");
    assert_true(brz_cut_last(STR("a:b:c"), ':', &before, &after));
    assert_str(before, "a:b");
    assert_str(after, "c");
    assert_true(brz_cut_first(STR(":"), ':', &before, &after));
    assert_str(before, "");
    assert_str(after, "");
    assert_true(brz_cut_last(STR(":x"), ':', &before, &after));
    assert_str(before, "");
    assert_str(after, "x");
}

static void a_text_without_the_byte_is_not_cut(void **state)
{
    (void)state;
    brz_str before = BRZ_STR("as it"), after = BRZ_STR("was");
    assert_false(brz_cut_first(STR("abc"), ':', &before, &after));
    assert_false(brz_cut_last(STR("abc"), ':', &before, &after));
    assert_false(brz_cut_first(brz_str_of(NULL, 0), ':', &before, &after));
    assert_false(brz_cut_last(brz_str_of(NULL, 0), ':', &before, &after));
    assert_str(before, "as it");
    assert_str(after, "was");
}

static void pieces_come_one_after_the_other_empty_ones_too(void **state)
{
    (void)state;
    static const struct {
        const char *text, *pieces; /* pieces, each followed by a bar */
    } cases[] = {
        {"a,b,c", "a|b|c|"}, {"a", "a|"}, {"", "|"}, {",", "||"}, {"a,", "a||"}, {"a,,b", "a||b|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char got[100] = "";
        brz_str rest = STR(cases[i].text), piece = {0};
        while (brz_take_piece(&rest, ',', &piece))
            sprintf(got + strlen(got), "%.*s|", (int)piece.len, piece.data);
        assert_string_equal(got, cases[i].pieces);
        assert_null(rest.data);
    }
}

static void lines_are_taken_one_by_one_and_the_last_one_may_lack_its_newline(void **state)
{
    (void)state;
    static const struct {
        const char *text, *lines;
    } cases[] = {
        {"a\nb\n", "a|b|"}, {"a\nb", "a|b|"},  {"", ""},
        {"\n", "|"},        {"\n\na", "||a|"}, {"a\n\n", "a||"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char got[100] = "";
        brz_str rest = STR(cases[i].text), line = {0};
        while (brz_take_line(&rest, &line))
            sprintf(got + strlen(got), "%.*s|", (int)line.len, line.data);
        assert_string_equal(got, cases[i].lines);
        assert_ptr_equal(rest.data, cases[i].text + strlen(cases[i].text));
    }
    brz_str nothing = {0}, line;
    assert_false(brz_take_line(&nothing, &line));
}

static void whole_numbers_are_digits_and_nothing_else(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_u64, is_i64;
        int64_t value;
    } cases[] = {
        {"0", true, true, 0},
        {"007", true, true, 7},
        {"9223372036854775807", true, true, INT64_MAX},
        {"9223372036854775808", true, false, 0},
        {"18446744073709551615", true, false, 0},
        {"18446744073709551616", false, false, 0},
        {"-1", false, true, -1},
        {"-0", false, true, 0},
        {"-9223372036854775808", false, true, INT64_MIN},
        {"-9223372036854775809", false, false, 0},
        {"", false, false, 0},
        {"-", false, false, 0},
        {"+1", false, false, 0},
        {" 1", false, false, 0},
        {"1.0", false, false, 0},
        {"1e3", false, false, 0},
        {"--1", false, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t u = 0;
        int64_t n = 0;
        if (brz_parse_u64(STR(cases[i].text), &u) != cases[i].is_u64 ||
            brz_parse_i64(STR(cases[i].text), &n) != cases[i].is_i64)
            fail_msg("'%s'", cases[i].text);
        if (cases[i].is_i64)
            assert_int_equal(n, cases[i].value);
    }
}

static void fractions_become_multiples_of_the_smallest_unit(void **state)
{
    static const struct {
        const char *text;
        int64_t n;
    } cases[] = {{"1.25", 1250},
                 {"-1.25", -1250},
                 {"12", 12000},
                 {"1.2345678", 1234},
                 {"-0.0", 0},
                 {"9223372036854775.807", INT64_MAX},
                 {"-9223372036854775.808", INT64_MIN}};
    static const char *const bad[] = {"9223372036854775.808",
                                      "9223372036854776",
                                      ".5",
                                      "5.",
                                      "-",
                                      "",
                                      "1..2",
                                      "1.2x",
                                      "1.2345x",
                                      "1.2.3",
                                      "-.5",
                                      "+1"};
    int64_t n = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(brz_parse_scaled(STR(cases[i].text), 3, &n));
        assert_true(cases[i].n == n);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (brz_parse_scaled(STR(bad[i]), 3, &n))
            fail_msg("%s", bad[i]);
}

static void a_number_is_taken_from_the_front_or_the_text_stays(void **state)
{
    (void)state;
    static const struct {
        const char *text, *rest;
        bool hex, taken;
        uint64_t value;
    } cases[] = {
        {"12 ms", " ms", false, true, 12},
        {"18446744073709551615", "", false, true, UINT64_MAX},
        {"18446744073709551616", "18446744073709551616", false, false, 7},
        {"", "", false, false, 7},
        {"ms", "ms", false, false, 7},
        {"-1", "-1", false, false, 7},
        {"fFg", "g", true, true, 255},
        {"0000ffffffffffffffff", "", true, true, UINT64_MAX},
        {"10000000000000000", "10000000000000000", true, false, 7},
        {"0x1", "x1", true, true, 0},
        {"g", "g", true, false, 7},
        {"", "", true, false, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        brz_str s = STR(cases[i].text);
        uint64_t n = 7;
        bool taken = cases[i].hex ? brz_take_hex(&s, &n) : brz_take_u64(&s, &n);
        if (taken != cases[i].taken || n != cases[i].value || !brz_str_equal(s, STR(cases[i].rest)))
            fail_msg("'%s'", cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_cut_at_the_first_or_the_last_of_a_byte),
        cmocka_unit_test(a_text_without_the_byte_is_not_cut),
        cmocka_unit_test(pieces_come_one_after_the_other_empty_ones_too),
        cmocka_unit_test(lines_are_taken_one_by_one_and_the_last_one_may_lack_its_newline),
        cmocka_unit_test(whole_numbers_are_digits_and_nothing_else),
        cmocka_unit_test(fractions_become_multiples_of_the_smallest_unit),
        cmocka_unit_test(a_number_is_taken_from_the_front_or_the_text_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
