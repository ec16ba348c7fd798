/* SPDX-License-Identifier: MIT */
/* Tests profiles: interning, saturated sums, decimals, merging. */
#include "unit.h"

#include "profile/profile.h"

static brz_frame frame(brz_profile *p, const char *name)
{
    brz_frame_desc d = {.name = str_of(name)};
    return brz_profile_add_frame(p, &d);
}

static brz_profile *with_samples(void)
{
    brz_profile *p = brz_profile_create();
    brz_profile_add_weight(p, BRZ_STR("samples"), BRZ_STR("samples"), 0, 0);
    return p;
}

/* ---- frames -------------------------------------------------------------------------------- */

static void frames_are_equal_when_every_member_is(void **state)
{
    (void)state;
    const brz_frame_desc descs[] = {
        {.name = BRZ_STR("f")},
        {.name = BRZ_STR("g")},
        {.name = BRZ_STR("f"), .module = BRZ_STR("m")},
        {.name = BRZ_STR("f"), .file = BRZ_STR("m")},
        {.name = BRZ_STR("f"), .line = 1},
        {.name = BRZ_STR("f"), .kind = BRZ_KIND_KERNEL},
        {.name = BRZ_STR("f"), .kind = 77}, /* from a newer host, with an unknown kind */
        {.name = {NULL, 0}},
    };
    brz_profile *p = brz_profile_create();
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < COUNT_OF(descs); i++)
            assert_int_equal(brz_profile_add_frame(p, &descs[i]), i);
    for (brz_frame i = 0; i < COUNT_OF(descs); i++) {
        brz_frame_info info = brz_profile_frame_info(p, i);
        assert_int_equal(info.name.len, descs[i].name.len);
        assert_int_equal(info.module.len, descs[i].module.len);
        assert_int_equal(info.file.len, descs[i].file.len);
        assert_int_equal(info.line, descs[i].line);
        assert_int_equal(info.kind, descs[i].kind);
    }
    brz_profile_destroy(p);
}

static void many_frames_keep_their_ids(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 5000; i++) {
            brz_frame_desc d = {.name = BRZ_STR("f"), .line = i / 3, .kind = i % 3};
            assert_int_equal(brz_profile_add_frame(p, &d), i);
        }
    brz_profile_destroy(p);
}

/* ---- stacks -------------------------------------------------------------------------------- */

static void assert_stack(const brz_profile *p, brz_stack s, const brz_frame *ids, size_t n)
{
    assert_int_equal(p->stacks[s].n, n);
    if (n > 0)
        assert_memory_equal(p->stacks[s].frames, ids, n * sizeof *ids);
}

static void stacks_within_each_other_share_frames(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    brz_frame ids[200];
    for (uint32_t i = 0; i < COUNT_OF(ids); i++)
        ids[i] = brz_profile_add_frame(p, &(brz_frame_desc){.name = BRZ_STR("f"), .line = i + 1});
    for (size_t n = 0; n <= COUNT_OF(ids); n++)
        brz_profile_add_stack(p, ids, n, n > 0 ? BRZ_NESTED : 0);
    for (size_t n = COUNT_OF(ids); n-- > 0;)
        brz_profile_add_stack(p, ids, n, BRZ_NESTED);
    for (size_t s = 0; s < p->n_stacks; s++)
        assert_stack(p, (brz_stack)s, ids, s <= COUNT_OF(ids) ? s : 2 * COUNT_OF(ids) - s);
    assert_true(p->n_ids < 4 * COUNT_OF(ids));
    brz_profile *q = brz_profile_create();
    brz_profile_absorb(q, p);
    assert_true(q->n_ids < 4 * COUNT_OF(ids));
    brz_profile_destroy(q);
    q = brz_profile_create();
    brz_profile_absorb_distinct(q, p);
    assert_int_equal(q->n_stacks, COUNT_OF(ids) + 1);
    assert_true(q->n_ids < 4 * COUNT_OF(ids));
    for (size_t s = 0; s < q->n_stacks; s++)
        assert_stack(q, (brz_stack)s, ids, s);
    brz_profile_destroy(q);
    brz_profile_destroy(p);
}

