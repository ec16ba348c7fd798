/* SPDX-License-Identifier: MIT */
/* Tests messages: counting by code, input order, and safe printing on terminals. */
#include "unit.h"

/* Adds a report at an offset; its code and message are literals. */
static void add(brz_notices *r, const char *code, uint64_t offset, const char *msg)
{
    brz_notice n = {.severity = BRZ_WARNING,
                    .code = code,
                    .msg = str_of(msg),
                    .offset = offset,
                    .line = offset == BRZ_NO_OFFSET ? 0 : offset + 1,
                    .column = 1,
                    .count = 1,
                    .input = BRZ_STR("in")};
    brz_notices_add(r, &n);
}

static char *printed(const brz_notices *r, int verbosity)
{
    ear e;
    ear_open(&e);
    e.console.verbosity = verbosity;
    brz_say_notices(&e.console, r);
    char *text = exact_copy(ear_heard(&e), strlen(ear_heard(&e)) + 1);
    ear_close(&e);
    return text;
}

static void assert_printed(const brz_notices *r, int verbosity, const char *want)
{
    char *got = printed(r, verbosity);
    assert_string_equal(got, want);
    free(got);
}

/* ---- collection ---------------------------------------------------------------------------- */

static void the_first_of_a_code_is_shown_and_the_others_counted(void **state)
{
    (void)state;
    brz_notices r = {0};
    for (uint64_t i = 0; i < 20; i++)
        add(&r, "a", i, "odd line");
    add(&r, "b", 100, "other");
    brz_notices_sort(&r);
    assert_printed(&r, 0,
                   "in:1:1: warning: odd line\n    ... and 19 more like this (-v shows more)\n"
                   "in:101:1: warning: other\n");
    assert_printed(&r, -1, "");
    char *text = printed(&r, 1);
    assert_contains(text, "in:8:1: warning: odd line\n");
    assert_lacks(text, "in:9:1:");
    assert_contains(text, "in:8:1: warning: odd line\n    ... and 12 more like this, 20 in all\n");
    free(text);
    brz_notices_finish(&r);
}

static void messages_beyond_the_stored_places_are_counted_at_each_verbosity(void **state)
{
    (void)state;
    brz_notices r = {0};
    brz_notice n = {.severity = BRZ_WARNING,
                    .code = "a",
                    .msg = BRZ_STR("odd line"),
                    .line = 1,
                    .column = 1,
                    .count = 7,
                    .input = BRZ_STR("in")};
    brz_notices_add(&r, &n);
    assert_printed(&r, 0, "in:1:1: warning: odd line\n    ... and 6 more like this\n");
    assert_printed(&r, 1, "in:1:1: warning: odd line\n    ... and 6 more like this\n");
    n.offset = n.line = 2;
    n.count = 1;
    brz_notices_add(&r, &n);
    assert_printed(&r, 0,
                   "in:1:1: warning: odd line\n    ... and 7 more like this (-v shows more)\n");
    assert_printed(&r, 1,
                   "in:1:1: warning: odd line\nin:2:1: warning: odd line\n"
                   "    ... and 6 more like this, 8 in all\n");
    brz_notices_finish(&r);
}

static void a_single_message_shows_no_count(void **state)
{
    (void)state;
    brz_notices r = {0};
    add(&r, "a", 3, "odd line");
    assert_printed(&r, 0, "in:4:1: warning: odd line\n");
    assert_printed(&r, 1, "in:4:1: warning: odd line\n");
    brz_notices_finish(&r);
}

static void counts_of_the_reporter_are_added(void **state)
{
    (void)state;
    brz_notices r = {0};
    brz_notice n = {.severity = BRZ_WARNING,
                    .code = "a",
                    .msg = BRZ_STR("odd"),
                    .offset = 0,
                    .line = 1,
                    .column = 1,
                    .count = 1000,
                    .input = BRZ_STR("in")};
    brz_notices_add(&r, &n);
    brz_notices_add(&r, &n);
    assert_printed(&r, 0,
                   "in:1:1: warning: odd\n    ... and 1999 more like this (-v shows more)\n");
    brz_notices_finish(&r);
}

