/* SPDX-License-Identifier: MIT */
/* Tests dividing a profile by tags. */
#include "unit.h"

#include "profile/profile.h"
#include "profile/split.h"

#include <stdio.h>

/* Adds a sample of a thread, whose stack is the frames "main" and `leaf`. */
static void add_sample(brz_profile *p, int64_t thread, const char *leaf, int64_t value)
{
    bool saturated = false;
    brz_tag_desc d = {.struct_size = sizeof d, .flags = BRZ_TAG_THREAD, .thread = thread};
    brz_frame_desc root = {.struct_size = sizeof root, .name = BRZ_STR("main")}, end = root;
    end.name = brz_str_of(leaf, strlen(leaf));
    brz_frame frames[] = {brz_profile_add_frame(p, &root), brz_profile_add_frame(p, &end)};
    brz_profile_sample s = {.time = BRZ_NO_TIME, .value = value};
    s.stack = brz_profile_intern_stack(p, frames, 2, 0);
    s.tag = brz_tags_add(&p->tags, &p->strings, &d) & 0x7fffff;
    brz_samples_add(&p->samples, &s, &saturated);
}

/* Creates a profile of `n` threads, each with a stack of its own and one that all share. */
static brz_profile *make_profile(int n)
{
    brz_profile *p = brz_profile_create();
    p->samples.which = BRZ_SAMPLES_SUMMED;
    brz_profile_add_weight(p, BRZ_STR("samples"), BRZ_STR(""), 0, 0);
    for (int i = 0; i < n; i++) {
        char leaf[32];
        snprintf(leaf, sizeof leaf, "leaf %d", i);
        add_sample(p, n - i, leaf, 10 + i);
        add_sample(p, n - i, "shared", 1);
    }
    brz_profile_seal(p);
    return p;
}

static void each_part_has_its_samples(void **state)
{
    (void)state;
    brz_split split;
    brz_buf error = {0};
    brz_profile *p = make_profile(3);
    const brz_tag_part by = brz_tag_part_of(BRZ_STR("thread"));
    assert_true(brz_split_init(&split, p, &by, 100, &error));
    assert_int_equal(split.n, 3);
    for (size_t i = 0; i < 3; i++) {
        brz_profile *part = brz_split_take(&split, p, i);
        assert_int_equal(part->n_stacks, 2);
        assert_int_equal(part->samples.n, 2);
        int64_t sum = brz_profile_value(part, 0, 0) + brz_profile_value(part, 1, 0);
        assert_int_equal(sum, 10 + 2 - (int64_t)i + 1); /* thread 1 was added last */
        brz_profile_destroy(part);
    }
    brz_split_finish(&split);
    brz_buf_finish(&error);
    brz_profile_destroy(p);
}

static void stacks_of_a_part_share_frames(void **state)
{
    (void)state;
    enum { DEPTH = 100 };
    brz_split split;
    brz_buf error = {0};
    brz_profile *p = make_profile(1);
    brz_frame ids[DEPTH];
    brz_profile_sample s = p->samples.items[0];
    bool saturated = false;
    for (size_t n = 0; n < DEPTH; n++) {
        brz_frame_desc d = {.struct_size = sizeof d, .name = BRZ_STR("f"), .line = (uint32_t)n % 9};
        ids[n] = brz_profile_add_frame(p, &d);
        s.stack = brz_profile_add_stack(p, ids, n + 1, n > 0 ? BRZ_NESTED : 0);
        if (n != 50)
            brz_samples_add(&p->samples, &s, &saturated);
    }
    const brz_tag_part by = brz_tag_part_of(BRZ_STR("thread"));
    assert_true(brz_split_init(&split, p, &by, 100, &error));
    brz_profile *part = brz_split_take(&split, p, 0);
    assert_int_equal(part->n_stacks, 2 + DEPTH - 1);
    assert_true(part->n_ids < 5 * DEPTH);
    for (size_t k = 2; k < part->n_stacks; k++) {
        const brz_profile_stack *stack = &part->stacks[k];
        assert_int_equal(stack->n, k - 1 + (k - 2 >= 50));
        for (uint32_t f = 0; f < stack->n; f++)
            assert_int_equal(part->frames[stack->frames[f]].line, f % 9);
    }
    brz_profile_destroy(part);
    brz_split_finish(&split);
    brz_profile_destroy(p);
}

static void a_part_costs_what_it_contains(void **state)
{
    (void)state;
    brz_split split;
    brz_buf error = {0};
    brz_profile *p = make_profile(500);
    const brz_tag_part by = brz_tag_part_of(BRZ_STR("thread"));
    assert_true(brz_split_init(&split, p, &by, 1000, &error));
    for (size_t i = 0; i < split.n; i++) {
        brz_profile *part = brz_split_take(&split, p, i);
        assert_int_equal(part->n_frames, 3);
        assert_int_equal(part->n_stacks, 2);
        assert_int_equal(part->tags.n, 2); /* with the one that says nothing */
        assert_true(part->strings.n < 10);
        brz_profile_destroy(part);
    }
    brz_split_finish(&split);
    brz_buf_finish(&error);
    brz_profile_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_has_its_samples),
        cmocka_unit_test(stacks_of_a_part_share_frames),
        cmocka_unit_test(a_part_costs_what_it_contains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
