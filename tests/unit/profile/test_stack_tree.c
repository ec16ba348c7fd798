/* SPDX-License-Identifier: MIT */
/* Tests trees of stacks, whose nodes share the frames that their stacks begin with. */
#include "unit.h"

#include "profile/stack_tree.h"

static void a_frame_below_a_node_is_one_node(void **state)
{
    (void)state;
    brz_stack_tree t = {0};
    brz_stack_tree_clear(&t);
    for (int again = 0; again < 2; again++)
        for (uint32_t i = 0, node = 0; i < 1000; i++) {
            assert_int_equal(brz_stack_tree_child(&t, node, 7), node + 1);
            node = brz_stack_tree_child(&t, node, 7);
            assert_int_equal(t.nodes[node].depth, i + 1);
        }
    assert_int_equal(t.n, 1001);
    assert_int_equal(brz_stack_tree_child(&t, 0, 8), 1001);
    brz_stack_tree_clear(&t);
    assert_int_equal(brz_stack_tree_child(&t, 0, 8), 1);
    brz_stack_tree_finish(&t);
}

static void stored_stacks_share_frames_with_the_longest_one(void **state)
{
    (void)state;
    brz_stack_tree t = {0};
    brz_profile *p = brz_profile_create();
    brz_frame *paths[5] = {NULL};
    brz_stack_tree_clear(&t);
    uint32_t one = brz_stack_tree_add(&t, 0, 10), two = brz_stack_tree_add(&t, one, 20);
    uint32_t three = brz_stack_tree_add(&t, two, 30), other = brz_stack_tree_add(&t, one, 40);
    t.nodes[0].mark = t.nodes[one].mark = t.nodes[three].mark = t.nodes[other].mark = 1;
    brz_stack_tree_store(&t, p, paths);
    assert_int_equal(p->n_ids, 5);
    assert_non_null(paths[0]);
    assert_ptr_equal(paths[one], paths[other]);
    assert_int_equal(paths[other][0], 10);
    assert_int_equal(paths[other][1], 40);
    assert_memory_equal(paths[three], ((brz_frame[]){10, 20, 30}), 3 * sizeof(brz_frame));
    brz_stack_tree_finish(&t);
    brz_profile_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_below_a_node_is_one_node),
        cmocka_unit_test(stored_stacks_share_frames_with_the_longest_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
