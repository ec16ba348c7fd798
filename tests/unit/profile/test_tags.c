/* SPDX-License-Identifier: MIT */
/* Tests the limits of tags and metadata. */
#include "unit.h"

#include "profile/profile.h"

#include <stdio.h>

static brz_tag add_thread(brz_profile *p, int64_t thread)
{
    brz_tag_desc d = {.struct_size = sizeof d, .flags = BRZ_TAG_THREAD, .thread = thread};
    return brz_tags_add(&p->tags, &p->strings, &d);
}

static void add_comment(brz_profile *p, int number)
{
    char text[32];
    int n = snprintf(text, sizeof text, "comment %d", number);
    brz_str comment = brz_str_of(text, (size_t)n);
    brz_metadata m = {.struct_size = sizeof m, .comments = &comment, .n_comments = 1};
    brz_facts_state(&p->facts, &p->strings, &m, (uint64_t)number);
}

/* Returns the message about a profile that is full. */
static const char *message_of(const brz_profile *p, brz_buf *b)
{
    brz_buf_clear(b);
    bool is_full = brz_profile_describe_full(p, b);
    assert_int_equal(is_full, b->len > 0);
    return brz_buf_text(b);
}

static void tags_that_do_not_fit_are_counted(void **state)
{
    (void)state;
    brz_buf b = {0};
    brz_profile *p = brz_profile_create();
    p->tags.most = 4; /* with the one that says nothing */
    for (int64_t i = 1; i <= 3; i++)
        assert_int_equal(add_thread(p, i), i);
    assert_string_equal(message_of(p, &b), "");
    assert_int_equal(add_thread(p, 4), BRZ_NO_TAG);
    assert_int_equal(add_thread(p, 5), BRZ_NO_TAG);
    assert_int_equal(add_thread(p, 2), 2);
    assert_string_equal(message_of(p, &b),
                        "more than 3 different tags (process, thread, processor, labels): samples "
                        "with others have none (2 times)");
    brz_buf_finish(&b);
    brz_profile_destroy(p);
}

static void counts_are_added_when_profiles_are_merged(void **state)
{
    (void)state;
    brz_profile *into = brz_profile_create(), *from = brz_profile_create();
    into->tags.most = from->tags.most = 3;
    for (int64_t i = 1; i <= 3; i++)
        add_thread(from, i);
    add_thread(into, 10);
    brz_profile_absorb(into, from);
    assert_int_equal(into->tags.n, 3);
    assert_int_equal(into->tags.left_out, 2); /* one of `from`, and one that no longer fits */
    brz_profile_destroy(into);
    brz_profile_destroy(from);
}

static void metadata_that_does_not_fit_is_counted(void **state)
{
    (void)state;
    brz_buf b = {0};
    brz_profile *p = brz_profile_create();
    for (int i = 0; i < BRZ_MAX_FACTS; i++)
        add_comment(p, i);
    assert_string_equal(message_of(p, &b), "");
    add_comment(p, 7);
    assert_string_equal(message_of(p, &b), "");
    add_comment(p, BRZ_MAX_FACTS);
    add_comment(p, BRZ_MAX_FACTS + 1);
    assert_string_equal(message_of(p, &b),
                        "more than 1024 comments or pairs of metadata: 2 are left out");
    brz_buf_finish(&b);
    brz_profile_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_that_do_not_fit_are_counted),
        cmocka_unit_test(counts_are_added_when_profiles_are_merged),
        cmocka_unit_test(metadata_that_does_not_fit_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
