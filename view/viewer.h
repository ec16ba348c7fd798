/* SPDX-License-Identifier: MIT */
/* The state of the viewer while it shows a profile. */
#ifndef BRZ_VIEW_VIEWER_H
#define BRZ_VIEW_VIEWER_H

#include "base/buf.h"
#include "plugins/output/common/short_name.h"
#include "view/layout.h"
#include "view/live.h"
#include "view/making.h"
#include "view/screen.h"
#include "view/search.h"
#include "view/table.h"

/* What fills the screen. */
typedef enum view_mode {
    VIEW_PICTURE,
    VIEW_TABLE,
} view_mode;

/* What a line of input is for. */
typedef enum view_prompt {
    VIEW_PROMPT_NONE,
    VIEW_PROMPT_SEARCH,
} view_prompt;

typedef struct viewer {
    brz_output_ctx *ctx;
    brz_view_live *live; /* NULL: the profile does not grow */
    bool is_paused;
    brz_arena memory; /* holds the steps */
    view_screen *screen;
    view_places places;
    view_making *making;              /* the change that is being made; NULL: none */
    view_layout layout, other_layout; /* of the pane that has the choice, and of the other one */
    view_search search;
    short_names names;
    view_table table; /* of the graph that is shown, if it was opened */
    view_mode mode;
    bool is_helping; /* the list of keys covers the screen */
    view_prompt prompt;
    brz_buf input;       /* text typed after the prompt */
    brz_buf message;     /* shown until the next key */
    uint32_t help_first; /* line of the help at the top of the screen */
    bool inverted;       /* root on top */
    bool ends;
} viewer;

/* The rows of the screen in which a pane is drawn. */
typedef struct view_area {
    uint32_t top, rows;
    bool root_on_top;
} view_area;

/* Returns the rows of the pane that has the choice, or of the other one. */
view_area viewer_area(const viewer *v, bool has_choice);

/* Lays out the panes, with the chosen frames in them. */
void viewer_lay_out(viewer *v);

/* Shows other graphs, in which the search goes on. */
void viewer_enter(viewer *v, const view_place *place);

/* Returns to the place before. */
void viewer_undo(viewer *v);

/* Gives the choice to the other pane, if there is one. */
void viewer_switch(viewer *v);

/* Appends a blank and what a growing profile shows; nothing if the profile does not grow. */
void viewer_add_live(const viewer *v, brz_buf *b);

/* Zooms to a node, unless it is shown already. */
void viewer_zoom(viewer *v, uint32_t node);

#endif