static void a_stack_that_extends_a_part_of_another_keeps_that(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    brz_frame one[] = {frame(p, "a"), frame(p, "b"), frame(p, "c")};
    brz_frame other[] = {one[0], one[2]};
    brz_profile_add_stack(p, one, 1, 0);
    brz_profile_add_stack(p, one, 3, BRZ_NESTED);
    brz_profile_add_stack(p, one, 1, BRZ_NESTED);
    brz_profile_add_stack(p, other, 2, BRZ_NESTED);
    assert_stack(p, 0, one, 1);
    assert_stack(p, 1, one, 3);
    assert_stack(p, 2, one, 1);
    assert_stack(p, 3, other, 2);
    brz_profile_destroy(p);
}

static void interned_stacks_may_share_frames(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    brz_frame ids[100];
    for (uint32_t i = 0; i < COUNT_OF(ids); i++)
        ids[i] = brz_profile_add_frame(p, &(brz_frame_desc){.name = BRZ_STR("f"), .line = i + 1});
    for (size_t n = 1; n <= COUNT_OF(ids); n++)
        assert_int_equal(brz_profile_intern_stack(p, ids, n, n > 1 ? BRZ_NESTED : 0), n - 1);
    for (size_t n = COUNT_OF(ids); n > 0; n--)
        assert_int_equal(brz_profile_intern_stack(p, ids, n, BRZ_NESTED), n - 1);
    assert_true(p->n_ids < 4 * COUNT_OF(ids));
    for (size_t s = 0; s < p->n_stacks; s++)
        assert_stack(p, (brz_stack)s, ids, s + 1);
    brz_profile_destroy(p);
}

static void interned_stacks_are_stored_once(void **state)
{
    (void)state;
    enum { STACKS = 3000 };
    brz_profile *p = brz_profile_create();
    for (int i = 0; i < 3; i++) {
        char name[] = {(char)('a' + i), '\0'};
        frame(p, name);
    }
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < STACKS; i++) { /* i in base 3, of varying length */
            brz_frame ids[16];
            size_t n = 0;
            for (uint32_t v = i + 1; v > 0; v /= 3)
                ids[n++] = v % 3;
            assert_int_equal(brz_profile_intern_stack(p, ids, n, 0), i);
        }
    assert_int_equal(p->n_stacks, STACKS);
    brz_profile_destroy(p);
}

/* Returns a profile with 300 stacks of the frames a, b and c, whose values are 1. Every
 * `left_out`-th stack is missing; `first` rotates the frames. */
static brz_profile *with_many_stacks(uint32_t left_out, uint32_t first)
{
    brz_profile *p = brz_profile_create();
    for (uint32_t i = 0; i < 3; i++) {
        char name[] = {(char)('a' + (i + first) % 3), '\0'};
        frame(p, name);
    }
    brz_profile_add_weight(p, BRZ_STR("samples"), BRZ_STR(""), 0, 0);
    for (uint32_t i = 0; i < 300; i++) {
        brz_frame ids[16];
        size_t n = 0;
        for (uint32_t v = i; v > 0; v /= 3)
            ids[n++] = (v + 3 - first) % 3;
        if (i % left_out != 1)
            brz_profile_add_value(p, brz_profile_add_stack(p, ids, n, 0), 0, 1);
    }
    return p;
}

static int64_t sum_of(const brz_profile *p, uint32_t weight)
{
    int64_t sum = 0;
    for (size_t s = 0; s < p->n_stacks; s++)
        sum += brz_profile_value(p, (brz_stack)s, weight);
    return sum;
}

static void stacks_of_similar_profiles_are_stored_once(void **state)
{
    (void)state;
    brz_profile *p = with_many_stacks(5, 0);
    size_t n = p->n_stacks;
    assert_true(brz_profile_intern_all(p));
    for (uint32_t left_out = 3; left_out < 9; left_out++) {
        brz_profile *q = with_many_stacks(left_out, left_out % 3);
        int64_t before = sum_of(p, 0);
        brz_profile_absorb_distinct(p, q);
        assert_int_equal(sum_of(p, 0), before + (int64_t)q->n_stacks);
        brz_profile_destroy(q);
    }
    assert_true(p->n_stacks > n);
    assert_int_equal(p->n_stacks, 299); /* the second stack is missing everywhere */
    assert_int_equal(p->n_interned, p->n_stacks);
    brz_profile_destroy(p);
}

