/* SPDX-License-Identifier: MIT */
/* Tests ranks: the order of names in folded lines, in the middle and at the end. */
#include "unit.h"

#include <brazier/folded.h>

#include "profile/ranks.h"

static const brz_order orders[] = {BRZ_ORDER_MERGED, BRZ_ORDER_FOLDED, BRZ_ORDER_LINES};

static void fill(brz_profile *p, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        brz_frame_desc d = {.name = str_of(names[i])};
        brz_profile_add_frame(p, &d);
    }
}

static uint32_t label_of(const brz_ranks *r, const brz_profile *p, size_t frame)
{
    return r->labels[p->frames[frame].name];
}

/* A name in one of two positions. */
typedef struct place {
    size_t name;
    bool leaf;
} place;

static void assert_order(brz_order order, const char *const *names, size_t n, const place *places,
                         size_t n_places)
{
    brz_profile *p = brz_profile_create();
    brz_ranks r;
    uint32_t before = 0;
    fill(p, names, n);
    brz_ranks_init(&r, p, order);
    for (size_t i = 0; i < n_places; i++) {
        uint32_t label = label_of(&r, p, places[i].name);
        uint32_t rank = places[i].leaf ? r.leaf[label] : r.inner[label];
        if (rank <= before)
            fail_msg("order %d, place %zu: rank %u after %u", (int)order, i, rank, before);
        before = rank;
    }
    brz_ranks_finish(&r);
    brz_profile_destroy(p);
}

static const char *const foos[] = {"foo", "foo2", "foo bar", "foo<T>"};

static void folded_order_puts_names_with_digits_between_a_leaf_and_its_callees(void **state)
{
    (void)state;
    const place places[] = {{0, true},  {2, true},  {2, false}, {1, true},
                            {1, false}, {0, false}, {3, true},  {3, false}};
    assert_order(BRZ_ORDER_FOLDED, foos, 4, places, COUNT_OF(places));
}

static void line_order_counts_the_blank_in_front_of_the_count(void **state)
{
    (void)state;
    static const char *const names[] = {"foo", "foo  x", "foo !", "foo bar", "foo!"};
    const place places[] = {{1, true}, {1, false}, {2, true}, {2, false}, {0, true},
                            {3, true}, {3, false}, {4, true}, {4, false}, {0, false}};
    assert_order(BRZ_ORDER_LINES, names, 5, places, COUNT_OF(places));
}

static void a_name_and_a_blank_lie_on_both_sides_of_the_count(void **state)
{
    (void)state;
    static const char *const names[] = {"foo", "foo ", "foo 7", "foo  "};
    const place places[] = {{3, true}, {1, true},  {3, false}, {0, true},
                            {2, true}, {2, false}, {1, false}, {0, false}};
    assert_order(BRZ_ORDER_LINES, names, 4, places, COUNT_OF(places));
}

static void letters_beyond_ascii_come_after_the_count(void **state)
{
    (void)state;
    static const char *const names[] = {"foo", "foo \xc3\xa9"};
    const place places[] = {{0, true}, {1, true}, {1, false}, {0, false}};
    assert_order(BRZ_ORDER_LINES, names, 2, places, COUNT_OF(places));
}

static void merged_order_keeps_a_name_together(void **state)
{
    (void)state;
    const place places[] = {{0, true}, {0, false}, {2, true}, {2, false},
                            {1, true}, {1, false}, {3, true}, {3, false}};
    assert_order(BRZ_ORDER_MERGED, foos, 4, places, COUNT_OF(places));
}

static void names_that_look_alike_in_folded_text_share_a_label(void **state)
{
    (void)state;
    static const char *const names[] = {"a;b", "a:b", "a\nb", "a b", "a\177b"};
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        brz_profile *p = brz_profile_create();
        brz_ranks r;
        fill(p, names, COUNT_OF(names));
        brz_ranks_init(&r, p, orders[i]);
        assert_int_equal(label_of(&r, p, 0), label_of(&r, p, 1));
        assert_int_equal(label_of(&r, p, 2), label_of(&r, p, 3));
        assert_int_equal(label_of(&r, p, 4), label_of(&r, p, 3));
        assert_int_not_equal(label_of(&r, p, 0), label_of(&r, p, 3));
        assert_text(brz_strings_at(&p->strings, label_of(&r, p, 2)), "a b");
        brz_ranks_finish(&r);
        brz_profile_destroy(p);
    }
}

