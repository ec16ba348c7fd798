/* SPDX-License-Identifier: MIT */
/* Tests that transforms are pure functions of a stack, and accept any stack. */
#include <string.h>

#include "check/drive/run_transform.h"
#include "check/inputs/sample_trees.h"
#include "tests.h"

/* Compares the results of two runs, as far as both got a stack. */
static void compare(check *c, const char *id, const brz_tree *tree, const brz_buf *one,
                    const brz_buf *two, const char *name, const char *how)
{
    for (uint32_t i = 0; i < tree->n_stacks && !check_is_over(c); i++) {
        brz_str a = brz_buf_str(&one[i]), b = brz_buf_str(&two[i]);
        if (b.len == 0 || brz_str_equal(a, b))
            continue;
        check_fail(c, 60, a, b, "%s: a stack of %s has another result %s", id, name, how);
        return;
    }
}

static void run_again(check *c, size_t component, const brz_tree *tree, const brz_buf *first,
                      check_stack_order order, const char *name, const char *how)
{
    brz_buf *again = check_transform_results(c, component, tree, order, 0);
    if (again != NULL)
        compare(c, check_id_of(c, component), tree, first, again, name, how);
    check_transform_results_free(again, tree);
}

static void look_at_purity(check *c, size_t component, const brz_tree *tree, const char *name)
{
    brz_buf *first = check_transform_results(c, component, tree, CHECK_ALL_STACKS, 0);
    if (first != NULL) {
        run_again(c, component, tree, first, CHECK_ALL_STACKS, name, "the next time");
        run_again(c, component, tree, first, CHECK_STACKS_BACKWARDS, name, "in another order");
        run_again(c, component, tree, first, CHECK_EVERY_OTHER_STACK, name,
                  "if another instance gets the stack before it");
    }
    check_transform_results_free(first, tree);
}

void check_transform_pure(check *c)
{
    check_for_each_transform(c, true, look_at_purity);
}

static void look_at_odd(check *c, size_t component, const brz_tree *tree, const char *name)
{
    (void)name;
    check_transform_results_free(check_transform_results(c, component, tree, CHECK_ALL_STACKS, 0),
                                 tree);
}

void check_transform_odd(check *c)
{
    check_for_each_transform(c, true, look_at_odd);
    check_for_each_transform(c, false, look_at_odd);
}
