/* The frames as data for the script. */
#ifndef SVG_DATA_H
#define SVG_DATA_H

#include "frame_parts.h"

/* Writes the tree and the names of its frames; f->colors holds the colours of the drawn ones. */
void svg_put_data(svg_picture *p, svg_frames *f);

#endif
