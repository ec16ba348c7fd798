/* SPDX-License-Identifier: MIT */
/* Tests the stacks that are made of samples. */
#include "unit.h"

#include "sorted/sample_stack.h"

/* A stack with the frames of some names. */
typedef struct fixture {
    brz_profile *profile;
    brz_sample_stack stack;
    brz_sorted_stack made;
} fixture;

static void begin(fixture *f)
{
    *f = (fixture){.profile = brz_profile_create()};
    brz_sample_stack_init(&f->stack, f->profile);
}

static void finish(fixture *f)
{
    brz_sample_stack_finish(&f->stack);
    brz_profile_destroy(f->profile);
}

/* Sets a stack whose names are separated by '|'. */
static bool set(fixture *f, const char *names, int64_t count, uint32_t flags)
{
    brz_frame frames[16];
    uint32_t n = 0;
    for (const char *at = names; at != NULL; n++) {
        const char *end = strchr(at, '|');
        brz_frame_desc d = {.struct_size = sizeof d, .module = BRZ_STR(""), .file = BRZ_STR("")};
        d.name = brz_str_of(at, end == NULL ? strlen(at) : (size_t)(end - at));
        frames[n] = brz_profile_add_frame(f->profile, &d);
        at = end == NULL ? NULL : end + 1;
    }
    const brz_sorted_sample x = {.frames = frames, .n = n, .flags = flags, .count = count};
    return brz_sample_stack_set(&f->stack, &x, &f->made);
}

static void stacks_share_the_bytes_of_the_one_before(void **state)
{
    (void)state;
    static const struct {
        const char *names, *text;
        uint32_t shared, flags;
    } cases[] = {
        {"main", "main", 0, 0},
        {"main|a", "main;a", 4, 0},
        {"main|ab|c", "main;ab;c", 6, 0},
        {"dd|ab|main", "main;ab;dd", 8, BRZ_LEAF_FIRST},
        {"main|ab|dde", "main;ab;dde", 10, 0},
        {"main|ac", "main;ac", 6, 0},
        {"n", "n", 0, 0},
        {"x y", "x y", 0, 0},
    };
    fixture f;
    begin(&f);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_true(set(&f, cases[i].names, (int64_t)i + 1, cases[i].flags));
        assert_text(brz_str_of(f.made.names, f.made.len), cases[i].text);
        assert_int_equal(f.made.shared, cases[i].shared);
        assert_int_equal(f.made.count, i + 1);
    }
    finish(&f);
}

/* The stack "b;c" comes before each of these. */
static void other_stacks_are_not_plain(void **state)
{
    (void)state;
    static const char *const names[] = {
        "b|c", "b",    "a",     "b|b",  "",      "c|",       " c",
        "#c",  "c|\"", "c|d;e", "c\t1", "c\177", "\303\244", "c|_ZN3foo3barEv"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        fixture f;
        begin(&f);
        assert_true(set(&f, "b|c", 1, 0));
        if (set(&f, names[i], 1, 0))
            fail_msg("plain: %s", names[i]);
        finish(&f);
    }
}

static void counts_are_positive_and_have_a_limit(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    assert_false(set(&f, "a", 0, 0));
    assert_false(set(&f, "a", -1, 0));
    assert_false(set(&f, "a", (int64_t)BRZ_SORTED_MOST + 1, 0));
    assert_true(set(&f, "a", (int64_t)BRZ_SORTED_MOST, 0));
    finish(&f);
}

static void frames_that_nobody_has_added_are_not_plain(void **state)
{
    (void)state;
    fixture f;
    const brz_frame frame = 7;
    const brz_sorted_sample x = {.frames = &frame, .n = 1, .count = 1};
    begin(&f);
    assert_false(brz_sample_stack_set(&f.stack, &x, &f.made));
    finish(&f);
}

static void only_one_weight_without_decimals_can_be_added(void **state)
{
    (void)state;
    fixture f;
    brz_column_desc d;
    begin(&f);
    assert_false(brz_sample_stack_weight(&f.stack, &d));
    brz_profile_add_weight(f.profile, BRZ_STR("cpu"), BRZ_STR("nanoseconds"), 0, 0);
    assert_true(brz_sample_stack_weight(&f.stack, &d));
    assert_text(d.name, "cpu");
    assert_text(d.unit, "nanoseconds");
    brz_profile_add_weight(f.profile, BRZ_STR("b"), BRZ_STR("bytes"), 0, 0);
    assert_false(brz_sample_stack_weight(&f.stack, &d));
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_share_the_bytes_of_the_one_before),
        cmocka_unit_test(other_stacks_are_not_plain),
        cmocka_unit_test(counts_are_positive_and_have_a_limit),
        cmocka_unit_test(frames_that_nobody_has_added_are_not_plain),
        cmocka_unit_test(only_one_weight_without_decimals_can_be_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
