/* SPDX-License-Identifier: MIT */
/* Tests which frame each cell of the screen belongs to. */
#include "unit.h"

#include "view/layout.h"
#include "view/tree.h"

static const test_node stacks[] = {
    {1, "main", 0},  {2, "emit", 10}, {3, "write", 20}, {2, "parse", 0}, {3, "lex", 25},
    {3, "read", 40}, {3, "none", 0},  {2, "narrow", 1}, {0, NULL, 0},
};

/* Fails unless a row consists of these first letters, with a blank for no frame. */
static void assert_row(const view_layout *l, const view_graph *g, uint32_t row, const char *want)
{
    char got[128] = "";
    for (uint32_t column = 0; column < l->columns; column++) {
        uint32_t node = view_layout_at(l, row, column);
        got[column] = node == VIEW_NO_NODE ? ' ' : view_name(g, node).data[0];
    }
    assert_string_equal(got, want);
}

static void a_cell_shows_the_frame_at_its_centre(void **state)
{
    test_tree t;
    view_layout l = {0};
    (void)state;
    test_tree_init(&t, stacks);
    view_graph *g = view_graph_create(&t.tree);
    view_layout_resize(&l, 5, 12, 0);
    view_layout_fill(&l, g, 0);
    assert_row(&l, g, 0, "aaaaaaaaaaaa");
    assert_row(&l, g, 1, "mmmmmmmmmmmm");
    assert_row(&l, g, 2, "eeeepppppppp");
    assert_row(&l, g, 3, " wwwlllrrrrr");
    assert_row(&l, g, 4, "            ");
    view_layout_finish(&l);
    view_graph_destroy(g);
}

static void the_frame_that_fills_the_width_has_its_callers_below(void **state)
{
    test_tree t;
    view_layout l = {0};
    (void)state;
    test_tree_init(&t, stacks);
    view_graph *g = view_graph_create(&t.tree);
    view_layout_resize(&l, 3, 13, 1);
    view_layout_fill(&l, g, test_tree_find(&t, "parse"));
    assert_row(&l, g, 0, "mmmmmmmmmmmmm");
    assert_row(&l, g, 1, "ppppppppppppp");
    assert_row(&l, g, 2, "lllllrrrrrrrr");
    view_layout_fill(&l, g, test_tree_find(&t, "none"));
    assert_row(&l, g, 2, "nnnnnnnnnnnnn");
    view_layout_finish(&l);
    view_graph_destroy(g);
}

static void a_picture_of_nothing_shows_the_root(void **state)
{
    static const test_node nothing[] = {{1, "zero", 0}, {0, NULL, 0}};
    test_tree t;
    view_layout l = {0};
    (void)state;
    test_tree_init(&t, nothing);
    view_graph *g = view_graph_create(&t.tree);
    view_layout_resize(&l, 2, 3, 0);
    view_layout_fill(&l, g, 0);
    assert_row(&l, g, 0, "aaa");
    assert_row(&l, g, 1, "   ");
    view_layout_finish(&l);
    view_graph_destroy(g);
}

static void spans_and_the_widest_frame_are_found(void **state)
{
    test_tree t;
    view_layout l = {0};
    view_span span;
    (void)state;
    test_tree_init(&t, stacks);
    view_graph *g = view_graph_create(&t.tree);
    view_layout_resize(&l, 5, 12, 0);
    view_layout_fill(&l, g, 0);
    assert_true(view_layout_find(&l, g, test_tree_find(&t, "lex"), &span));
    assert_int_equal(span.from, 4);
    assert_int_equal(span.to, 7);
    assert_false(view_layout_find(&l, g, test_tree_find(&t, "narrow"), &span));
    assert_int_equal(view_layout_widest(&l, 3, (view_span){0, 12}), test_tree_find(&t, "read"));
    assert_int_equal(view_layout_widest(&l, 4, (view_span){0, 12}), VIEW_NO_NODE);
    view_layout_finish(&l);
    view_graph_destroy(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_shows_the_frame_at_its_centre),
        cmocka_unit_test(the_frame_that_fills_the_width_has_its_callers_below),
        cmocka_unit_test(a_picture_of_nothing_shows_the_root),
        cmocka_unit_test(spans_and_the_widest_frame_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