static void a_label_that_no_frame_has_as_its_name_is_ranked(void **state)
{
    (void)state;
    static const char *const names[] = {"b;", "c", "a"};
    const place places[] = {{2, true}, {2, false}, {0, true}, {0, false}, {1, true}, {1, false}};
    for (size_t i = 0; i < COUNT_OF(orders); i++)
        assert_order(orders[i], names, 3, places, COUNT_OF(places));
}

static void a_profile_without_frames_has_no_ranks(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        brz_profile *p = brz_profile_create();
        brz_ranks r;
        brz_ranks_init(&r, p, orders[i]);
        assert_int_equal(r.n, 0);
        brz_ranks_finish(&r);
        brz_profile_destroy(p);
    }
}

static void every_name_has_two_ranks_of_its_own(void **state)
{
    (void)state;
    dice d = {5};
    for (int round = 0; round < 300; round++) {
        brz_profile *p = brz_profile_create();
        char name[16] = "";
        bool seen[400] = {false};
        for (int i = 0; i < 100; i++) {
            brz_frame_desc f = {.name = {name, roll_text(&d, "ab;: 0\001", 4, name)}};
            brz_profile_add_frame(p, &f);
        }
        brz_ranks r;
        brz_ranks_init(&r, p, orders[round % 3]);
        for (size_t i = 0; i < p->n_frames; i++) {
            uint32_t label = label_of(&r, p, i);
            assert_true(r.leaf[label] > 0 && r.leaf[label] < r.inner[label]);
            assert_true(r.inner[label] <= 2 * p->n_frames);
            seen[r.leaf[label]] = seen[r.inner[label]] = true;
        }
        size_t ranks = 0, labels = 0;
        for (size_t i = 0; i < COUNT_OF(seen); i++)
            ranks += seen[i];
        for (uint32_t i = 0; i < r.n; i++)
            labels += r.leaf[i] > 0;
        assert_int_equal(ranks, 2 * labels);
        brz_ranks_finish(&r);
        brz_profile_destroy(p);
    }
}

/* Checks the replacement of bytes, and which names need none. */
static void folded_text_holds_neither_semicolons_nor_control_characters(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        char byte = (char)c, stands = brz_folded_byte(byte);
        bool control = c < 0x20 || c == 0x7f;
        assert_int_equal(stands, c == ';' ? ':' : control ? ' ' : byte);
        assert_int_equal(brz_is_foldable(brz_str_of(&byte, 1)), stands == byte);
    }
    for (int c = 0; c < 256; c++)
        for (size_t at = 0; at < 19; at++) {
            char text[] = "a std::vector<int>\xc3\xa4";
            text[at] = (char)c;
            assert_int_equal(brz_is_foldable(brz_str_of(text, 19)),
                             brz_folded_byte((char)c) == (char)c);
        }
    assert_true(brz_is_foldable(brz_str_of(NULL, 0)));
    assert_false(brz_is_foldable(BRZ_STR("ab;")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folded_order_puts_names_with_digits_between_a_leaf_and_its_callees),
        cmocka_unit_test(line_order_counts_the_blank_in_front_of_the_count),
        cmocka_unit_test(a_name_and_a_blank_lie_on_both_sides_of_the_count),
        cmocka_unit_test(letters_beyond_ascii_come_after_the_count),
        cmocka_unit_test(merged_order_keeps_a_name_together),
        cmocka_unit_test(names_that_look_alike_in_folded_text_share_a_label),
        cmocka_unit_test(a_label_that_no_frame_has_as_its_name_is_ranked),
        cmocka_unit_test(a_profile_without_frames_has_no_ranks),
        cmocka_unit_test(every_name_has_two_ranks_of_its_own),
        cmocka_unit_test(folded_text_holds_neither_semicolons_nor_control_characters),
    };
    return cmocka_run_group_tests_name("ranks", tests, NULL, NULL);
}
