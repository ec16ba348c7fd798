/* SPDX-License-Identifier: MIT */
/* A call tree for tests of the viewer. */
#include "unit.h"

#include "view/tree.h"

static uint32_t frame_of(test_tree *t, const char *name)
{
    uint32_t i = 0;
    while (i < t->tree.n_frames && !brz_str_equal(t->frames[i].name, str_of(name)))
        i++;
    if (i == t->tree.n_frames)
        t->frames[t->tree.n_frames++].name = str_of(name);
    return i;
}

static void add(test_tree *t, const test_node *n, uint32_t before)
{
    uint32_t parent = before;
    while (t->nodes[parent].depth >= n->depth)
        parent = t->nodes[parent].parent;
    assert_true(t->n < TREE_NODES);
    t->nodes[t->n++] = (brz_node){frame_of(t, n->name), parent, 1, n->depth, n->self, n->self};
}

void test_tree_init(test_tree *t, const test_node *table)
{
    *t = (test_tree){.n = 1};
    t->nodes[0].subtree = 1;
    frame_of(t, "");
    for (; table->depth > 0; table++)
        add(t, table, t->n - 1);
    for (uint32_t i = t->n - 1; i > 0; i--) {
        brz_node *parent = &t->nodes[t->nodes[i].parent];
        parent->total += t->nodes[i].total;
        parent->subtree += t->nodes[i].subtree;
    }
    t->tree.struct_size = sizeof t->tree;
    t->tree.frame_size = sizeof *t->frames;
    t->tree.node_size = sizeof *t->nodes;
    t->tree.column_size = sizeof t->column;
    t->tree.n_nodes = t->n;
    t->tree.n_columns = 1;
    t->tree.before = t->tree.after = BRZ_NO_COLUMN;
    t->tree.nodes = t->nodes;
    t->tree.frames = t->frames;
    t->tree.columns = &t->column;
}

uint32_t test_tree_find(const test_tree *t, const char *name)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (brz_str_equal(t->frames[t->nodes[i].frame].name, str_of(name)))
            return i;
    fail_msg("no node %s", name);
    return VIEW_NO_NODE;
}
