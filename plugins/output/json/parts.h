/* The weight of nodes, divided by the labels of samples. */
#ifndef OUTPUT_JSON_PARTS_H
#define OUTPUT_JSON_PARTS_H

#include "../common/label_sets.h"

/* The part of a node's own weight whose samples have the same labels. */
typedef struct part {
    uint32_t node, labels;
    int64_t value; /* in the run's weight, not 0 */
} part;

typedef struct parts {
    label_sets labels;
    part *items; /* sorted by node, then by labels */
    size_t n;    /* 0: there are no labels */
    size_t at;   /* the next part to be read */
} parts;

/* Divides the nodes' own weights. Without labels, in comparisons and in the order of time there are
 * no parts. The memory belongs to the plug-in instance. */
void parts_init(parts *p, brz_output_ctx *ctx, const brz_tree *tree);

/* Returns whether the next part belongs to a node. */
bool parts_has(const parts *p, uint32_t node);

/* Stores the next part in *next. Returns false if it does not belong to the node. */
bool parts_next(parts *p, uint32_t node, part *next);

#endif
