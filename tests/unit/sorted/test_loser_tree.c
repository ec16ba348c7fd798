/* SPDX-License-Identifier: MIT */
/* Tests the tree of losers: stacks of several sorted texts are taken in order. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "sorted/loser_tree.h"

#define TEXTS_MAX  40
#define STACKS_MAX 60
#define SLACK      4 /* readable bytes after the last stack */

/* The stacks of a text, in order, and the next one. */
typedef struct text {
    char stacks[STACKS_MAX + SLACK][12];
    size_t n, next;
} text;

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Fills a text with different random stacks of few letters. */
static void fill(text *t, unsigned *seed)
{
    size_t n = (size_t)rand_r(seed) % STACKS_MAX;
    t->n = t->next = 0;
    for (size_t i = 0; i < n; i++) {
        size_t len = 1 + (size_t)rand_r(seed) % 10;
        memset(t->stacks[i], 0, sizeof t->stacks[i]);
        for (size_t k = 0; k < len; k++)
            t->stacks[i][k] = "a;\xff"[(size_t)rand_r(seed) % (rand_r(seed) % 4 == 0 ? 3 : 1)];
    }
    qsort(t->stacks, n, sizeof *t->stacks, compare);
    for (size_t i = 0; i < n; i++)
        if (t->n == 0 || strcmp(t->stacks[t->n - 1], t->stacks[i]) != 0)
            memmove(t->stacks[t->n++], t->stacks[i], sizeof *t->stacks);
}

static size_t shared_bytes(brz_str a, brz_str b)
{
    size_t n = 0;
    while (n < a.len && n < b.len && a.data[n] == b.data[n])
        n++;
    return n;
}

/* Gives the next stack of a text to its player. */
static void advance(brz_loser_tree *tree, text *texts, uint32_t i)
{
    brz_player *p = &tree->players[i];
    text *t = &texts[i];
    p->is_over = t->next == t->n;
    if (p->is_over)
        return;
    brz_str next = brz_str_of(t->stacks[t->next], strlen(t->stacks[t->next]));
    t->next++;
    p->shared = shared_bytes(p->stack, next);
    p->stack = next;
}

static size_t count(const text *texts, uint32_t n)
{
    size_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += texts[i].n;
    return sum;
}

static void merge(text *texts, uint32_t n)
{
    brz_loser_tree tree;
    const char *last = "";
    size_t taken = 0;
    brz_loser_tree_init(&tree, n);
    for (uint32_t i = 0; i < n; i++) {
        tree.players[i].stack = BRZ_STR("");
        advance(&tree, texts, i);
        tree.players[i].shared = 0;
    }
    brz_loser_tree_begin(&tree);
    for (uint32_t i; i = brz_loser_tree_first(&tree), !tree.players[i].is_over;) {
        const brz_player *p = &tree.players[i];
        assert_true(strcmp(last, p->stack.data) <= 0);
        brz_str before = brz_str_of(last, strlen(last));
        assert_int_equal(p->shared, shared_bytes(before, p->stack));
        last = p->stack.data;
        taken++;
        advance(&tree, texts, i);
        brz_loser_tree_replay(&tree);
    }
    assert_int_equal(taken, count(texts, n));
    brz_loser_tree_finish(&tree);
}

static void stacks_are_taken_in_order(void **state)
{
    (void)state;
    static text texts[TEXTS_MAX];
    unsigned seed = 1;
    for (int round = 0; round < 300; round++) {
        uint32_t n = 1 + (uint32_t)rand_r(&seed) % TEXTS_MAX;
        for (uint32_t i = 0; i < n; i++)
            fill(&texts[i], &seed);
        merge(texts, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stacks_are_taken_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