static void equal_stacks_are_not_interned_together(void **state)
{
    (void)state;
    brz_profile *p = with_many_stacks(5, 0);
    size_t n = p->n_stacks;
    brz_profile_add_stack(p, p->stacks[n / 2].frames, p->stacks[n / 2].n, 0);
    assert_false(brz_profile_intern_all(p));
    assert_int_equal(p->n_interned, 0);
    brz_profile_destroy(p);
}

static void columns_are_compared_with_and_without_a_table(void **state)
{
    (void)state;
    for (int interned = 0; interned < 2; interned++) {
        brz_profile *p = with_many_stacks(5, 0), *q = with_many_stacks(7, 1);
        if (interned)
            brz_profile_intern_all(p);
        brz_profile_add_value(p, 0, brz_profile_add_weight(p, BRZ_STR("other"), BRZ_STR(""), 0, 1),
                              7);
        brz_profile_keep_column(p, 0, BRZ_STR("before"));
        assert_int_equal(brz_profile_absorb_column(p, q, 0, BRZ_STR("after")), 1);
        assert_int_equal(p->n_weights, 2);
        assert_int_equal(brz_profile_find_weight(p, BRZ_STR("before")), 0);
        assert_int_equal(sum_of(p, 0), 240);
        assert_int_equal(sum_of(p, 1), q->n_stacks);
        brz_profile_destroy(q);
        brz_profile_destroy(p);
    }
}

static void empty_stacks_are_stacks(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    assert_int_equal(brz_profile_intern_stack(p, NULL, 0, 0), 0);
    assert_int_equal(brz_profile_intern_stack(p, NULL, 0, BRZ_LEAF_FIRST), 0);
    assert_int_equal(brz_profile_add_stack(p, NULL, 0, 0), 1);
    assert_int_equal(p->n_stacks, 2);
    brz_profile_destroy(p);
}

static void leaf_first_stacks_are_turned_over(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    const brz_frame up[] = {0, 1, 2, 3}, down[] = {3, 2, 1, 0};
    for (int i = 0; i < 4; i++) {
        char name[] = {(char)('a' + i), '\0'};
        frame(p, name);
    }
    brz_stack s = brz_profile_intern_stack(p, up, 4, 0);
    assert_int_equal(brz_profile_intern_stack(p, down, 4, BRZ_LEAF_FIRST), s);
    assert_stack(p, s, up, 4);
    for (size_t n = 0; n <= 4;
         n++) { /* stacks that were not interned before the profile was sealed */
        s = brz_profile_add_stack(p, down, n, BRZ_LEAF_FIRST);
        assert_stack(p, s, down, n);
        for (int again = 0; again < 2; again++) {
            brz_profile_seal(p);
            assert_stack(p, s, up + 4 - n, n);
        }
    }
    brz_profile_destroy(p);
}

/* ---- weights ------------------------------------------------------------------------------- */

static void a_column_is_found_by_its_name(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    assert_int_equal(brz_profile_find_weight(p, BRZ_STR("cpu")), BRZ_NO_COLUMN);
    assert_int_equal(brz_profile_add_weight(p, BRZ_STR("cpu"), BRZ_STR("ns"), 0, 5), 0);
    assert_int_equal(brz_profile_add_weight(p, BRZ_STR("cp"), BRZ_STR("ns"), 0, 6), 1);
    assert_int_equal(brz_profile_add_weight(p, BRZ_STR("cpu"), BRZ_STR("other"), 0, 7), 0);
    assert_int_equal(brz_profile_find_weight(p, BRZ_STR("cp")), 1);
    assert_int_equal(brz_profile_find_weight(p, BRZ_STR("c")), BRZ_NO_COLUMN);
    assert_text(brz_strings_at(&p->strings, p->weights[0].unit), "ns");
    brz_profile_destroy(p);
}

static void a_column_may_have_no_name(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    brz_str none = {NULL, 0};
    assert_int_equal(brz_profile_add_weight(p, none, none, 0, 0), 0);
    assert_int_equal(brz_profile_add_weight(p, none, none, 0, 0), 0);
    assert_int_equal(brz_profile_find_weight(p, BRZ_STR("")), 0);
    brz_profile_destroy(p);
}

