/* SPDX-License-Identifier: MIT */
/* Types and functions shared by the parts of a frame: texts that are built once for many frames. */
#ifndef SVG_FRAME_PARTS_H
#define SVG_FRAME_PARTS_H

#include "pen.h"
#include "picture.h"

/* Maximum size of a frame's fixed parts, without names and unit; and the longest escaped name that
 * fits beside them. */
#define FIXED_SIZE 1000
#define NAME_SIZE  1000

/* Returns a buffer with room for a frame, or for the rest of one. */
static inline char *svg_frame_room(svg_picture *p)
{
    return brz_writer_room(&p->w, FIXED_SIZE + 3 * NAME_SIZE);
}

/* A name as it is shown, built when the first frame of that name is drawn. */
typedef struct svg_label {
    brz_str name, xml;                /* the frame's, and as XML */
    brz_str shown, shown_xml;         /* the same for readers */
    size_t columns;                   /* display width of the shown name, in characters */
    const svg_attributes *attributes; /* NULL: none of its own */
} svg_label;

/* The position of a row, as text. */
typedef struct svg_row {
    char rect_y[BRZ_NUMBER_ROOM], text_y[BRZ_NUMBER_ROOM];
    uint8_t rect_len, text_len;
} svg_row;

/* A frame that is drawn. */
typedef struct svg_drawn {
    uint32_t node, color;
} svg_drawn;

/* Data shared by many frames. */
typedef struct svg_frames {
    svg_label **labels; /* indexed by frame; NULL until built */
    svg_row *rows;      /* indexed by depth */
    brz_str unit;       /* " samples", escaped */
    brz_str unit_of_1;  /* " sample", escaped */
    double scale;       /* percentage of the width per unit of weight */
    double text_offset;
    double title_total;
    double per_unit; /* weight per unit shown in titles */
    uint32_t decimals;
    uint32_t channel[256]; /* numbers 0 to 255 as text, with the length in the highest byte */
    char height[2 * BRZ_NUMBER_ROOM]; /* text between the width and the colour */
    size_t height_len;
    svg_drawn *drawn;          /* indexed by place */
    struct svg_pieces *pieces; /* NULL: each frame is a group */
} svg_frames;

/* Writes the tree and the names of its frames as data for the script; f->drawn holds the colours
 * of the drawn ones. */
void svg_put_data(svg_picture *p, svg_frames *f);

#endif
