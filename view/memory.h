/* SPDX-License-Identifier: MIT */
/* Keeps what the viewer shows from one profile to the next. */
#ifndef BRZ_VIEW_MEMORY_H
#define BRZ_VIEW_MEMORY_H

#include "view/viewer.h"

/* A node by its names, and where these lead to in the present graph, which may lack it. */
typedef struct view_kept_node {
    brz_buf path;
    uint32_t node;
} view_kept_node;

/* The nodes that a place shows. */
typedef struct view_kept_place {
    view_kept_node zoom, selected;
    view_kept_node other_zoom, other_selected; /* of the other pane */
} view_kept_place;

typedef struct view_memory {
    view_kept_place *places; /* those of the past, and the present one */
    size_t n_places;
    brz_buf expression;           /* of the search */
    brz_buf row_name, row_module; /* of the chosen row of the table */
    bool searches;
} view_memory;

/* Keeps the names of what is shown, and destroys the graphs. */
void view_memory_keep(view_memory *m, viewer *v);

/* Shows it again in the graphs of another tree. */
void view_memory_restore(view_memory *m, viewer *v, const brz_tree *tree);

/* Forgets it. */
void view_memory_finish(view_memory *m);

#endif
