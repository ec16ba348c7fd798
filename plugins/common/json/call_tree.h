/* SPDX-License-Identifier: MIT */
/* Reads call trees of nested objects, such as {"name": "a", "value": 5, "children": []}.
 */
#ifndef COMMON_JSON_CALL_TREE_H
#define COMMON_JSON_CALL_TREE_H

#include <brazier/text.h>

#include "column.h"
#include "cursor.h"

#define CALL_MEMBERS 12
#define CALL_NO_NODE UINT32_MAX

/* Roles of a node. */
typedef enum call_role {
    CALL_FUNCTION,
    CALL_WHOLE,  /* stands for the whole profile: its frame is part only of its own stack */
    CALL_CALLER, /* stands for the own amount of its caller: no node of its own */
} call_role;

/* A node as the format describes it. */
typedef struct call_description {
    brz_frame_desc frame;
    brz_json_token value;
    call_role role;
} call_description;

/* A format: the members of its nodes. */
typedef struct call_format {
    const char *const *keys;     /* members that `describe` receives, at most CALL_MEMBERS */
    const char *const *children; /* keys of the array of called nodes; both end with NULL */
    /* Each node has a value and an array of called nodes: what is missing is reported. */
    bool complete;
    /* Fills in what the members state. `role` is CALL_FUNCTION, and the frame's `struct_size` is
     * set. The texts stay valid until the next call. */
    void (*describe)(void *instance, brz_ctx *ctx, const brz_json_token *members, bool is_root,
                     call_description *d);
} call_format;

/* The parts of a call tree that the values of nodes include. */
typedef enum call_values {
    CALL_VALUES_AUTO,  /* those of the called nodes, unless these add up to more */
    CALL_VALUES_TOTAL, /* those of the called nodes */
    CALL_VALUES_SELF,  /* only the node itself */
} call_values;

typedef struct call_node {
    brz_frame frame;
    uint32_t caller; /* index, less than the node's own; CALL_NO_NODE for a root */
    uint32_t depth;  /* number of frames below the node's own in its stack */
    call_role role;
    bool has_value;
    bool has_called; /* it calls nodes */
    bool has_array;  /* it has an array of called nodes, which may be empty */
    const char *at;  /* a member of a node that has no value; NULL for others */
    amount value;
    int64_t called; /* sum of the values of the nodes that it calls */
} call_node;

/* A node that has not been read to its end. */
typedef struct call_open {
    uint32_t index;
    brz_json_token members[CALL_MEMBERS];
} call_open;

typedef struct call_tree {
    const call_format *format;
    void *instance; /* argument of `describe` */
    call_values values;
    column column;
    brz_stacks stacks; /* root first */
    call_node *nodes;
    size_t n_nodes, nodes_cap;
    call_open *open;
    size_t n_open, open_cap;
} call_tree;

/* Initialises a tree whose values are of a column with this name and unit. */
void call_tree_init(call_tree *t, brz_ctx *ctx, const call_format *format, void *instance,
                    brz_str column, brz_str unit);

/* Reads the node in the object that is open. */
void call_tree_read(call_tree *t, cursor *c);

/* Counts the own amount of each node. */
brz_rc call_tree_count(call_tree *t, brz_ctx *ctx);

/* Implements brz_collapser.finish for instances that begin with a call_tree. */
brz_rc call_tree_finish(brz_ctx *ctx);

#endif
