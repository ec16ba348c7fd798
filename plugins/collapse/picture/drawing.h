/* SPDX-License-Identifier: MIT */
/* A flame graph in the elements of SVG: brazier's own data, or else its boxes. */
#ifndef PICTURE_DRAWING_H
#define PICTURE_DRAWING_H

#include "elements.h"
#include "own_tree.h"

typedef struct drawing {
    brz_ctx *ctx;
    graph graph;
    elements elements;
    own_tree own;
    bool is_own;     /* brazier has drawn it */
    bool is_over;    /* another picture follows, which is left out */
    size_t n_open;   /* elements <svg> that have not ended */
    const char *end; /* of what was read */
} drawing;

void drawing_init(drawing *d, brz_ctx *ctx);

/* Reads the tag that a markup has come to. */
void drawing_read(drawing *d, markup *m);

/* Returns whether there is a flame graph in what was read. */
bool drawing_is_any(const drawing *d);

/* Reports that the input has no flame graph, with advice. Returns BRZ_ERROR. */
brz_rc drawing_refuse(drawing *d);

/* Counts the stacks, when all tags are read. */
brz_rc drawing_count(drawing *d);

#endif
