/* SPDX-License-Identifier: MIT */
/* The picture of the frames in few elements. */
#ifndef SVG_PIECES_H
#define SVG_PIECES_H

#include "frame_parts.h"

typedef struct svg_pieces svg_pieces;

/* Returns an empty picture; its memory lives as long as the output's instance. */
svg_pieces *svg_pieces_create(svg_picture *p);

/* Adds a frame. Frames of a row come from left to right. */
void svg_pieces_add(svg_pieces *s, svg_picture *p, const svg_frame *frame, const svg_label *l,
                    uint32_t color);

/* Writes all frames: their shapes, then their labels. */
void svg_pieces_put(svg_pieces *s, svg_picture *p, const svg_frames *f);

#endif
