/* SPDX-License-Identifier: MIT */
/* Reads the call trees that V8's profilers write, and counts their nodes. */
#ifndef COMMON_V8_TREE_H
#define COMMON_V8_TREE_H

#include <brazier/json.h>
#include <brazier/text.h>

#include "../json/cursor.h"
#include "../json/ids.h"

/* Members of a call frame, as written. */
typedef struct call_frame {
    brz_json_token name, url, line, column, module, kind;
} call_frame;

/* Decoded texts; reused from frame to frame. */
typedef struct frame_texts {
    brz_text name, url, module;
} frame_texts;

brz_frame frame_of(frame_texts *t, brz_ctx *ctx, const call_frame *f);

#define NO_NODE UINT32_MAX

/* A node of the call tree. */
typedef struct node {
    brz_frame frame;
    uint32_t parent;    /* index; NO_NODE for a root */
    size_t entry;       /* entry of the node's stack, from 1; 0: not looked up yet */
    size_t place;       /* on the path, from 1, if tree.placed has the node there */
    brz_json_token own; /* hits, or bytes, of the node itself */
    uint32_t context;   /* profile that the node belongs to */
    bool is_top;        /* "(root)", which stands for the whole profile */
    bool names_caller;  /* the node itself says which node calls it */
    unsigned char visited;
} node;

/* Members of a node, as written. */
typedef struct members {
    brz_json_token id, own;
    call_frame frame;
    uint32_t index; /* of the node */
    brz_str at;     /* where it begins */
} members;

/* A relation between two nodes, of which one is known by its id and may follow later. */
typedef struct relation {
    brz_str id;
    uint32_t context;
    uint32_t index;
    bool to_parent; /* the id is that of the parent of the node, not of a child */
} relation;

typedef struct tree {
    const char *own_key; /* key of a node's own hits or bytes */
    brz_stacks stacks;   /* root first */
    node *nodes;
    size_t n_nodes, nodes_cap;
    members *open; /* nodes that are not complete yet, each a child of the one before */
    size_t n_open, open_cap;
    relation *relations;
    size_t n_relations, relations_cap;
    id_table ids;     /* ids to indices */
    uint32_t context; /* profile that the ids belong to, if there are several */
    frame_texts texts;
    uint32_t *placed; /* nodes whose frames are on the path of `stacks` */
    size_t placed_cap;
    uint32_t *pending; /* nodes to be put there, innermost first */
    size_t pending_cap;
} tree;

void tree_init(tree *t, brz_ctx *ctx, const char *own_key);

/* Reads the nodes in the object or array that is open: nested nodes, or a list of nodes that refer
 * to each other by ids. */
void tree_read(tree *t, cursor *c);

/* Adds a node, with the id of its caller unless that is empty. */
void tree_add(tree *t, brz_ctx *ctx, brz_str id, brz_frame frame, brz_str parent);

/* Connects the nodes by their ids. Call it when all of them are read. */
void tree_connect(tree *t, brz_ctx *ctx);

/* Returns the index of the node with an id, or NO_NODE. */
uint32_t tree_find(const tree *t, const brz_json_token *id);

/* Returns the hits or bytes of a node itself; 0, after a report, if they are no number. */
int64_t tree_own(const tree *t, brz_ctx *ctx, uint32_t index);

/* Adds a value to a weight of a node's stack. */
brz_rc tree_count(tree *t, brz_ctx *ctx, uint32_t index, uint32_t weight, int64_t value);

#endif
