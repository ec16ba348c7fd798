/* SPDX-License-Identifier: MIT */
/* Tests that names are numbered in the order in which they first occur, by every function. */
#include "unit.h"

#include "sorted/name_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 3000, LONGEST = 70 };

/* Writes name number `i`, whose length is up to LONGEST; some names differ only at their end. */
static size_t write_name(char *to, size_t i)
{
    size_t n = 1 + i * 7 % (LONGEST - 8);
    memset(to, 'a' + (char)(i % 3), n);
    return n + (size_t)snprintf(to + n, 8, "%zu", i);
}

/* Finds and numbers names of a line, like brz_name_find_fn. */
static size_t number(brz_name_functions f, brz_name_numbers *t, brz_str line, size_t start,
                     uint32_t *ends, uint32_t *numbers, size_t room)
{
    brz_found_name *found = malloc(room * sizeof *found);
    size_t n = f.find(t, line, start, ends, found, room);
    f.number(t, found, n, numbers);
    free(found);
    return n;
}

static void names_are_numbered_in_order(brz_name_functions f)
{
    brz_name_numbers t;
    char *text = calloc(1, (size_t)LONGEST * NAMES + 64);
    uint32_t *ends = malloc(NAMES * sizeof *ends), *numbers = malloc(NAMES * sizeof *numbers);
    uint32_t want[NAMES], found[1], end[1];
    size_t at = 0;
    for (size_t i = 0; i < NAMES; i++) {
        at += write_name(text + at, i);
        want[i] = (uint32_t)at;
        text[at++] = ';';
    }
    brz_str line = brz_str_of(text, at - 1);
    brz_arena texts = {0};
    brz_name_numbers_init(&t, &texts);
    for (int again = 0; again < 2; again++) {
        assert_int_equal(number(f, &t, line, 0, ends, numbers, NAMES + 1), NAMES);
        assert_memory_equal(ends, want, sizeof want);
        for (uint32_t i = 0; i < NAMES; i++)
            assert_int_equal(numbers[i], i);
    }
    assert_int_equal(number(f, &t, line, (size_t)ends[41] + 1, end, found, 1), 1);
    assert_int_equal(found[0], 42);
    assert_int_equal(end[0], ends[42]);
    assert_int_equal(t.n, NAMES);
    brz_name_cursor cursor = {0, 0};
    for (size_t i = 0, start = 0; i < NAMES; start = (size_t)ends[i++] + 1) {
        brz_str name = brz_name_numbers_next(&t, &cursor);
        assert_int_equal(name.len, ends[i] - start);
        assert_memory_equal(name.data, text + start, name.len);
        assert_int_equal(name.data[name.len], '\0');
    }
    brz_name_numbers_finish(&t);
    brz_arena_finish(&texts);
    free(text);
    free(ends);
    free(numbers);
}

/* A name may end with the line at any place, whatever follows there. */
static void names_end_with_the_line(brz_name_functions f)
{
    char text[2 * LONGEST];
    uint32_t end, found;
    brz_name_numbers t;
    brz_arena texts = {0};
    memset(text, 'n', sizeof text);
    for (size_t len = 1; len < LONGEST; len++) {
        text[len] = len % 2 == 0 ? ';' : ' ';
        brz_name_numbers_init(&t, &texts);
        assert_int_equal(number(f, &t, brz_str_of(text, len), 0, &end, &found, 1), 1);
        assert_int_equal(end, len);
        assert_int_equal(brz_name_numbers_next(&t, &(brz_name_cursor){0, 0}).len, len);
        brz_name_numbers_finish(&t);
        text[len] = 'n';
    }
    brz_arena_finish(&texts);
}

static void every_processor_numbers_names(void **state)
{
    (void)state;
    names_are_numbered_in_order(brz_name_functions_portable());
    names_end_with_the_line(brz_name_functions_portable());
}

static void this_processor_numbers_names(void **state)
{
    (void)state;
    names_are_numbered_in_order(brz_name_functions_best());
    names_end_with_the_line(brz_name_functions_best());
}

/* A name may be longer than a piece of memory for names, and short ones follow it. */
static void long_names_have_memory_of_their_own(void **state)
{
    (void)state;
    enum { LONG = 20000 };
    char *text = calloc(1, LONG + 64);
    uint32_t numbers[4], ends[4];
    static const size_t lengths[] = {1, LONG, 1, 2};
    brz_name_numbers t;
    brz_arena texts = {0};
    memset(text, 'n', LONG + 8);
    memcpy(text, "a;", 2);
    memcpy(text + 2 + LONG, ";b;cc", 5);
    brz_name_numbers_init(&t, &texts);
    assert_int_equal(
        number(brz_name_functions_best(), &t, brz_str_of(text, LONG + 7), 0, ends, numbers, 4), 4);
    brz_name_cursor cursor = {0, 0};
    for (uint32_t i = 0; i < 4; i++) {
        brz_str name = brz_name_numbers_next(&t, &cursor);
        assert_int_equal(numbers[i], i);
        assert_int_equal(name.len, lengths[i]);
        assert_memory_equal(name.data, text + ends[i] - name.len, name.len);
    }
    brz_name_numbers_finish(&t);
    brz_arena_finish(&texts);
    free(text);
}

/* Names are equal whatever text follows them in the line. */
static void equal_names_have_one_number(void **state)
{
    (void)state;
    static const char line[] = "main;f;main;main f;f 12\nmain;ma                                 ";
    static const uint32_t want[] = {0, 1, 0, 2, 1}, want_ends[] = {4, 6, 11, 18, 20};
    uint32_t numbers[5], ends[5];
    brz_name_numbers t;
    brz_arena texts = {0};
    brz_name_numbers_init(&t, &texts);
    assert_int_equal(
        number(brz_name_functions_best(), &t, brz_str_of(line, 20), 0, ends, numbers, 5), 5);
    assert_memory_equal(numbers, want, sizeof want);
    assert_memory_equal(ends, want_ends, sizeof want_ends);
    brz_name_numbers_finish(&t);
    brz_arena_finish(&texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_processor_numbers_names),
        cmocka_unit_test(this_processor_numbers_names),
        cmocka_unit_test(long_names_have_memory_of_their_own),
        cmocka_unit_test(equal_names_have_one_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