static void reports_without_a_place_are_counted_by_their_message(void **state)
{
    (void)state;
    brz_notices r = {0};
    for (int i = 0; i < 3; i++) {
        add(&r, "a", BRZ_NO_OFFSET, "x left out: {count} of them");
        add(&r, "a", BRZ_NO_OFFSET, "y left out: {count}");
        add(&r, "a", 5, "x left out: {count} of them");
    }
    add(&r, "a", BRZ_NO_OFFSET, "{count}{count} z");
    brz_notices_sort(&r);
    assert_printed(&r, 0,
                   "in:6:1: warning: x left out: 1 of them\n"
                   "    ... and 2 more like this (-v shows more)\n"
                   "in: warning: x left out: 3 of them\nin: warning: y left out: 3\n"
                   "in: warning: 1{count} z\n");
    brz_notices_finish(&r);
}

/* Prints a message with a count. */
static void assert_message(const char *msg, uint64_t count, const char *want)
{
    brz_buf b = {0};
    brz_notice n = {.msg = brz_str_of(msg, strlen(msg)), .count = count};
    brz_notice_add_message(&b, &n);
    assert_string_equal(brz_buf_text(&b), want);
    brz_buf_finish(&b);
}

static void words_agree_with_the_count(void **state)
{
    (void)state;
    const char *msg = "{count} {record was|records were} lost with {its stack|their stacks}";
    assert_message(msg, 1, "1 record was lost with its stack");
    assert_message(msg, 2, "2 records were lost with their stacks");
    assert_message("{a|b} of {count}{|s}", 1, "{a|b} of 1");
    assert_message("{a|b} of {count}{|s}", 3, "{a|b} of 3s");
    const char *const others[] = {"{a}", "{a|b", "{A|b}", "{a|b|c}", "{{a|", "{", "{count}"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[64], want[64];
        snprintf(text, sizeof text, "{count}%s", others[i]);
        snprintf(want, sizeof want, "1%s", others[i]);
        assert_message(text, 1, want);
    }
}

static void a_code_is_full_when_no_more_places_are_kept(void **state)
{
    (void)state;
    brz_notices r = {0};
    for (uint64_t i = 0; i < BRZ_NOTICES_KEPT; i++) {
        assert_false(brz_notices_is_full(&r, "a"));
        add(&r, "a", i, "odd");
    }
    assert_true(brz_notices_is_full(&r, "a"));
    assert_false(brz_notices_is_full(&r, "b"));
    brz_notices_finish(&r);
}

static void too_many_codes_are_counted_together(void **state)
{
    (void)state;
    static char codes[400][8];
    brz_notices r = {0};
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        snprintf(codes[i], sizeof codes[i], "c%zu", i);
        for (int k = 0; k < 3; k++)
            add(&r, codes[i], i, "odd");
    }
    assert_int_equal(r.n_tallies, 256);
    uint64_t count = 0;
    for (size_t i = 0; i < r.n_tallies; i++)
        count += r.tallies[i].count;
    assert_int_equal(count, 3 * COUNT_OF(codes));
    brz_notices_sort(&r);
    free(printed(&r, 1));
    brz_notices_finish(&r);
}

/* Reports from several threads give the same result as those from one, however they are divided. */
static void results_do_not_depend_on_the_division_of_reports(void **state)
{
    (void)state;
    static const char *const codes[] = {"a", "b", "c"};
    dice d = {7};
    for (int round = 0; round < 300; round++) {
        brz_notices all = {0}, merged = {0}, shares[4] = {{.n = 0}};
        size_t n = roll_below(&d, 60);
        for (uint64_t at = 0; at < n; at++) {
            const char *code = codes[roll_below(&d, 3)];
            bool place = roll_below(&d, 4) != 0;
            const char *msg = roll_below(&d, 2) == 0 ? "one" : "two";
            add(&all, code, place ? at : BRZ_NO_OFFSET, msg);
            add(&shares[roll_below(&d, 4)], code, place ? at : BRZ_NO_OFFSET, msg);
        }
        for (size_t i = 0; i < 4; i++)
            brz_notices_absorb(&merged, &shares[(i + (size_t)round) % 4]);
        brz_notices_sort(&all);
        brz_notices_sort(&merged);
        for (int verbosity = -1; verbosity <= 1; verbosity++) {
            char *want = printed(&all, verbosity);
            assert_printed(&merged, verbosity, want);
            free(want);
        }
        brz_notices_finish(&all);
        brz_notices_finish(&merged);
        for (size_t i = 0; i < 4; i++)
            brz_notices_finish(&shares[i]);
    }
}

