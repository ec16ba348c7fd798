/* SPDX-License-Identifier: MIT */
/* Tests what is remembered of a profile that grows. */
#include "unit.h"

#include "profile/recent.h"

static brz_stack add_stack(brz_profile *p, const char *name, uint32_t flags)
{
    const brz_frame_desc main = {.struct_size = sizeof main, .name = str_of("main")};
    const brz_frame_desc leaf = {.struct_size = sizeof leaf, .name = str_of(name)};
    brz_frame f[2] = {brz_profile_add_frame(p, &main), brz_profile_add_frame(p, &leaf)};
    if (flags & BRZ_LEAF_FIRST)
        f[0] = brz_profile_add_frame(p, &leaf), f[1] = brz_profile_add_frame(p, &main);
    return brz_profile_add_stack(p, f, 2, flags);
}

/* Appends "LEAF:VALUE" of each stack of a copy, which it destroys. */
static void assert_copy(brz_profile *copy, const char *want)
{
    brz_buf got = {0};
    for (brz_stack i = 0; i < copy->n_stacks; i++) {
        const brz_profile_stack *s = &copy->stacks[i];
        brz_frame_info root = brz_profile_frame_info(copy, s->frames[0]);
        brz_frame_info leaf = brz_profile_frame_info(copy, s->frames[s->n - 1]);
        assert_string_equal(root.name.data, "main");
        brz_buf_printf(&got, "%s%s:%d", i > 0 ? " " : "", leaf.name.data,
                       (int)brz_profile_value(copy, i, 0));
    }
    assert_string_equal(brz_buf_text(&got), want);
    brz_buf_finish(&got);
    brz_profile_destroy(copy);
}

static void a_ring_has_the_last_ticks(void **state)
{
    brz_recent r;
    brz_profile *p = brz_profile_create();
    (void)state;
    brz_recent_init(&r, 2, 100);
    uint32_t w = brz_profile_add_weight(p, str_of("n"), str_of(""), 0, 0);
    brz_stack a = add_stack(p, "a", BRZ_LEAF_FIRST);
    brz_profile_add_value(p, a, w, 5);
    brz_recent_tick(&r, p, 1);
    assert_copy(brz_recent_copy(&r, p, BRZ_RECENT_LAST), "a:5");
    brz_stack b = add_stack(p, "b", 0);
    brz_profile_add_value(p, b, w, 3);
    brz_recent_tick(&r, p, 1);
    assert_copy(brz_recent_copy(&r, p, BRZ_RECENT_LAST), "a:5 b:3");
    brz_profile_add_value(p, a, w, 1);
    brz_recent_tick(&r, p, 1);
    assert_copy(brz_recent_copy(&r, p, BRZ_RECENT_LAST), "a:1 b:3");
    assert_copy(brz_recent_copy(&r, p, BRZ_RECENT_ALL), "a:6 b:3");
    brz_recent_tick(&r, p, 1);
    assert_copy(brz_recent_copy(&r, p, BRZ_RECENT_LAST), "a:1");
    brz_recent_tick(&r, p, 7); /* nothing was added for a while */
    assert_copy(brz_recent_copy(&r, p, BRZ_RECENT_LAST), "a:0");
    assert_copy(brz_recent_copy(&r, p, BRZ_RECENT_ALL), "a:6 b:3");
    brz_recent_finish(&r);
    brz_profile_destroy(p);
}

static void a_mark_begins_anew(void **state)
{
    brz_recent r;
    brz_profile *p = brz_profile_create();
    (void)state;
    brz_recent_init(&r, 2, 100);
    uint32_t w = brz_profile_add_weight(p, str_of("n"), str_of(""), 0, 0);
    brz_stack a = add_stack(p, "a", 0);
    brz_profile_add_value(p, a, w, 5);
    brz_recent_mark(&r, p);
    brz_stack b = add_stack(p, "b", 0);
    brz_profile_add_value(p, b, w, 2);
    assert_copy(brz_recent_copy(&r, p, BRZ_RECENT_SINCE_MARK), "b:2");
    brz_profile_add_value(p, a, w, 4);
    assert_copy(brz_recent_copy(&r, p, BRZ_RECENT_SINCE_MARK), "a:4 b:2");
    brz_recent_finish(&r);
    brz_profile_destroy(p);
}

static void memory_is_bounded(void **state)
{
    brz_recent r;
    brz_profile *p = brz_profile_create();
    char name[16];
    (void)state;
    brz_recent_init(&r, 3, 10);
    uint32_t w = brz_profile_add_weight(p, str_of("n"), str_of(""), 0, 0);
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < 6; i++) {
            snprintf(name, sizeof name, "f%d.%d", t, i);
            brz_profile_add_value(p, add_stack(p, name, 0), w, 1);
        }
        brz_recent_tick(&r, p, 1);
        assert_true(r.n_kept <= 10);
    }
    assert_copy(brz_recent_copy(&r, p, BRZ_RECENT_LAST),
                "f3.0:1 f3.1:1 f3.2:1 f3.3:1 f3.4:1 f3.5:1");
    brz_recent_finish(&r);
    brz_profile_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_has_the_last_ticks),
        cmocka_unit_test(a_mark_begins_anew),
        cmocka_unit_test(memory_is_bounded),
    };
    return cmocka_run_group_tests_name("recent", tests, NULL, NULL);
}
