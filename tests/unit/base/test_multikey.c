/* SPDX-License-Identifier: MIT */
/* Tests multikey quicksort: it gives the order of qsort, however similar the sequences are. */
#include "unit.h"

#include "base/multikey.h"

#define MOST    3000
#define LONGEST 40

/* Sequences of small numbers. */
typedef struct sequences {
    size_t n;
    uint32_t numbers[MOST][LONGEST];
    size_t len[MOST];
} sequences;

static uint64_t key_of(const void *what, uint32_t item, size_t depth)
{
    const sequences *s = what;
    if (depth > 0 && depth >= s->len[item])
        fail_msg("key %zu of a sequence of %zu", depth, s->len[item]);
    uint64_t number = depth < s->len[item] ? s->numbers[item][depth] : 0;
    return number << 1 | (depth + 1 < s->len[item]);
}

/* Compares keys by their numbers; a prefix comes before the longer key. */
static int compare(const sequences *s, uint32_t a, uint32_t b)
{
    for (size_t depth = 0;; depth++) {
        uint64_t x = key_of(s, a, depth), y = key_of(s, b, depth);
        if (x != y)
            return x < y ? -1 : 1;
        if ((x & 1) == 0)
            return 0;
    }
}

static int compare_items(const void *a, const void *b, void *s)
{
    return compare(s, *(const uint32_t *)a, *(const uint32_t *)b);
}

/* Sorts with both functions and compares the results; equal sequences may be in any order, but each
 * item must be present. */
static void check(const sequences *s)
{
    static brz_multikey_item items[MOST];
    static uint32_t wanted[MOST];
    static bool seen[MOST];
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < s->n; i++) {
        wanted[i] = i;
        items[i] = (brz_multikey_item){.item = i};
    }
    qsort_r(wanted, s->n, sizeof *wanted, compare_items, (void *)(uintptr_t)s);
    brz_multikey_sort(items, s->n, key_of, s);
    for (size_t i = 0; i < s->n; i++) {
        assert_int_equal(compare(s, items[i].item, wanted[i]), 0);
        assert_false(seen[items[i].item]);
        seen[items[i].item] = true;
    }
}

static sequences s;

/* Fills random sequences of `numbers` different numbers; each sequence shares up to `alike` numbers
 * with the beginning of the previous one. */
static void fill(dice *d, size_t n, size_t longest, uint32_t numbers, size_t alike)
{
    s.n = n;
    for (size_t i = 0; i < n; i++) {
        s.len[i] = roll_below(d, longest + 1);
        for (size_t k = 0; k < s.len[i]; k++)
            s.numbers[i][k] = (uint32_t)roll_below(d, numbers);
        size_t same = i == 0 ? 0 : roll_below(d, alike + 1);
        same = same < s.len[i] ? same : s.len[i];
        if (same > 0)
            memcpy(s.numbers[i], s.numbers[i - 1], same * sizeof s.numbers[i][0]);
    }
}

static void random_sequences_come_out_as_qsort_sorts_them(void **state)
{
    (void)state;
    static const struct {
        size_t n, longest;
        uint32_t numbers;
        size_t alike;
    } cases[] = {
        {0, 3, 3, 0},    {1, 3, 3, 0},       {2, 3, 2, 0},      {11, 3, 2, 0},
        {12, 3, 2, 0},   {13, 3, 2, 0},      {100, 1, 50, 0},   {100, 8, 1, 0},
        {1000, 6, 2, 0}, {MOST, 5, 1000, 0}, {MOST, 40, 2, 40}, {MOST, 40, 3, 38},
        {MOST, 2, 2, 0}, {MOST, 0, 1, 0},    {MOST, 40, 1, 0},  {500, 40, 100000, 39},
    };
    dice d = {3};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (int round = 0; round < 20; round++) {
            fill(&d, cases[i].n, cases[i].longest, cases[i].numbers, cases[i].alike);
            check(&s);
        }
}

static void small_sets_of_every_size_are_sorted(void **state)
{
    (void)state;
    dice d = {4};
    for (size_t n = 0; n < 60; n++)
        for (int round = 0; round < 100; round++) {
            fill(&d, n, 4, 3, 3);
            check(&s);
        }
}

/* Tests patterns that are hard for quicksorts: organ pipes, ramps and runs. */
static void regular_patterns_are_sorted(void **state)
{
    (void)state;
    s.n = MOST;
    for (int pattern = 0; pattern < 6; pattern++) {
        for (uint32_t i = 0; i < MOST; i++) {
            uint32_t v[] = {i, MOST - i, i < MOST / 2 ? i : MOST - i, i % 2, i % 17, 5};
            s.len[i] = 3;
            s.numbers[i][0] = 1;
            s.numbers[i][1] = v[pattern];
            s.numbers[i][2] = v[(pattern + 1) % 6];
        }
        check(&s);
    }
}

/* Tests concatenated sorted blocks with `swaps` exchanged elements. */
static void sorted_runs_are_put_in_order(void **state)
{
    (void)state;
    dice d = {6};
    for (int round = 0; round < 300; round++) {
        size_t size = 1 + roll_below(&d, 700), blocks = MOST / size, swaps = roll_below(&d, 6);
        uint32_t place[MOST];
        for (uint32_t b = 0; b < blocks; b++)
            place[b] = b;
        for (size_t k = 0; k < swaps; k++) {
            size_t i = roll_below(&d, blocks), j = roll_below(&d, blocks);
            uint32_t other = place[i];
            place[i] = place[j];
            place[j] = other;
        }
        s.n = blocks * size;
        for (uint32_t i = 0; i < s.n; i++) {
            uint32_t value = place[i / size] * (uint32_t)size + i % (uint32_t)size;
            s.len[i] = 3;
            s.numbers[i][0] = 7;
            s.numbers[i][1] = value / 5;
            s.numbers[i][2] = value % 5 == 4 ? 3 : value % 5; /* some are equal */
        }
        if (round % 3 == 0) /* one element in the wrong run */
            s.numbers[roll_below(&d, s.n)][1] = (uint32_t)roll_below(&d, s.n);
        check(&s);
    }
}

static size_t calls;

static uint64_t long_key(const void *what, uint32_t item, size_t depth)
{
    const size_t *len = what;
    calls++;
    bool last = depth + 1 >= *len;
    return (last ? (uint64_t)item << 1 : 2) | !last;
}

/* Tests many equal keys before the differing one: recursion depth and time stay bounded. */
static void long_equal_beginnings_do_not_deepen_the_recursion(void **state)
{
    (void)state;
    enum { N = 40 };
    size_t len = 200000;
    brz_multikey_item items[N];
    for (uint32_t i = 0; i < N; i++)
        items[i] = (brz_multikey_item){.item = N - 1 - i};
    calls = 0;
    brz_multikey_sort(items, N, long_key, &len);
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(items[i].item, i);
    assert_true(calls < (size_t)4 * N * len);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sequences_come_out_as_qsort_sorts_them),
        cmocka_unit_test(small_sets_of_every_size_are_sorted),
        cmocka_unit_test(regular_patterns_are_sorted),
        cmocka_unit_test(sorted_runs_are_put_in_order),
        cmocka_unit_test(long_equal_beginnings_do_not_deepen_the_recursion),
    };
    return cmocka_run_group_tests_name("multikey", tests, NULL, NULL);
}
