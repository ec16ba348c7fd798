/* Tests which folded text is plain, so that it is added up without a profile. */
#include "unit.h"

#include "run/folded_lines.h"

#include <stdlib.h>

static bool is_plain(const char *text)
{
    size_t n = strlen(text);
    char *copy = malloc(n > 0 ? n : 1); /* of exactly this size, for sanitizers */
    memcpy(copy, text, n);
    bool plain = brz_folded_is_plain(brz_str_of(copy, n));
    free(copy);
    return plain;
}

static void sorted_lines_are_plain(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "a 1\n",
        "a 1\na b 2\na(x) 3\na;b 4\na;b;c 999999999999999\n",
        "a b;c d 10\n",
        "main;std::vector<int, std::allocator<int> >;f(int) 1\n",
        "__libc_start_call_main;x;_start_of_a_long_name 1\n",
        "f 1 x 2\n",
        "f12 3\n",
        "a;b_[k] 1\na;b_[k];c 1\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!is_plain(texts[i]))
            fail_msg("not plain: %s", texts[i]);
}

static void other_lines_are_not_plain(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "\n",
        "a 1",
        "a 1\n\n",
        "\na 1\n",
        "a\n",
        " 1\n",
        "a  1\n",
        " a 1\n",
        "1\n",
        "b 1\na 1\n",
        "a 1\na 1\n",
        "a;b 1\na 1\n",
        "a;b 1\na!b 1\n", /* order */
        "a 0\n",
        "a 01\n",
        "a 1.5\n",
        "a -1\n",
        "a 1e3\n",
        "a 1234567890123456\n", /* counts */
        "a 1 2\n",
        "a;b 1.5 2\n",
        "a .5 2\n",
        "a 7. 2\n", /* perhaps two counts */
        ";a 1\n",
        "a;;b 1\n",
        "a; 1\n",
        "a; b 1\n",
        "a ;b 1\n",
        "a  b 1\n", /* blanks, empty names */
        "# a 1\n",
        "#a 1\n",
        "a\tb 1\n",
        "a\r 1\n",
        "a 1\r\n",
        "a\177 1\n",
        "\303\244 1\n",
        "q:\"a;b\" 1\n",
        "_ZN3foo3barEv 1\n",
        "a;_RNvC1a 1\n",
        "a;m`_ZN3foo3barEv 1\n",
        "a;___ZN3foo3barEv;b 1\n",
        "a;_IO 1\na;_Z3foov 1\n",
        "a;b;_ 1\na;b;__Z3foov 1\n",
        "_Z3 1\n_Z3f 1\n",
        "a;m`_A 1\na;m`_Z3foov 1\n", /* mangled after bytes of the line before */
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (is_plain(texts[i]))
            fail_msg("plain: %s", texts[i]);
}

/* A byte that is not plain is found at any place, with any part shared with the line before. */
static void every_byte_is_checked(void **state)
{
    (void)state;
    enum { LENGTH = 70 };
    char text[300];
    for (int at = 0; at < LENGTH; at++)
        for (int shared = 0; shared <= at; shared += 7) {
            int n = snprintf(text, sizeof text, "%.*s 1\n", shared,
                             "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                             "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                             "xxxxxx");
            n = shared == 0 ? 0 : n;
            memset(text + n, 'x', LENGTH);
            memcpy(text + n + LENGTH, " 1\n", 4);
            assert_true(is_plain(text));
            text[n + at] = '\t';
            assert_false(is_plain(text));
        }
}

static void lines_are_taken_one_by_one(void **state)
{
    (void)state;
    brz_folded_line line;
    brz_str text = BRZ_STR("a;b c 12\nd 7\nrest");
    assert_true(brz_folded_next(&text, &line));
    assert_int_equal(line.stack.len, 5);
    assert_memory_equal(line.stack.data, "a;b c", 5);
    assert_int_equal(line.count, 12);
    assert_true(brz_folded_next(&text, &line));
    assert_int_equal(line.count, 7);
    assert_false(brz_folded_next(&text, &line));
}

static void shared_bytes_are_counted(void **state)
{
    (void)state;
    enum { LONGEST = 70 };
    char a[2 * LONGEST], b[2 * LONGEST];
    memset(a, 'x', sizeof a);
    memset(b, 'x', sizeof b);
    for (size_t n = 0; n < LONGEST; n++)
        for (size_t at = 0; at <= n; at++) {
            b[at] = 'y';
            assert_int_equal(
                brz_folded_shared(brz_prefix_best(), brz_str_of(a, n), brz_str_of(b, n + 1)), at);
            b[at] = 'x';
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorted_lines_are_plain),   cmocka_unit_test(other_lines_are_not_plain),
        cmocka_unit_test(every_byte_is_checked),    cmocka_unit_test(lines_are_taken_one_by_one),
        cmocka_unit_test(shared_bytes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
