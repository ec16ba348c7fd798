/* SPDX-License-Identifier: MIT */
/* The way from the graph of a profile to the one that is shown, so that it can be gone again from
 * the graph of another profile. */
#ifndef BRZ_VIEW_STEPS_H
#define BRZ_VIEW_STEPS_H

#include "base/arena.h"
#include "base/buf.h"
#include "view/derive.h"

typedef enum view_step_kind {
    VIEW_STEP_WEIGHT,
    VIEW_STEP_REVERSE,
    VIEW_STEP_HIDE,
    VIEW_STEP_FOCUS,
    VIEW_STEP_SANDWICH,
} view_step_kind;

/* A step; steps are never changed, so that places may share them. */
typedef struct view_step {
    const struct view_step *before; /* NULL: it begins at the graph of the profile */
    view_step_kind kind;
    uint32_t column;      /* of a weight */
    brz_str name, module; /* of the function that is hidden, or shown */
} view_step;

/* Returns a step after another one, or NULL. `frame` is one of the tree, unless the kind has none.
 */
const view_step *view_step_add(brz_arena *memory, const view_step *before, view_step_kind kind,
                               const brz_tree *tree, uint32_t frame);

/* Returns the step to another weight, which is the first one. */
const view_step *view_step_weight(brz_arena *memory, uint32_t column);

/* Returns the step that chose the weight, or NULL. */
const view_step *view_step_of_weight(const view_step *s);

/* Returns the graph of a profile after all steps, and for the last step, if it shows callers, too,
 * that of the callers in *callers, which otherwise becomes NULL. */
view_graph *view_steps_follow(const view_step *s, const brz_tree *tree, view_order order,
                              view_graph **callers);

/* Appends the names of the callers of a node and its own. */
void view_path_add(brz_buf *path, const view_graph *g, uint32_t node);

/* Returns the node that such names lead to, as far as a graph has them. */
uint32_t view_path_follow(const brz_buf *path, const view_graph *g);

#endif
