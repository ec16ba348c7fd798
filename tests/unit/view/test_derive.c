/* SPDX-License-Identifier: MIT */
/* Tests the graphs that the viewer makes of another one. */
#include "unit.h"

#include "view/derive.h"
#include "view/tree.h"

static const test_node stacks[] = {
    {1, "main", 1}, {2, "a", 0},    {3, "log", 10}, {3, "work", 0}, {4, "log", 5},
    {2, "b", 0},    {3, "log", 20}, {3, "zap", 50}, {4, "zap", 4},  {0, NULL, 0},
};

/* Fails unless the graph consists of these nodes: "name:self/total" in preorder, with a '>' for
 * each step to a callee. */
static void assert_graph(view_graph *g, const char *want)
{
    brz_buf got = {0};
    for (uint32_t i = 1; i < g->tree.n_nodes; i++) {
        const brz_node *n = view_node(g, i);
        brz_str name = view_name(g, i);
        brz_buf_printf(&got, "%s%.*s%.*s:%d/%d", i > 1 ? " " : "", (int)n->depth - 1, ">>>>>>>>",
                       (int)name.len, name.data, (int)n->self, (int)n->total);
    }
    assert_string_equal(brz_buf_text(&got), want);
    assert_int_equal(view_node(g, 0)->subtree, g->tree.n_nodes);
    assert_int_equal(g->whole, 90);
    brz_buf_finish(&got);
    view_graph_destroy(g);
}

static uint32_t frame_of(const test_tree *t, const char *name)
{
    return t->nodes[test_tree_find(t, name)].frame;
}

static void orders_directions_and_parts(void **state)
{
    test_tree t;
    (void)state;
    test_tree_init(&t, stacks);
    view_graph *g = view_graph_create(&t.tree);
    assert_graph(view_derive_order(g, VIEW_ORDER_NAME, NULL),
                 "main:1/90 >a:0/15 >>log:10/10 >>work:0/5 >>>log:5/5 >b:0/74 >>log:20/20 "
                 ">>zap:50/54 >>>zap:4/4");
    assert_graph(view_derive_order(g, VIEW_ORDER_WEIGHT, NULL),
                 "main:1/90 >b:0/74 >>zap:50/54 >>>zap:4/4 >>log:20/20 >a:0/15 >>log:10/10 "
                 ">>work:0/5 >>>log:5/5");
    assert_graph(view_derive_reverse(g, VIEW_ORDER_NAME, NULL),
                 "log:0/35 >a:0/10 >>main:10/10 >b:0/20 >>main:20/20 >work:0/5 >>a:0/5 "
                 ">>>main:5/5 main:1/1 zap:0/54 >b:0/50 >>main:50/50 >zap:0/4 >>b:0/4 >>>main:4/4");
    assert_graph(view_derive_hide(g, frame_of(&t, "a"), VIEW_ORDER_NAME, NULL),
                 "main:1/90 >b:0/74 >>log:20/20 >>zap:50/54 >>>zap:4/4 >log:10/10 >work:0/5 "
                 ">>log:5/5");
    assert_graph(view_derive_callees(g, frame_of(&t, "zap"), VIEW_ORDER_NAME, NULL),
                 "zap:50/54 >zap:4/4");
    assert_graph(view_derive_callers(g, frame_of(&t, "zap"), VIEW_ORDER_NAME, NULL),
                 "zap:0/54 >b:0/54 >>main:54/54");
    assert_graph(view_derive_callers(g, frame_of(&t, "log"), VIEW_ORDER_WEIGHT, NULL),
                 "log:0/35 >b:0/20 >>main:20/20 >a:0/10 >>main:10/10 >work:0/5 >>a:0/5 "
                 ">>>main:5/5");
    view_graph_destroy(g);
}

static void a_node_is_followed_into_another_graph(void **state)
{
    test_tree t;
    (void)state;
    test_tree_init(&t, stacks);
    view_graph *g = view_graph_create(&t.tree);
    view_graph *by_weight = view_derive_order(g, VIEW_ORDER_WEIGHT, NULL);
    for (uint32_t i = 0; i < g->tree.n_nodes; i++) {
        uint32_t there = view_derive_follow(by_weight, g, i);
        assert_int_equal(view_derive_follow(g, by_weight, there), i);
        assert_int_equal(view_node(by_weight, there)->total, view_node(g, i)->total);
    }
    view_graph_destroy(by_weight);
    view_graph_destroy(g);
}

