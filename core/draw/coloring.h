/* SPDX-License-Identifier: MIT */
/* Computes the colours of a picture: asks the palettes of a chain until one returns a colour. */
#ifndef BRZ_COLORING_H
#define BRZ_COLORING_H

#include <brazier/palette.h>

#include "draw/palette_chain.h"
#include "draw/palette_map.h"
#include "host/instance.h"

typedef struct brz_coloring brz_coloring;

/* Options for colouring a picture. */
typedef struct brz_coloring_options {
    const brz_chain *chain;
    brz_palette_map *map;  /* fixed colours of names, to which new ones are added; or NULL */
    bool diffusion;        /* narrower frames are paler */
    const brz_tree *usual; /* tree of the weight that is usually shown, with the same frames; NULL:
                            * that of the picture */
} brz_coloring_options;

/* The colour of frames for which no palette has a colour. */
#define BRZ_COLOR_OTHERWISE BRZ_RGB(0xcc, 0xcc, 0xcc)

/* Creates the colouring of a picture. Palettes that depend only on frames are prepared for the
 * usual weight, so that frames have the same colours in pictures of all weights. Returns NULL after
 * reporting an error if a palette fails to prepare. The palettes, the trees and the map must
 * outlive it; the options struct need not. */
brz_coloring *brz_coloring_create(const brz_coloring_options *options, brz_run *run,
                                  const brz_tree *tree);

/* Destroys a colouring; NULL is allowed. */
void brz_coloring_destroy(brz_coloring *c);

/* Gives an output's instance the services that draw with these colours. The instance must not
 * outlive the colouring. */
void brz_coloring_serve(brz_coloring *c, brz_instance *output);

/* Returns the colour of a node, as 0xRRGGBBAA; called in drawing order. Frames named "-" and "--",
 * which separate parts of a stack, are grey in every palette. */
uint32_t brz_coloring_color(brz_coloring *c, const brz_tree *tree, uint32_t node);

/* Stores the background of the first palette that has one, or BRZ_COLOR_NONE. */
void brz_coloring_background(const brz_coloring *c, uint32_t colors[2]);

/* Adds the meanings of the palettes' colours to `legend`. */
void brz_coloring_legend(const brz_coloring *c, const brz_tree *tree, brz_legend *legend);

#endif
