/* SPDX-License-Identifier: MIT */
/* Names of frames: escaped once, and cut to the available width. */
#ifndef SVG_LABEL_H
#define SVG_LABEL_H

#include "frame_parts.h"

/* Up to this length, a text is escaped at once, into memory for the longest result: SVG_ESCAPED
 * bytes for one, as in "&quot;". */
#define SVG_SHORT   ((size_t)128)
#define SVG_ESCAPED 6

/* Writes an escaped copy of a text for XML to `to`, or nothing if that is NULL. Returns its
 * length. */
size_t svg_escape(brz_str s, char *to);

/* Returns an escaped copy for XML, or the text itself if it needs no escaping. */
brz_str svg_escaped(brz_output_ctx *ctx, brz_str s);

/* Returns the label of a frame's name, which is built on first use. */
const svg_label *svg_label_of(svg_picture *p, svg_frames *f, uint32_t frame);

/* Writes a text of any length; the writer takes long ones in pieces. Like all of these functions,
 * returns the position where the frame continues, with room for a frame after it. */
char *svg_pen_text(char *to, svg_picture *p, brz_str s);

/* Returns whether a frame that takes `width` percent of the picture has room for a label. */
bool svg_has_label(svg_picture *p, const svg_label *l, double width);

/* Writes as much of a name as fits into `width` percent of the picture. */
char *svg_pen_label(char *to, svg_picture *p, const svg_label *l, double width);

#endif