static void a_fatal_one_is_remembered_even_if_it_is_only_counted(void **state)
{
    (void)state;
    brz_notices r = {0}, merged = {0};
    for (uint64_t i = 0; i < 20; i++)
        add(&r, "a", i, "odd");
    brz_notice n = {.severity = BRZ_FATAL, .code = "a", .offset = 30, .count = 1};
    brz_notices_add(&r, &n);
    brz_notices_absorb(&merged, &r);
    assert_int_equal(merged.n_tallies, 1);
    assert_true(merged.tallies[0].fatal);
    brz_notices_finish(&r);
    brz_notices_finish(&merged);
}

static bool is_of_sort(const brz_notice *n, const char *code, const char *msg)
{
    return n->offset == BRZ_NO_OFFSET && n->code != NULL && strcmp(n->code, code) == 0 &&
           n->msg.len == strlen(msg) && memcmp(n->msg.data, msg, n->msg.len) == 0;
}

static size_t runs_of(const brz_notices *r, const char *code, const char *msg)
{
    size_t runs = 0;
    for (size_t i = 0; i < r->n; i++)
        runs += is_of_sort(&r->items[i], code, msg) &&
                (i == 0 || !is_of_sort(&r->items[i - 1], code, msg));
    return runs;
}

static bool has(const brz_notices *r, const char *code, const char *msg)
{
    for (size_t i = 0; i < r->n; i++)
        if (is_of_sort(&r->items[i], code, msg))
            return true;
    return false;
}

static void reports_after_the_first_error_are_forgotten_with_their_counts(void **state)
{
    (void)state;
    brz_notices r = {0};
    brz_notice n = {.severity = BRZ_FATAL, .code = "limit", .msg = BRZ_STR("limit"), .count = 1};
    assert_true(brz_notices_first_fatal(&r) == BRZ_NO_OFFSET);
    for (uint64_t i = 0; i < 20; i += 2)
        add(&r, "a", i, "odd line");
    for (uint64_t i = 0; i < 20; i++)
        add(&r, "b", 100 + i, "later");
    add(&r, "c", BRZ_NO_OFFSET, "without a place");
    n.offset = 50;
    n.line = 51;
    n.column = 1;
    n.input = BRZ_STR("in");
    brz_notices_add(&r, &n);
    n.offset = 5;
    n.line = 6;
    brz_notices_add(&r, &n);
    assert_true(brz_notices_first_fatal(&r) == 5);
    brz_notices_forget_after(&r, 5);
    brz_notices_sort(&r);
    assert_printed(&r, 0,
                   "in:1:1: warning: odd line\n    ... and 2 more like this (-v shows more)\n"
                   "in:6:1: error: limit\nin: warning: without a place\n");
    brz_notices_finish(&r);
}

/* A report without a code forms a group of its own, wherever it is sorted. */
static void sorting_is_by_place_whatever_codes_there_are(void **state)
{
    (void)state;
    static const char *const codes[] = {NULL, "a", "b", NULL, "c"};
    static const char *const messages[] = {"1", "2", "3", ""};
    static const char *const sorts[] = {"a", "b", "c"};
    dice d = {8};
    for (int round = 0; round < 200; round++) {
        brz_notices r = {0};
        for (int i = 0; i < 40; i++)
            add(&r, codes[roll_below(&d, 5)],
                roll_below(&d, 3) == 0 ? BRZ_NO_OFFSET : roll_below(&d, 9),
                messages[roll_below(&d, 4)]);
        brz_notices_sort(&r);
        for (size_t i = 1; i < r.n; i++)
            assert_true(r.items[i - 1].offset <= r.items[i].offset);
        for (size_t i = 0; i < 3; i++) /* reports that are counted together are adjacent */
            assert_int_equal(runs_of(&r, sorts[i], "1"), has(&r, sorts[i], "1"));
        brz_notices_finish(&r);
    }
}