static void a_malformed_name_is_one_column_too(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    assert_int_equal(brz_profile_add_weight(p, BRZ_STR("cpu\xff"), BRZ_STR(""), 0, 1), 0);
    assert_int_equal(brz_profile_add_weight(p, BRZ_STR("cpu\xff"), BRZ_STR(""), 0, 2), 0);
    assert_int_equal(brz_profile_find_weight(p, BRZ_STR("cpu\xef\xbf\xbd")), 0);
    assert_int_equal(p->n_weights, 1);
    brz_profile_destroy(p);
}

static void the_unit_met_first_counts(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    brz_profile_add_weight(p, BRZ_STR("w"), BRZ_STR("late"), 0, 9);
    brz_profile_add_weight(p, BRZ_STR("w"), BRZ_STR("early"), 0, 3);
    brz_profile_add_weight(p, BRZ_STR("w"), BRZ_STR("later"), 0, 12);
    assert_text(brz_strings_at(&p->strings, p->weights[0].unit), "early");
    assert_int_equal(p->weights[0].position, 3);
    brz_profile_destroy(p);
}

static void columns_beyond_the_limit_are_added_to_the_last(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    char name[16];
    for (uint32_t i = 0; i < BRZ_PROFILE_MAX_WEIGHTS + 50; i++) {
        int n = snprintf(name, sizeof name, "w%u", i);
        uint32_t w = brz_profile_add_weight(p, brz_str_of(name, (size_t)n), BRZ_STR(""), 0, i);
        assert_int_equal(w, i < BRZ_PROFILE_MAX_WEIGHTS ? i : BRZ_PROFILE_MAX_WEIGHTS - 1);
    }
    assert_int_equal(p->n_weights, BRZ_PROFILE_MAX_WEIGHTS);
    brz_profile *twice = brz_profile_create();
    brz_profile_absorb(twice, p);
    brz_profile_absorb(twice, p);
    brz_profile_sort_weights(twice);
    assert_int_equal(twice->n_weights, BRZ_PROFILE_MAX_WEIGHTS);
    brz_profile_destroy(twice);
    brz_profile_destroy(p);
}

static void values_of_stacks_without_any_are_zero(void **state)
{
    (void)state;
    brz_profile *p = with_samples();
    brz_stack last = 0;
    for (int i = 0; i < 1000; i++)
        last = brz_profile_add_stack(p, NULL, 0, 0);
    assert_int_equal(brz_profile_value(p, last, 0), 0);
    brz_profile_add_value(p, 3, 0, 5);
    brz_profile_add_value(p, 3, 0, -7);
    for (brz_stack s = 0; s <= last; s++)
        assert_int_equal(brz_profile_value(p, s, 0), s == 3 ? -2 : 0);
    brz_profile_destroy(p);
}

