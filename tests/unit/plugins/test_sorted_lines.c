/* SPDX-License-Identifier: MIT */
/* Tests which lines of folded text are plain, so that they are added up without a profile. */
#include "unit.h"

#include <stdlib.h>

#include "collapse/folded/sorted.h"
#include "profile/demangle.h"

/* Returns whether a name of a stack may be mangled, as the host finds out. */
static bool has_mangled(const brz_sorted_stack *s)
{
    const char *at = s->names, *end = at + s->len;
    for (const char *stop; at < end; at = stop + 1) {
        stop = memchr(at, ';', (size_t)(end - at));
        stop = stop == NULL ? end : stop;
        if (brz_may_be_mangled(brz_str_of(at, (size_t)(stop - at))))
            return true;
    }
    return false;
}

static bool is_plain(const char *text)
{
    enum { SLACK = 64, MOST = 8 };
    size_t len = strlen(text), n = MOST;
    char *copy = calloc(1, len + 2 * SLACK); /* with the readable bytes that are promised */
    memcpy(copy + SLACK, text, len);
    brz_sorted_stack stacks[MOST];
    brz_str rest = brz_str_of(copy + SLACK, len);
    bool is_good = folded_sorted_reader.take(&rest, NULL, stacks, &n);
    for (size_t i = 0; i < n; i++)
        is_good &= !(stacks[i].flags & BRZ_SORTED_ODD) || !has_mangled(&stacks[i]);
    free(copy);
    return is_good && n > 0 && rest.len == 0;
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
        "a;camlX 1\na;camlY__f_1 1\n",
        "a;caml 1\na;camlY__f_1 1\n",
        "a;caml 1\na;camlX 1\na;camlY__f_1 1\n", /* of two lines before */
        "a;caml 1\nb;caml 1\nb;camlY__f_1 1\n",  /* in another place than the line before that */
        "a;xml;caml 1\na;xml;camlY__f_1 1\n",    /* after others in the same line */
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

/* Takes a line with a name of 70 bytes, which has two bytes at a place. Returns whether the line is
 * plain, and its flags. */
static bool take_pair(int at, const char *pair, uint32_t *flags)
{
    char slack[256] = {0}, *line = slack + 64;
    brz_sorted_stack stack;
    size_t n = 1;
    memset(line, 'x', 70);
    memcpy(line + at, pair, 2);
    memcpy(line + 70, " 1\n", 3);
    brz_str text = brz_str_of(line, 73);
    bool is_plain = folded_sorted_reader.take(&text, NULL, &stack, &n) && n == 1;
    *flags = is_plain ? stack.flags : 0;
    return is_plain;
}

/* Pairs of bytes are found wherever they are, also where a vector ends. */
static void every_pair_of_bytes_is_checked(void **state)
{
    (void)state;
    static const char *const bad[] = {";;", "; ", " ;", "  ", "\"x", "x\177", "x\200", "\001x"};
    static const char *const odd[] = {"_Z", "_R", "ml"}, *const good[] = {"x;", "_z", "lm", "Z_"};
    uint32_t flags;
    for (int at = 1; at < 66; at++) {
        for (size_t i = 0; i < COUNT_OF(bad); i++)
            assert_false(take_pair(at, bad[i], &flags));
        for (size_t i = 0; i < COUNT_OF(odd); i++)
            assert_true(take_pair(at, odd[i], &flags) && flags == BRZ_SORTED_ODD);
        for (size_t i = 0; i < COUNT_OF(good); i++)
            assert_true(take_pair(at, good[i], &flags) && flags == 0);
    }
}

static void counts_have_up_to_fifteen_digits(void **state)
{
    (void)state;
    static const char digits[] = "987654321012345";
    for (int n = 1; n <= 15; n++) {
        char slack[256] = {0}, *line = slack + 64;
        brz_sorted_stack stack;
        size_t one = 1;
        uint64_t want = strtoull(digits + 15 - n, NULL, 10);
        int len = snprintf(line, 100, "a %llu\n", (unsigned long long)want);
        brz_str text = brz_str_of(line, (size_t)len);
        if (want == 0)
            continue;
        assert_true(folded_sorted_reader.take(&text, NULL, &stack, &one));
        assert_int_equal(one, 1);
        assert_int_equal(stack.count, want);
        assert_int_equal(stack.len, 1);
    }
}

static void lines_are_taken_one_by_one(void **state)
{
    (void)state;
    char slack[256] = "a;b c 12\nd 7\nrest";
    brz_sorted_stack stacks[3];
    size_t n = 1;
    brz_str text = brz_str_of(slack, strlen(slack));
    assert_true(folded_sorted_reader.take(&text, NULL, stacks, &n));
    assert_int_equal(n, 1);
    assert_text(brz_str_of(stacks[0].names, stacks[0].len), "a;b c");
    assert_int_equal(stacks[0].count, 12);
    n = COUNT_OF(stacks);
    brz_sorted_stack before = stacks[0];
    assert_true(folded_sorted_reader.take(&text, &before, stacks, &n));
    assert_int_equal(n, 1);
    assert_int_equal(stacks[0].count, 7);
    assert_text(text, "rest");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorted_lines_are_plain),
        cmocka_unit_test(other_lines_are_not_plain),
        cmocka_unit_test(every_byte_is_checked),
        cmocka_unit_test(every_pair_of_bytes_is_checked),
        cmocka_unit_test(counts_have_up_to_fifteen_digits),
        cmocka_unit_test(lines_are_taken_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
