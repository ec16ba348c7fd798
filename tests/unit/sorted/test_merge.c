/* SPDX-License-Identifier: MIT */
/* Tests the merge of sorted inputs: sums, comparisons, and what ends it. */
#include "sorted_text.h"

#include "sorted/merge.h"

#define INPUTS_MAX 4

/* Inputs, and how they are merged. */
typedef struct merge {
    const char *texts[INPUTS_MAX];
    size_t piece;
    bool compares, stops;
    uint64_t most;
    keeper out;
} merge;

/* Implements brz_sorted_writer.put. */
static char *put(char *to, brz_str names, const uint64_t *counts, size_t n)
{
    memcpy(to, names.data, names.len);
    to += names.len;
    for (size_t i = 0; i < n; i++)
        to += sprintf(to, " %llu", (unsigned long long)counts[i]);
    *to++ = '\n';
    return to;
}

static const brz_sorted_writer writer = {.struct_size = sizeof writer, .room = 64, .put = put};

static brz_merge_end run(merge *c)
{
    sorted_text texts[INPUTS_MAX];
    brz_sorted_merge m;
    atomic_bool stop = c->stops;
    uint32_t n = 0;
    while (n < INPUTS_MAX && c->texts[n] != NULL)
        n++;
    brz_sorted_merge_init(&m, n, &writer, &stop);
    m.compares = c->compares;
    m.most = c->most > 0 ? c->most : UINT64_MAX;
    for (uint32_t i = 0; i < n; i++) {
        sorted_text_init(&texts[i], c->texts[i], c->piece);
        brz_sorted_merge_open(&m, i, &brz_record_reader, 16, sorted_text_fill, &texts[i]);
    }
    brz_buf_clear(&c->out.text);
    brz_merge_end end = brz_sorted_merge_write(&m, &c->out.base);
    brz_sorted_merge_finish(&m);
    return end;
}

static void check(merge *c, brz_merge_end end, const char *want)
{
    assert_int_equal(run(c), end);
    assert_string_equal(brz_buf_text(&c->out.text), want);
}

static void counts_are_added_for_any_size_of_pieces(void **state)
{
    (void)state;
    merge c = {.texts = {"a 1\na;b 2\nc;d;e 3\n", "a;b 5\n", "a;bb 7\nc;d 1\nc;d;e 10\n"}};
    keeper_init(&c.out);
    for (c.piece = 1; c.piece < 60; c.piece++)
        check(&c, BRZ_MERGE_DONE, "a 1\na;b 7\na;bb 7\nc;d 1\nc;d;e 13\n");
    keeper_finish(&c.out);
}

static void counts_of_two_inputs_are_compared(void **state)
{
    (void)state;
    merge c = {.texts = {"a 1\nb 2\n", "b 5\nc 9\n"}, .piece = 30, .compares = true};
    keeper_init(&c.out);
    check(&c, BRZ_MERGE_DONE, "a 1 0\nb 2 5\nc 0 9\n");
    keeper_finish(&c.out);
}

/* Two texts are merged without a tree. */
static void two_inputs_are_added_for_any_size_of_pieces(void **state)
{
    (void)state;
    merge c = {
        .texts = {"a 1\na;b 2\na;c 1\nc;d;e 3\n", "a;b 5\na;bb 7\nb 4\nc;d 1\nc;d;e 10\nd 1\n"}};
    keeper_init(&c.out);
    for (c.piece = 1; c.piece < 60; c.piece++) {
        c.compares = false;
        check(&c, BRZ_MERGE_DONE, "a 1\na;b 7\na;bb 7\na;c 1\nb 4\nc;d 1\nc;d;e 13\nd 1\n");
        c.compares = true;
        check(&c, BRZ_MERGE_DONE,
              "a 1 0\na;b 2 5\na;bb 0 7\na;c 1 0\nb 0 4\nc;d 0 1\nc;d;e 3 10\nd 0 1\n");
    }
    keeper_finish(&c.out);
}

static void a_sum_that_is_too_large_needs_a_profile(void **state)
{
    (void)state;
    merge c = {.texts = {"a 5\n", "a 6\n"}, .piece = 90, .most = 11};
    keeper_init(&c.out);
    check(&c, BRZ_MERGE_DONE, "a 11\n");
    c.most = 10;
    assert_int_equal(run(&c), BRZ_MERGE_NOT_PLAIN);
    c.texts[2] = "b 1\n"; /* by a tree */
    assert_int_equal(run(&c), BRZ_MERGE_NOT_PLAIN);
    c.most = 11;
    check(&c, BRZ_MERGE_DONE, "a 11\nb 1\n");
    c = (merge){.texts = {"a 9223372036854775807\n", "b 1\n"}, .piece = 90, .out = c.out};
    assert_int_equal(run(&c), BRZ_MERGE_NOT_PLAIN);
    c.texts[2] = "c 1\n";
    assert_int_equal(run(&c), BRZ_MERGE_NOT_PLAIN);
    keeper_finish(&c.out);
}

static void errors_end_the_merge(void **state)
{
    (void)state;
    merge c = {.texts = {"a 5\n", "b 6\n"}, .piece = 0};
    keeper_init(&c.out);
    check(&c, BRZ_MERGE_UNREAD, "");
    c.piece = 90;
    c.out.limit = 1;
    assert_int_equal(run(&c), BRZ_MERGE_UNWRITTEN);
    c.out.limit = SIZE_MAX;
    c.stops = true;
    assert_int_equal(run(&c), BRZ_MERGE_STOPPED);
    keeper_finish(&c.out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_added_for_any_size_of_pieces),
        cmocka_unit_test(counts_of_two_inputs_are_compared),
        cmocka_unit_test(two_inputs_are_added_for_any_size_of_pieces),
        cmocka_unit_test(a_sum_that_is_too_large_needs_a_profile),
        cmocka_unit_test(errors_end_the_merge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
