/* SPDX-License-Identifier: MIT */
/* Tests that stacks are read through a buffer of any size, and what ends the reading. */
#include "sorted_text.h"

static const char lines[] =
    "a 1\na;b 2\na;bb 3\na;bb;c 999999999999999\nb;c;d;e;f;g;h;i;j;k 5\nz 6\n";

/* Reads all stacks. Appends them to `to`, with the bytes that each shares with the one before. */
static brz_sorted_state read_all(sorted_text *t, size_t buffer, brz_buf *to)
{
    brz_sorted_source s;
    const brz_sorted_stack *x;
    sorted_text_open(t, &s, buffer);
    while ((x = brz_sorted_next(&s)) != NULL)
        brz_buf_printf(to, "%.*s %u %u\n", (int)x->len, x->names, (unsigned)(x->count % 1000),
                       x->shared);
    brz_sorted_state state = s.state;
    brz_sorted_source_finish(&s);
    return state;
}

static void stacks_are_read_for_any_size_of_pieces(void **state)
{
    (void)state;
    sorted_text t;
    sorted_text_init(&t, lines, 1);
    for (t.piece = 1; t.piece < 40; t.piece++)
        for (size_t buffer = 1; buffer < 200; buffer += 23) {
            brz_buf b = {0};
            assert_int_equal(read_all(&t, buffer, &b), BRZ_SORTED_OVER);
            assert_string_equal(brz_buf_text(&b), "a 1 0\na;b 2 1\na;bb 3 3\na;bb;c 999 4\n"
                                                  "b;c;d;e;f;g;h;i;j;k 5 0\nz 6 0\n");
            brz_buf_finish(&b);
        }
}

/* Takes the records, and says that each may have mangled names. */
static bool take_odd(brz_str *text, const brz_sorted_stack *before, brz_sorted_stack *to, size_t *n)
{
    bool is_good = brz_record_reader.take(text, before, to, n);
    for (size_t i = 0; i < *n; i++)
        to[i].flags = BRZ_SORTED_ODD;
    return is_good;
}

static void a_mangled_name_needs_a_collapser(void **state)
{
    (void)state;
    brz_sorted_reader odd = brz_record_reader;
    odd.take = take_odd;
    static const char *const first[] = {"_Z1fv 1\n", "a;_Z1fv 1\n", "a;m`_Z1fv;b 1\n",
                                        "a;camlList__map_1 1\n"};
    for (size_t i = 0; i < COUNT_OF(first); i++) {
        sorted_text t;
        brz_sorted_source s;
        sorted_text_init(&t, first[i], 90);
        sorted_text_open(&t, &s, 64);
        s.reader = &odd;
        assert_null(brz_sorted_next(&s));
        assert_int_equal(s.state, BRZ_SORTED_NOT_PLAIN);
        brz_sorted_source_finish(&s);
    }
}

static void names_that_look_mangled_are_plain(void **state)
{
    (void)state;
    brz_sorted_reader odd = brz_record_reader;
    odd.take = take_odd;
    sorted_text t;
    brz_sorted_source s;
    sorted_text_init(&t, "a_Z1f;_IO_Read;html 1\n", 90);
    sorted_text_open(&t, &s, 64);
    s.reader = &odd;
    assert_non_null(brz_sorted_next(&s));
    assert_null(brz_sorted_next(&s));
    assert_int_equal(s.state, BRZ_SORTED_OVER);
    brz_sorted_source_finish(&s);
}

static void an_input_without_stacks_needs_a_collapser(void **state)
{
    (void)state;
    sorted_text t;
    brz_buf b = {0};
    sorted_text_init(&t, "", 9);
    assert_int_equal(read_all(&t, 64, &b), BRZ_SORTED_NOT_PLAIN);
    brz_buf_finish(&b);
}

static void a_record_that_is_cut_off_needs_a_collapser(void **state)
{
    (void)state;
    sorted_text t;
    sorted_text_init(&t, lines, 9);
    t.n--;
    brz_buf b = {0};
    assert_int_equal(read_all(&t, 64, &b), BRZ_SORTED_NOT_PLAIN);
    brz_buf_finish(&b);
}

static void a_record_that_exceeds_the_buffer_needs_a_collapser(void **state)
{
    (void)state;
    sorted_text t;
    brz_sorted_source s;
    sorted_text_init(&t, lines, 90);
    sorted_text_open(&t, &s, 16);
    s.cap_max = 32;
    while (brz_sorted_next(&s) != NULL)
        continue;
    assert_int_equal(s.state, BRZ_SORTED_NOT_PLAIN);
    brz_sorted_source_finish(&s);
}

/* Takes the records, and breaks the promise that the first count is above 0. */
static bool take_badly(brz_str *text, const brz_sorted_stack *before, brz_sorted_stack *to,
                       size_t *n)
{
    bool is_good = brz_record_reader.take(text, before, to, n);
    to[0].count = 0;
    return is_good;
}

static void records_of_a_bad_reader_need_a_collapser(void **state)
{
    (void)state;
    brz_sorted_reader bad = brz_record_reader;
    bad.take = take_badly;
    sorted_text t;
    brz_sorted_source s;
    sorted_text_init(&t, "a 1\n", 90);
    sorted_text_open(&t, &s, 64);
    s.reader = &bad;
    assert_null(brz_sorted_next(&s));
    assert_int_equal(s.state, BRZ_SORTED_NOT_PLAIN);
    brz_sorted_source_finish(&s);
}

static void an_error_ends_the_reading(void **state)
{
    (void)state;
    sorted_text t;
    sorted_text_init(&t, lines, 0);
    brz_buf b = {0};
    assert_int_equal(read_all(&t, 64, &b), BRZ_SORTED_FAILED);
    assert_int_equal(b.len, 0);
    brz_buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_are_read_for_any_size_of_pieces),
        cmocka_unit_test(a_mangled_name_needs_a_collapser),
        cmocka_unit_test(names_that_look_mangled_are_plain),
        cmocka_unit_test(an_input_without_stacks_needs_a_collapser),
        cmocka_unit_test(a_record_that_is_cut_off_needs_a_collapser),
        cmocka_unit_test(a_record_that_exceeds_the_buffer_needs_a_collapser),
        cmocka_unit_test(records_of_a_bad_reader_need_a_collapser),
        cmocka_unit_test(an_error_ends_the_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
