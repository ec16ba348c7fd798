/* SPDX-License-Identifier: MIT */
/* Tests facts about several profiles in one input. */
#include "unit.h"

#include "profile/profile.h"

/* States when a part began, which has the label dump=NAME. */
static void state(brz_profile *p, const char *name, int64_t start, uint64_t position)
{
    const brz_label label = {.key = BRZ_STR("dump"), .text = str_of(name)};
    const brz_tag_desc tag = {
        .struct_size = sizeof tag, .label_size = sizeof label, .labels = &label, .n_labels = 1};
    const brz_metadata m = {.struct_size = sizeof m, .start = start, .of = &tag};
    brz_parts_state(&p->parts, &p->strings, &m, position);
}

static brz_tag tag_of(brz_profile *p, const brz_label *labels, uint32_t n, int64_t process)
{
    const brz_tag_desc d = {.struct_size = sizeof d,
                            .flags = BRZ_TAG_PROCESS,
                            .process = process,
                            .label_size = sizeof *labels,
                            .labels = labels,
                            .n_labels = n};
    return brz_tags_add(&p->tags, &p->strings, &d);
}

static void the_first_place_states_the_fact_in_any_order_of_merging(void **state_of_test)
{
    (void)state_of_test;
    brz_profile *a = brz_profile_create(), *b = brz_profile_create();
    state(a, "two", 7, 30);
    state(b, "one", 1, 10);
    state(b, "two", 2, 20);
    brz_profile_absorb_facts(a, b);
    assert_int_equal(a->parts.tags.n, 3); /* the empty one, too */
    assert_int_equal(brz_facts_find(&a->parts.facts[1], BRZ_FACT_START)->number, 2);
    assert_int_equal(brz_facts_find(&a->parts.facts[2], BRZ_FACT_START)->number, 1);
    brz_profile_destroy(a);
    brz_profile_destroy(b);
}

static void a_part_has_the_tags_with_all_its_members(void **state_of_test)
{
    (void)state_of_test;
    const brz_label labels[] = {{.key = BRZ_STR("dump"), .text = BRZ_STR("one")},
                                {.key = BRZ_STR("host"), .text = BRZ_STR("x")},
                                {.key = BRZ_STR("dump"), .text = BRZ_STR("two")}};
    brz_profile *p = brz_profile_create();
    state(p, "one", 1, 0);
    assert_true(brz_parts_have(&p->parts, 1, &p->tags, tag_of(p, labels, 2, 5)));
    assert_true(brz_parts_have(&p->parts, 1, &p->tags, tag_of(p, labels, 1, 6)));
    assert_false(brz_parts_have(&p->parts, 1, &p->tags, tag_of(p, labels + 1, 2, 5)));
    assert_false(brz_parts_have(&p->parts, 1, &p->tags, BRZ_NO_TAG));
    brz_profile_destroy(p);
}

static void parts_beyond_the_limit_are_counted(void **state_of_test)
{
    (void)state_of_test;
    brz_profile *p = brz_profile_create();
    brz_buf text = {0};
    for (int i = 0; i < BRZ_MAX_PARTS + 2; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        state(p, name, 1, (uint64_t)i);
    }
    assert_int_equal(p->parts.tags.n, BRZ_MAX_PARTS + 1);
    assert_true(brz_profile_describe_full(p, &text));
    assert_string_equal(brz_buf_text(&text),
                        "more than 256 profiles in the input: facts about others are left out");
    brz_buf_finish(&text);
    brz_profile_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_place_states_the_fact_in_any_order_of_merging),
        cmocka_unit_test(a_part_has_the_tags_with_all_its_members),
        cmocka_unit_test(parts_beyond_the_limit_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
