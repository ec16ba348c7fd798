/* SPDX-License-Identifier: MIT */
/* Call trees in JSON as d3-flame-graph draws them, whose values become samples:
 *
 *     node := {"name": "…", "value": n, "children": [node*], …}
 *           | {"n": "…", "v": n, "c": [node*], "l": "kernel"|""}
 */
#ifndef COMMON_JSON_D3_TREE_H
#define COMMON_JSON_D3_TREE_H

#include "call_tree.h"

typedef struct d3_tree {
    call_tree tree; /* first, for call_tree_finish() */
    brz_text name, module, file;
} d3_tree;

void d3_tree_init(d3_tree *d, brz_ctx *ctx, call_values values);

#endif
