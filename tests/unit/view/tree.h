/* SPDX-License-Identifier: MIT */
/* A call tree for tests of the viewer: lines such as "a;b 3", sorted, make nodes with names. */
#ifndef BRZ_TEST_VIEW_TREE_H
#define BRZ_TEST_VIEW_TREE_H

#include "view/graph.h"

#define TREE_NODES 64

typedef struct test_tree {
    brz_tree tree;
    brz_node nodes[TREE_NODES];
    brz_frame_info frames[TREE_NODES];
    brz_column_info column;
    uint32_t n;
} test_tree;

/* A node of a table: its depth, name, and weight without its callees, in preorder. The root is not
 * in the table. Equal names are one frame. */
typedef struct test_node {
    uint32_t depth;
    const char *name;
    int64_t self;
} test_node;

/* Fills in a tree from a table that ends with depth 0. */
void test_tree_init(test_tree *t, const test_node *table);

/* Returns the first node with this name. */
uint32_t test_tree_find(const test_tree *t, const char *name);

#endif
