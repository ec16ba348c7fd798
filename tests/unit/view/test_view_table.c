/* SPDX-License-Identifier: MIT */
/* Tests the table of functions of the viewer. */
#include "unit.h"

#include "view/derive.h"
#include "view/table.h"
#include "view/tree.h"

static const test_node stacks[] = {
    {1, "main", 1}, {2, "a", 4}, {2, "b", 3}, {2, "c", 2}, {0, NULL, 0},
};

static void a_table_of_another_graph_keeps_the_row_and_the_part_that_is_shown(void **state)
{
    (void)state;
    test_tree of;
    view_table t = {.sort = VIEW_SORT_NAME};
    test_tree_init(&of, stacks);
    view_graph *g = view_graph_create(&of.tree);
    view_table_fill(&t, g);
    assert_int_equal(t.n, 4);
    t.top = 1;
    t.selected = 2;
    uint32_t frame = t.rows[2].frame;
    view_graph *turned = view_derive_reverse(g, VIEW_ORDER_NAME, NULL);
    view_table_replace(&t, turned);
    assert_ptr_equal(t.graph, turned);
    assert_int_equal(t.rows[t.selected].frame, frame);
    assert_int_equal(t.top, 1);
    view_graph *part = view_derive_callees(g, frame, VIEW_ORDER_NAME, NULL);
    view_table_replace(&t, part);
    assert_int_equal(t.n, 1);
    assert_int_equal(t.selected, 0);
    assert_int_equal(t.top, 0);
    view_table_finish(&t);
    view_graph_destroy(part);
    view_graph_destroy(turned);
    view_graph_destroy(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_of_another_graph_keeps_the_row_and_the_part_that_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
