/* SPDX-License-Identifier: MIT */
/* Tests the order of stacks against a comparison rank by rank, whatever runs they come in. */
#include "unit.h"

#include "profile/stack_order.h"

#define FRAMES  12
#define LONGEST 30

/* Frames 2n and 2n + 1 have the same name. Ranks are multiples of a number. */
static void make_ranks(brz_frame_rank *ranks, uint32_t times)
{
    for (uint32_t i = 0; i < FRAMES; i++)
        ranks[i] = (brz_frame_rank){
            .inner = (i / 2 * 2 + 2) * times, .leaf = (i / 2 * 2 + 1) * times, .label = i / 2};
}

/* Returns a profile with the frames. */
static brz_profile *new_profile(void)
{
    brz_profile *p = brz_profile_create();
    for (uint32_t i = 0; i < FRAMES; i++) {
        brz_frame_desc d = {.struct_size = sizeof d, .name = BRZ_STR("f"), .line = i + 1};
        assert_int_equal(brz_profile_add_frame(p, &d), i);
    }
    return p;
}

static uint64_t random_below(uint64_t *state, uint64_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (*state >> 33) % n;
}

static uint32_t rank_at(const brz_frame_rank *ranks, const brz_profile_stack *s, uint32_t i)
{
    const brz_frame_rank *r = &ranks[s->frames[i]];
    return i + 1 < s->n ? r->inner : r->leaf;
}

/* Returns the number of leading frames with equal ranks, and how the stacks compare. */
static uint32_t compare(const brz_frame_rank *ranks, const brz_profile_stack *a,
                        const brz_profile_stack *b, int *order)
{
    uint32_t i = 0;
    for (; i < a->n && i < b->n; i++) {
        uint32_t x = rank_at(ranks, a, i), y = rank_at(ranks, b, i);
        *order = x < y ? -1 : 1;
        if (x != y)
            return i;
    }
    *order = a->n < b->n ? -1 : a->n > b->n;
    return i;
}

/* Adds a stack that begins like the previous one. */
static void add_stack(brz_profile *p, uint64_t *state)
{
    brz_frame ids[LONGEST];
    size_t n = random_below(state, LONGEST + 1), kept = 0;
    if (p->n_stacks > 0) {
        const brz_profile_stack *before = &p->stacks[p->n_stacks - 1];
        kept = random_below(state, (before->n < n ? before->n : n) + 1);
        memcpy(ids, before->frames, kept * sizeof *ids);
    }
    for (size_t i = kept; i < n; i++)
        ids[i] = (brz_frame)random_below(state, FRAMES);
    brz_profile_add_stack(p, ids, n, 0);
}

/* Checks the order of stacks and their keys, which are all 0 unless the sorting returned `keyed`.
 */
static void check(const brz_profile *p, const brz_frame_rank *ranks, const brz_multikey_item *order,
                  bool keyed)
{
    bool *seen = calloc(p->n_stacks, sizeof *seen);
    for (size_t i = 0; i < p->n_stacks; i++) {
        assert_false(seen[order[i].item]);
        seen[order[i].item] = true;
        if (i == 0) {
            assert_int_equal(order[0].key, 0);
            continue;
        }
        int d;
        uint32_t shared =
            compare(ranks, &p->stacks[order[i - 1].item], &p->stacks[order[i].item], &d);
        assert_true(d <= 0);
        assert_int_equal(order[i].key, keyed ? shared : 0);
    }
    free(seen);
}

/* Copies the stacks into a profile in `n_runs` sorted runs, each with every n_runs-th stack. */
static brz_profile *in_runs(const brz_profile *p, const brz_multikey_item *order, size_t n_runs)
{
    brz_profile *runs = new_profile();
    for (size_t run = 0; run < n_runs; run++)
        for (size_t i = run; i < p->n_stacks; i += n_runs) {
            const brz_profile_stack *s = &p->stacks[order[i].item];
            brz_profile_add_stack(runs, s->frames, s->n, 0);
        }
    return runs;
}

static void check_runs(uint32_t times)
{
    static const size_t sizes[] = {0, 1, 2, 3, 200, 2000}, runs[] = {1, 2, 3, 5, 16, 500};
    brz_frame_rank ranks[FRAMES];
    uint64_t seed = 1;
    make_ranks(ranks, times);
    for (size_t size = 0; size < COUNT_OF(sizes); size++) {
        brz_profile *p = new_profile();
        for (size_t i = 0; i < sizes[size]; i++)
            add_stack(p, &seed);
        brz_multikey_item *order = calloc(p->n_stacks + 1, sizeof *order);
        brz_multikey_item *again = calloc(p->n_stacks + 1, sizeof *again);
        bool keyed = brz_stack_order_sort(p, ranks, order);
        assert_true(keyed ? sizes[size] <= 3 : sizes[size] >= 2);
        check(p, ranks, order, keyed);
        for (size_t i = 0; i < COUNT_OF(runs); i++) {
            brz_profile *q = in_runs(p, order, runs[i]);
            keyed = brz_stack_order_sort(q, ranks, again);
            assert_true(keyed || runs[i] > q->n_stacks / 64);
            check(q, ranks, again, keyed);
            brz_profile_destroy(q);
        }
        free(again);
        free(order);
        brz_profile_destroy(p);
    }
}

static void stacks_in_any_number_of_runs_are_sorted(void **state)
{
    (void)state;
    check_runs(1);
}

static void large_ranks_are_sorted(void **state)
{
    (void)state;
    check_runs(UINT32_MAX / (FRAMES + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_in_any_number_of_runs_are_sorted),
        cmocka_unit_test(large_ranks_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
