/* Colours for the frames of one picture: asks the palettes of a chain until one answers. */
#ifndef BRZ_COLORING_H
#define BRZ_COLORING_H

#include <brazier/palette.h>

#include "instance.h"

/* A palette and what it was told. */
typedef struct brz_palette_use {
    const brz_loaded *loaded;
    const void *cfg;
} brz_palette_use;

/* Makes the colouring of one picture; NULL (after saying why) if a palette cannot prepare for it.
 */
brz_coloring *brz_coloring_create(const brz_palette_use *chain, size_t n, brz_run *run,
                                  const brz_tree *tree);
void brz_coloring_destroy(brz_coloring *c);

/* The colour 0xRRGGBBAA of a node about to be drawn. Frames named "-" and "--", which separate
 * parts of a stack, are grey in every palette. */
uint32_t brz_coloring_color(brz_coloring *c, const brz_tree *tree, uint32_t node);

/* What the first palette with an opinion says of the background; BRZ_COLOR_NONE if none has one. */
void brz_coloring_background(const brz_coloring *c, uint32_t colors[2]);

/* A palette that has called a service which is for collapsers alone, or NULL. */
const brz_instance *brz_coloring_culprit(const brz_coloring *c);

#endif