static void many_callees_are_told_apart(void **state)
{
    test_tree t;
    view_builder b;
    (void)state;
    test_tree_init(&t, stacks);
    view_graph *g = view_graph_create(&t.tree);
    view_builder_init(&b, g);
    uint32_t node = 0;
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t callee = view_builder_callee(&b, node, i % 5 + 1);
        assert_int_equal(view_builder_callee(&b, node, i % 5 + 1), callee);
        node = i % 3 == 0 ? callee : node;
    }
    view_graph *made = view_builder_finish(&b, VIEW_ORDER_NAME);
    assert_true(made->tree.n_nodes > 3000);
    assert_int_equal(view_node(made, 0)->subtree, made->tree.n_nodes);
    view_graph_destroy(made);
    view_graph_destroy(g);
}

static void runs_of_unnamed_frames_are_folded(void **state)
{
    static const test_node with_runs[] = {
        {1, "main", 1}, {2, "[a]", 0},  {3, "[a]", 2}, {4, "[a]", 3}, {5, "f", 10}, {3, "f", 5},
        {2, "[b]", 4},  {3, "[a]", 60}, {2, "g", 5},   {3, "g", 0},   {0, NULL, 0},
    };
    test_tree t;
    (void)state;
    test_tree_init(&t, with_runs);
    view_graph *g = view_graph_create(&t.tree);
    view_graph *folded = view_derive_fold(view_graph_keep(g), VIEW_ORDER_NAME, NULL);
    assert_ptr_equal(folded->base, g);
    assert_int_equal(view_run(folded, 2), 3);
    assert_int_equal(view_run(folded, 1), 1);
    for (uint32_t i = 0; i < folded->tree.n_nodes; i++)
        assert_int_equal(view_derive_follow(folded, g, view_derive_follow(g, folded, i)), i);
    for (uint32_t i = 0; i < g->tree.n_nodes; i++)
        assert_true(view_node(folded, view_derive_follow(folded, g, i))->total >=
                    view_node(g, i)->total);
    assert_graph(folded, "main:1/90 >[a]:5/20 >>f:15/15 >[b]:4/64 >>[a]:60/60 >g:5/5 >>g:0/0");
    view_graph_destroy(g);
}

static void without_runs_the_graph_stays(void **state)
{
    test_tree t;
    (void)state;
    test_tree_init(&t, stacks);
    view_graph *g = view_graph_create(&t.tree);
    assert_ptr_equal(view_derive_fold(g, VIEW_ORDER_WEIGHT, NULL), g);
    view_graph_destroy(g);
}

static void names_are_sorted_once(void **state)
{
    test_tree t;
    (void)state;
    test_tree_init(&t, stacks);
    view_graph *g = view_graph_create(&t.tree);
    view_graph *reversed = view_derive_reverse(g, VIEW_ORDER_NAME, NULL);
    const uint32_t *ranks = g->ranks->of_frames;
    assert_non_null(ranks);
    view_graph *ordered = view_derive_order(reversed, VIEW_ORDER_WEIGHT, NULL);
    view_graph_destroy(g);
    view_graph_destroy(reversed);
    assert_ptr_equal(ordered->ranks->of_frames, ranks);
    assert_int_equal(ordered->ranks->users, 1);
    view_graph_destroy(ordered);
}

static void a_graph_that_is_not_needed_is_dropped(void **state)
{
    test_tree t;
    atomic_bool stop = true;
    (void)state;
    test_tree_init(&t, stacks);
    view_graph *g = view_graph_create(&t.tree);
    assert_null(view_derive_fold(view_graph_keep(g), VIEW_ORDER_WEIGHT, &stop));
    assert_int_equal(g->users, 1);
    assert_null(view_derive_order(g, VIEW_ORDER_WEIGHT, &stop));
    assert_null(view_derive_reverse(g, VIEW_ORDER_NAME, &stop));
    assert_null(view_derive_callers(g, frame_of(&t, "zap"), VIEW_ORDER_NAME, &stop));
    view_graph_destroy(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_directions_and_parts),
        cmocka_unit_test(a_node_is_followed_into_another_graph),
        cmocka_unit_test(many_callees_are_told_apart),
        cmocka_unit_test(runs_of_unnamed_frames_are_folded),
        cmocka_unit_test(without_runs_the_graph_stays),
        cmocka_unit_test(names_are_sorted_once),
        cmocka_unit_test(a_graph_that_is_not_needed_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
