/* SPDX-License-Identifier: MIT */
/* Runs a transform on the stacks of a tree. */
#ifndef BRZ_CHECK_RUN_TRANSFORM_H
#define BRZ_CHECK_RUN_TRANSFORM_H

#include "check/contract/check.h"
#include "check/guard/host_monitor.h"
#include "profile/call_tree.h"

/* The stacks that a transform gets, in their order. */
typedef enum check_stack_order {
    CHECK_ALL_STACKS,
    CHECK_STACKS_BACKWARDS,
    CHECK_EVERY_OTHER_STACK,
} check_stack_order;

/* A transform at work. */
typedef struct check_transform_run {
    check *check;
    const brz_loaded *loaded;
    const brz_transform *transform;
    const brz_tree *stacks; /* the tree whose stacks it gets */
    brz_tree tree;          /* the same without stacks */
    brz_instance *instance;
    check_host_monitor monitor;
    check_guarded_buffer frames;
    unsigned newer;
} check_transform_run;

/* Opens an instance for a tree. Returns false after reporting a failure if `open` fails. `newer`:
 * see host_monitor.h. */
bool check_transform_run_begin(check_transform_run *t, check *c, size_t component,
                               const brz_tree *tree, unsigned newer);

/* Applies the transform to stack `i`, `before` which it got another one, or UINT32_MAX. Appends the
 * result as text. Returns false after reporting a failure. */
bool check_transform_run_apply(check_transform_run *t, uint32_t i, uint32_t before, brz_buf *to);

/* Reports violations in the transform's calls to the host. */
void check_transform_run_end(check_transform_run *t);

/* Returns the results for the stacks of a tree, by stack, to be freed with
 * check_transform_results_free(). Those that the transform did not get are empty. Returns NULL
 * after reporting a failure. */
brz_buf *check_transform_results(check *c, size_t component, const brz_tree *tree,
                                 check_stack_order order, unsigned newer);
void check_transform_results_free(brz_buf *results, const brz_tree *tree);

typedef void check_with_tree(check *c, size_t component, const brz_tree *tree, const char *name);

/* Calls `run` for each transform and each tree, typical or unusual, whose arrays are
 * write-protected: with the default options, and with each other value of each option. `name`
 * describes the tree and the option. */
void check_for_each_transform(check *c, bool typical, check_with_tree *run);

/* The form of trees that transforms get. */
extern const brz_call_tree_options check_transform_tree;

#endif