static void sums_stay_at_the_ends_of_their_range(void **state)
{
    (void)state;
    static const struct {
        int64_t a, b, sum;
        bool saturated;
    } cases[] = {
        {1, 2, 3, false},
        {INT64_MAX, 0, INT64_MAX, false},
        {INT64_MAX - 1, 1, INT64_MAX, false},
        {INT64_MAX, 1, INT64_MAX, true},
        {INT64_MAX, INT64_MAX, INT64_MAX, true},
        {INT64_MIN, -1, INT64_MIN, true},
        {INT64_MIN + 1, -1, INT64_MIN, false},
        {INT64_MIN, INT64_MIN, INT64_MIN, true},
        {INT64_MAX, INT64_MIN, -1, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool saturated = false;
        assert_true(brz_add_saturated(cases[i].a, cases[i].b, &saturated) == cases[i].sum);
        assert_int_equal(saturated, cases[i].saturated);
        brz_profile *p = with_samples();
        brz_stack s = brz_profile_add_stack(p, NULL, 0, 0);
        brz_profile_add_value(p, s, 0, cases[i].a);
        brz_profile_add_value(p, s, 0, cases[i].b);
        assert_true(brz_profile_value(p, s, 0) == cases[i].sum);
        assert_int_equal(p->saturated, cases[i].saturated);
        brz_profile_destroy(p);
    }
}

static void a_finer_column_keeps_what_it_holds(void **state)
{
    (void)state;
    brz_profile *p = with_samples();
    brz_stack s = brz_profile_add_stack(p, NULL, 0, 0);
    brz_profile_add_value(p, s, 0, -12);
    brz_profile_set_decimals(p, 0, 2);
    assert_int_equal(brz_profile_value(p, s, 0), -1200);
    brz_profile_set_decimals(p, 0, 1); /* decimals never decrease */
    assert_int_equal(brz_profile_value(p, s, 0), -1200);
    assert_int_equal(p->weights[0].decimals, 2);
    brz_profile_set_decimals(p, 0, 400); /* limited to nine */
    assert_int_equal(p->weights[0].decimals, 9);
    assert_int_equal(brz_profile_value(p, s, 0), INT64_C(-12000000000));
    assert_false(p->saturated);
    brz_profile_destroy(p);
}

static void rescaling_stays_in_range(void **state)
{
    (void)state;
    brz_profile *p = with_samples();
    brz_stack a = brz_profile_add_stack(p, NULL, 0, 0), b = brz_profile_add_stack(p, NULL, 0, 0);
    brz_profile_add_value(p, a, 0, INT64_MAX / 100);
    brz_profile_add_value(p, b, 0, -INT64_MAX / 5);
    brz_profile_set_decimals(p, 0, 2);
    assert_true(brz_profile_value(p, a, 0) == INT64_MAX / 100 * 100);
    assert_true(brz_profile_value(p, b, 0) == INT64_MIN);
    assert_true(p->saturated);
    brz_profile_destroy(p);
}

static void columns_are_sorted_by_where_they_were_met(void **state)
{
    (void)state;
    brz_profile *p = brz_profile_create();
    brz_stack s = brz_profile_add_stack(p, NULL, 0, 0);
    static const char *const names[] = {"c", "a", "d", "b"};
    static const uint64_t positions[] = {30, 10, 40, 20};
    p->samples.items = malloc(4 * sizeof *p->samples.items);
    for (uint32_t i = 0; i < 4; i++) {
        brz_profile_add_weight(p, str_of(names[i]), BRZ_STR("u"), 0, positions[i]);
        brz_profile_add_value(p, s, i, (int64_t)positions[i]);
        p->samples.items[p->samples.n++] =
            (brz_profile_sample){.weight = i & 0xff, .value = (int64_t)positions[i]};
    }
    brz_profile_sort_weights(p);
    for (uint32_t i = 0; i < 4; i++) {
        char name[] = {(char)('a' + i), '\0'};
        assert_int_equal(brz_profile_find_weight(p, str_of(name)), i);
        assert_int_equal(brz_profile_value(p, s, i), (i + 1) * 10);
        assert_int_equal((p->samples.items[i].weight + 1) * 10, p->samples.items[i].value);
    }
    brz_profile_destroy(p);
}

/* ---- merging ------------------------------------------------------------------------------- */

static void merging_adds_stacks_by_their_names(void **state)
{
    (void)state;
    brz_profile *a = with_samples(), *b = brz_profile_create();
    brz_frame ids[2] = {frame(a, "x"), frame(a, "y")};
    brz_profile_add_value(a, brz_profile_add_stack(a, ids, 2, 0), 0, 3);
    brz_profile_add_weight(b, BRZ_STR("bytes"), BRZ_STR("bytes"), 0, 9);
    brz_profile_add_weight(b, BRZ_STR("samples"), BRZ_STR("samples"), 1, 8);
    brz_frame other[2] = {frame(b, "y"), frame(b, "x")};
    brz_frame same[2] = {other[1], other[0]};
    brz_stack s = brz_profile_add_stack(b, same, 2, 0);
    brz_profile_add_value(b, s, 0, 100);
    brz_profile_add_value(b, s, 1, 15);
    b->saturated = true;
    brz_profile_absorb(a, b);
    assert_int_equal(a->n_frames, 2);
    assert_int_equal(a->n_stacks, 2);
    assert_int_equal(a->n_weights, 2);
    assert_stack(a, 1, ids, 2);
    uint32_t bytes = brz_profile_find_weight(a, BRZ_STR("bytes"));
    assert_int_equal(brz_profile_value(a, 0, 0), 30); /* rescaled to one decimal */
    assert_int_equal(brz_profile_value(a, 1, 0), 15);
    assert_int_equal(brz_profile_value(a, 0, bytes), 0);
    assert_int_equal(brz_profile_value(a, 1, bytes), 100);
    assert_true(a->saturated);
    assert_int_equal(b->n_stacks, 1);
    brz_profile_destroy(a);
    brz_profile_destroy(b);
}

static void merging_scales_the_coarser_side(void **state)
{
    (void)state;
    for (uint32_t ours = 0; ours <= 9; ours++)
        for (uint32_t theirs = 0; theirs <= 9; theirs++) {
            brz_profile *a = brz_profile_create(), *b = brz_profile_create();
            int64_t one = 1, two = 2;
            brz_profile_add_weight(a, BRZ_STR("w"), BRZ_STR("u"), ours, 0);
            brz_profile_add_weight(b, BRZ_STR("w"), BRZ_STR("u"), theirs, 0);
            for (uint32_t i = 0; i < ours; i++)
                one *= 10;
            for (uint32_t i = 0; i < theirs; i++)
                two *= 10;
            brz_profile_add_value(a, brz_profile_add_stack(a, NULL, 0, 0), 0, one);
            brz_profile_add_value(b, brz_profile_add_stack(b, NULL, 0, 0), 0, two);
            b->samples.items = calloc(1, sizeof *b->samples.items);
            b->samples.items[b->samples.n++] = (brz_profile_sample){.value = two};
            brz_profile_absorb(a, b);
            uint32_t finer = ours > theirs ? ours : theirs;
            int64_t unit = 1;
            for (uint32_t i = 0; i < finer; i++)
                unit *= 10;
            assert_int_equal(a->weights[0].decimals, finer);
            assert_true(brz_profile_value(a, 0, 0) == unit);
            assert_true(brz_profile_value(a, 1, 0) == 2 * unit);
            assert_int_equal(a->samples.items[0].stack, 1);
            assert_true(a->samples.items[0].value == 2 * unit);
            brz_profile_destroy(a);
            brz_profile_destroy(b);
        }
}

static void an_empty_profile_changes_nothing(void **state)
{
    (void)state;
    brz_profile *a = with_samples(), *b = brz_profile_create();
    brz_profile_add_value(a, brz_profile_add_stack(a, NULL, 0, 0), 0, 3);
    brz_profile_absorb(a, b);
    brz_profile_absorb(b, a);
    assert_int_equal(a->n_stacks, 1);
    assert_int_equal(brz_profile_value(b, 0, 0), 3);
    brz_profile_destroy(a);
    brz_profile_destroy(b);
    brz_profile_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_equal_when_every_member_is),
        cmocka_unit_test(many_frames_keep_their_ids),
        cmocka_unit_test(stacks_within_each_other_share_frames),
        cmocka_unit_test(a_stack_that_extends_a_part_of_another_keeps_that),
        cmocka_unit_test(interned_stacks_may_share_frames),
        cmocka_unit_test(interned_stacks_are_stored_once),
        cmocka_unit_test(stacks_of_similar_profiles_are_stored_once),
        cmocka_unit_test(equal_stacks_are_not_interned_together),
        cmocka_unit_test(columns_are_compared_with_and_without_a_table),
        cmocka_unit_test(empty_stacks_are_stacks),
        cmocka_unit_test(leaf_first_stacks_are_turned_over),
        cmocka_unit_test(a_column_is_found_by_its_name),
        cmocka_unit_test(a_column_may_have_no_name),
        cmocka_unit_test(a_malformed_name_is_one_column_too),
        cmocka_unit_test(the_unit_met_first_counts),
        cmocka_unit_test(columns_beyond_the_limit_are_added_to_the_last),
        cmocka_unit_test(values_of_stacks_without_any_are_zero),
        cmocka_unit_test(sums_stay_at_the_ends_of_their_range),
        cmocka_unit_test(a_finer_column_keeps_what_it_holds),
        cmocka_unit_test(rescaling_stays_in_range),
        cmocka_unit_test(columns_are_sorted_by_where_they_were_met),
        cmocka_unit_test(merging_adds_stacks_by_their_names),
        cmocka_unit_test(merging_scales_the_coarser_side),
        cmocka_unit_test(an_empty_profile_changes_nothing),
    };
    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