/* ---- printing ------------------------------------------------------------------------------ */

static void control_characters_are_escaped(void **state)
{
    (void)state;
    static const struct {
        brz_str text;
        const char *printed;
    } cases[] = {
        {{"plain", 5}, "plain"},
        {{"a\tb", 3}, "a b"},
        {{"\033[31m\r\n\b", 8}, "\\x1b[31m\\x0d\\x0a\\x08"},
        {{"a\0b", 3}, "a\\x00b"},
        {{"\x7f", 1}, "\\x7f"},
        {{"\xc3\xa9\xe2\x82\xac\xf0\x9f\x94\xa5", 9}, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x94\xa5"},
        {{"\xc2\x9b"
          "31m",
          5},
         "\\x9b"
         "31m"}, /* an escape sequence of one character */
        {{"\xc2\xa0", 2}, "\xc2\xa0"},
        {{"\xff\xe2\x82x", 4}, "\\xff\\xe2\\x82x"},
        {{"\xe2\x80\xae\xe2\x81\xa6\xd8\x9c", 8}, "\\u202e\\u2066\\u061c"},
        {{"\xe2\x80\x93\xe2\x80\xa9", 6}, "\xe2\x80\x93\\u2029"},
        {{NULL, 0}, ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_buf b = {0};
        brz_add_printable(&b, cases[i].text);
        assert_string_equal(brz_buf_text(&b), cases[i].printed);
        brz_buf_finish(&b);
    }
}

static void verbosity_selects_the_printed_messages(void **state)
{
    (void)state;
    static const struct {
        int verbosity;
        int32_t severity;
        const char *said;
    } cases[] = {
        {-1, BRZ_FATAL, "brazier: error: it\n"},
        {-1, BRZ_WARNING, ""},
        {-1, BRZ_NOTE, ""},
        {-1, BRZ_DEBUG, ""},
        {0, BRZ_FATAL, "brazier: error: it\n"},
        {0, BRZ_WARNING, "brazier: warning: it\n"},
        {0, BRZ_NOTE, "brazier: note: it\n"},
        {0, BRZ_DEBUG, ""},
        {1, BRZ_DEBUG, ""},
        {2, BRZ_DEBUG, "brazier: debug: it\n"},
        {2, BRZ_NOTE, "brazier: note: it\n"},
        {0, 77, "brazier: debug: it\n"},
        {0, -3, "brazier: debug: it\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ear e;
        ear_open(&e);
        e.console.verbosity = cases[i].verbosity;
        brz_say(&e.console, cases[i].severity, "%s", "it");
        assert_string_equal(ear_heard(&e), cases[i].said);
        assert_int_equal(e.console.errors, cases[i].severity == BRZ_FATAL);
        ear_close(&e);
    }
}

static void colors_are_for_terminals(void **state)
{
    (void)state;
    static const struct {
        int32_t severity;
        const char *said;
    } cases[] = {
        {BRZ_FATAL, "brazier: \033[1;31merror:\033[0m \\x1b[0m\n"},
        {BRZ_WARNING, "brazier: \033[1;35mwarning:\033[0m \\x1b[0m\n"},
        {BRZ_NOTE, "brazier: \033[1;36mnote:\033[0m \\x1b[0m\n"},
        {BRZ_DEBUG, "brazier: \033[2mdebug:\033[0m \\x1b[0m\n"},
        {1000, "brazier: \033[2mdebug:\033[0m \\x1b[0m\n"},
        {-1000, "brazier: \033[2mdebug:\033[0m \\x1b[0m\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ear e;
        ear_open(&e);
        e.console.verbosity = 2;
        e.console.color = true;
        brz_say(&e.console, cases[i].severity, "%s", "\033[0m");
        assert_string_equal(ear_heard(&e), cases[i].said);
        ear_close(&e);
    }
}

static void the_caret_stands_below_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *excerpt;
        size_t caret, len;
        const char *shown;
    } cases[] = {
        {"abcdef", 0, 1, "    abcdef\n    ^\n"},
        {"abcdef", 2, 3, "    abcdef\n      ^~~\n"},
        {"abcdef", 2, 0, "    abcdef\n      ^\n"},
        {"abcdef", 2, 99, "    abcdef\n      ^~~~\n"},
        {"abcdef", 6, 5, "    abcdef\n          ^\n"},
        {"\xc3\xa9\xc3\xa9\xc3\xa9z", 4, 2, "    \xc3\xa9\xc3\xa9\xc3\xa9z\n      ^\n"},
        {"\xe2\x82\xac\xe2\x82\xac", 3, 3, "    \xe2\x82\xac\xe2\x82\xac\n     ^\n"},
        {"\ta\033b", 3, 1, "     a\\x1bb\n          ^\n"},
        {"a\033b", 1, 1, "    a\\x1bb\n     ^~~~\n"},
        {"a\xff\xff", 1, 2, "    a\\xff\\xff\n     ^~~~~~~~\n"},
        {"", 0, 1, ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ear e;
        ear_open(&e);
        brz_notice n = {.severity = BRZ_WARNING,
                        .msg = BRZ_STR("m"),
                        .line = 3,
                        .column = 9,
                        .len = cases[i].len,
                        .caret = cases[i].caret,
                        .input = BRZ_STR("f\033")};
        n.excerpt = str_of(cases[i].excerpt);
        brz_say_notice(&e.console, &n);
        assert_memory_equal(ear_heard(&e), "f\\x1b:3:9: warning: m\n", 22);
        assert_string_equal(ear_heard(&e) + 22, cases[i].shown);
        ear_close(&e);
    }
}

/* Asserts the line that is printed of an excerpt, and the offset of the caret below it. */
static void assert_excerpt(brz_str excerpt, size_t caret, const char *line, size_t indent)
{
    ear e;
    ear_open(&e);
    brz_notice n = {.severity = BRZ_WARNING,
                    .msg = BRZ_STR("m"),
                    .len = 1,
                    .excerpt = excerpt,
                    .caret = caret,
                    .input = BRZ_STR("f")};
    brz_say_notice(&e.console, &n);
    const char *shown = strchr(ear_heard(&e), '\n') + 1, *end = strchr(shown, '\n');
    assert_int_equal((size_t)(end - shown), 4 + strlen(line));
    assert_memory_equal(shown + 4, line, strlen(line));
    assert_int_equal(strcspn(end + 1, "^"), 4 + indent);
    ear_close(&e);
}

static void bytes_that_are_no_characters_are_cut_off_after_the_place(void **state)
{
    (void)state;
    char bytes[103], line[3 + 39 * 4 + 1] = "abc";
    memset(bytes, 0x8a, sizeof bytes);
    memcpy(bytes, line, 3);
    for (size_t i = 0; i < 39; i++)
        memcpy(line + 3 + i * 4, "\\x8a", 5);
    assert_excerpt(brz_str_of(bytes, sizeof bytes), 3, line, 3);
    assert_excerpt(brz_str_of(bytes, sizeof bytes), 8, line, 3 + 5 * 4);
}

static void a_long_excerpt_is_shown_around_the_place(void **state)
{
    (void)state;
    const size_t n = 1 << 20;
    char *bytes = malloc(n), line[161] = "";
    memset(bytes, 'a', n);
    memset(line, 'a', 160);
    assert_excerpt(brz_str_of(bytes, n), 0, line, 0);
    assert_excerpt(brz_str_of(bytes, n), n / 2, line, 80);
    memset(line + 80, 0, 80);
    assert_excerpt(brz_str_of(bytes, n), n, line, 80);
    free(bytes);
}

static void a_message_without_a_file_names_the_program(void **state)
{
    (void)state;
    ear e;
    ear_open(&e);
    brz_notice n = {.severity = BRZ_NOTE, .msg = BRZ_STR("m"), .offset = BRZ_NO_OFFSET, .count = 1};
    brz_say_notice(&e.console, &n);
    n.msg = BRZ_STR("{count} m");
    n.count = 5;
    brz_say_notice(&e.console, &n);
    e.console.verbosity = -1;
    brz_say_notice(&e.console, &n);
    assert_string_equal(ear_heard(&e), "brazier: note: m\nbrazier: note: 5 m\n");
    ear_close(&e);
}

static void assert_left_out(const brz_left_out *l, const char *weight, const char *want)
{
    ear e;
    ear_open(&e);
    brz_say_left_out(&e.console, l, brz_str_of(weight, strlen(weight)));
    assert_string_equal(ear_heard(&e), want);
    ear_close(&e);
}

static void the_summary_of_records_left_out_has_their_known_weight(void **state)
{
    (void)state;
    static const struct {
        brz_left_out left_out;
        const char *weight, *want;
    } cases[] = {
        {{0, 0, 0, 0}, "", ""},
        {{1, 0, 0, 0}, "", "brazier: note: left out: 1 record of unknown weight\n"},
        {{3, 3, 17, 0}, "", "brazier: note: left out: 3 records, weight 17\n"},
        {{3, 3, 1700, 3}, "", "brazier: note: left out: 3 records, weight 1.7\n"},
        {{3, 3, -1050, 3}, "", "brazier: note: left out: 3 records, weight -1.05\n"},
        {{1, 1, 5, 0}, "a\nb", "brazier: note: left out: 1 record, weight 5 of 'a\\x0ab'\n"},
        {{3, 2, 0, 3},
         "time",
         "brazier: note: left out: 3 records; weight 0 of 'time' for 2 of them, unknown for the "
         "others\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_left_out(&cases[i].left_out, cases[i].weight, cases[i].want);
}

static void weights_of_other_decimals_are_added(void **state)
{
    (void)state;
    const brz_left_out whole = {1, 1, 5, 0}, fraction = {2, 1, 25, 2}, unknown = {4, 0, 0, 0};
    const brz_left_out huge = {UINT64_MAX, 1, INT64_MAX - 1, 0};
    for (int order = 0; order < 2; order++) {
        brz_left_out sum = {0};
        brz_left_out_add(&sum, order == 0 ? &whole : &fraction);
        brz_left_out_add(&sum, &unknown);
        brz_left_out_add(&sum, order == 0 ? &fraction : &whole);
        assert_int_equal(sum.records, 7);
        assert_int_equal(sum.weighed, 2);
        assert_int_equal(sum.weight, 525);
        assert_int_equal(sum.decimals, 2);
        brz_left_out_add(&sum, &huge);
        assert_true(sum.records == UINT64_MAX);
        assert_true(sum.weight == INT64_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_a_code_is_shown_and_the_others_counted),
        cmocka_unit_test(messages_beyond_the_stored_places_are_counted_at_each_verbosity),
        cmocka_unit_test(a_single_message_shows_no_count),
        cmocka_unit_test(counts_of_the_reporter_are_added),
        cmocka_unit_test(reports_without_a_place_are_counted_by_their_message),
        cmocka_unit_test(words_agree_with_the_count),
        cmocka_unit_test(a_code_is_full_when_no_more_places_are_kept),
        cmocka_unit_test(too_many_codes_are_counted_together),
        cmocka_unit_test(results_do_not_depend_on_the_division_of_reports),
        cmocka_unit_test(a_fatal_one_is_remembered_even_if_it_is_only_counted),
        cmocka_unit_test(reports_after_the_first_error_are_forgotten_with_their_counts),
        cmocka_unit_test(sorting_is_by_place_whatever_codes_there_are),
        cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(verbosity_selects_the_printed_messages),
        cmocka_unit_test(colors_are_for_terminals),
        cmocka_unit_test(the_caret_stands_below_the_place),
        cmocka_unit_test(bytes_that_are_no_characters_are_cut_off_after_the_place),
        cmocka_unit_test(a_long_excerpt_is_shown_around_the_place),
        cmocka_unit_test(a_message_without_a_file_names_the_program),
        cmocka_unit_test(the_summary_of_records_left_out_has_their_known_weight),
        cmocka_unit_test(weights_of_other_decimals_are_added),
    };
    return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
