/* Colours for the frames of one picture: asks the palettes of a chain until one answers. */
#ifndef BRZ_COLORING_H
#define BRZ_COLORING_H

#include <brazier/palette.h>

#include "draw/palette_chain.h"
#include "draw/palette_map.h"
#include "host/instance.h"

typedef struct brz_coloring brz_coloring;

/* The options of one picture's colours. */
typedef struct brz_coloring_options {
    const brz_chain *chain;
    brz_palette_map *map; /* colours of names that are to stay, and where new ones go; or NULL */
    bool diffusion;       /* the narrower a frame, the paler */
} brz_coloring_options;

/* What no palette has a colour for. */
#define BRZ_COLOR_OTHERWISE BRZ_RGB(0xcc, 0xcc, 0xcc)

/* Makes the colouring of one picture; NULL (after saying why) if a palette cannot prepare for it.
 * The options, but for their struct, outlive it. */
brz_coloring *brz_coloring_create(const brz_coloring_options *options, brz_run *run,
                                  const brz_tree *tree);

/* NULL is fine. */
void brz_coloring_destroy(brz_coloring *c);

/* Gives the instance of an output the services that draw with these colours; the instance does not
 * outlive them. */
void brz_coloring_serve(brz_coloring *c, brz_instance *output);

/* The colour 0xRRGGBBAA of a node about to be drawn. Frames named "-" and "--", which separate
 * parts of a stack, are grey in every palette. */
uint32_t brz_coloring_color(brz_coloring *c, const brz_tree *tree, uint32_t node);

/* What the first palette with an opinion says of the background; BRZ_COLOR_NONE if none has one. */
void brz_coloring_background(const brz_coloring *c, uint32_t colors[2]);

/* Hands `legend` what the palettes say that their colours mean. */
void brz_coloring_legend(const brz_coloring *c, const brz_tree *tree, brz_legend *legend);

/* A palette that has called a service which is for collapsers alone, or NULL. */
const brz_instance *brz_coloring_culprit(const brz_coloring *c);

#endif
