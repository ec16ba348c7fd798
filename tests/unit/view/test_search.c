/* SPDX-License-Identifier: MIT */
/* Tests the search of the viewer. */
#include "unit.h"

#include "view/search.h"
#include "view/tree.h"

static const test_node stacks[] = {
    {1, "main", 0}, {2, "a", 5}, {3, "b", 3}, {4, "a", 1}, {2, "b", 20}, {0, NULL, 0},
};

static void nested_matches_count_once_and_go_by_weight(void **state)
{
    test_tree t;
    view_search s = {0};
    brz_buf error = {0};
    (void)state;
    test_tree_init(&t, stacks);
    view_graph *g = view_graph_create(&t.tree);
    assert_true(view_search_start(&s, g, str_of("^[ab]$"), &error));
    assert_int_equal(s.n_found, 4);
    assert_int_equal(s.total, 29);
    const int64_t totals[] = {20, 9, 4, 1};
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(view_node(g, view_search_next(&s, 1))->total, totals[i % 4]);
    assert_int_equal(view_node(g, view_search_next(&s, -1))->total, 4);
    view_search_clear(&s);
    assert_int_equal(view_search_next(&s, 1), VIEW_NO_NODE);
    view_graph_destroy(g);
}

static void an_invalid_expression_keeps_the_search(void **state)
{
    test_tree t;
    view_search s = {0};
    brz_buf error = {0};
    (void)state;
    test_tree_init(&t, stacks);
    view_graph *g = view_graph_create(&t.tree);
    assert_true(view_search_start(&s, g, str_of("main"), &error));
    assert_false(view_search_start(&s, g, str_of("("), &error));
    assert_true(error.len > 0);
    assert_int_equal(s.n_found, 1);
    brz_buf_finish(&error);
    view_search_clear(&s);
    view_graph_destroy(g);
}

static void nothing_found_has_no_weight(void **state)
{
    test_tree t;
    view_search s = {0};
    brz_buf error = {0};
    (void)state;
    test_tree_init(&t, stacks);
    view_graph *g = view_graph_create(&t.tree);
    assert_true(view_search_start(&s, g, str_of("all"), &error)); /* the root is no frame */
    assert_int_equal(s.n_found, 0);
    assert_int_equal(s.total, 0);
    assert_int_equal(view_search_next(&s, -1), VIEW_NO_NODE);
    view_search_clear(&s);
    view_graph_destroy(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_matches_count_once_and_go_by_weight),
        cmocka_unit_test(an_invalid_expression_keeps_the_search),
        cmocka_unit_test(nothing_found_has_no_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
