/* The state of the viewer while it shows a profile. */
#ifndef BRZ_VIEW_VIEWER_H
#define BRZ_VIEW_VIEWER_H

#include "base/buf.h"
#include "plugins/output/common/short_name.h"
#include "view/layout.h"
#include "view/places.h"
#include "view/screen.h"
#include "view/search.h"

/* What fills the screen. */
typedef enum view_mode {
    VIEW_PICTURE,
    VIEW_HELP,
} view_mode;

/* What a line of input is for. */
typedef enum view_prompt {
    VIEW_PROMPT_NONE,
    VIEW_PROMPT_SEARCH,
} view_prompt;

typedef struct viewer {
    brz_output_ctx *ctx;
    view_screen *screen;
    view_places places;
    view_layout layout;
    view_search search;
    short_names names;
    view_mode mode;
    view_prompt prompt;
    brz_buf input;   /* text typed after the prompt */
    brz_buf message; /* shown until the next key */
    bool inverted;   /* root on top */
    bool ends;
} viewer;

/* Returns the number of rows of the picture: all but those of the status. */
uint32_t viewer_picture_rows(const viewer *v);

/* Lays out the picture, with the chosen frame in it. */
void viewer_lay_out(viewer *v);

/* Shows the root of another graph, in which the search goes on. */
void viewer_enter(viewer *v, view_graph *graph);

/* Returns to the place before. */
void viewer_undo(viewer *v);

/* Zooms to a node, unless it is shown already. */
void viewer_zoom(viewer *v, uint32_t node);

#endif
