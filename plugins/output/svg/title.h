/* Titles of frames. */
#ifndef SVG_TITLE_H
#define SVG_TITLE_H

#include "frame_parts.h"

/* Writes the title of a frame; returns the position after it, with room for a frame. */
char *svg_pen_title(char *to, svg_picture *p, const svg_frames *f, const svg_frame *frame,
                    const svg_label *l);

#endif
