/* What the parts of a frame share: texts that are made once for many frames. */
#ifndef SVG_FRAMES_H
#define SVG_FRAMES_H

#include "pen.h"
#include "svg.h"

/* What the fixed parts of a frame take at most, names and unit excepted; and what a name takes for
 * which there is room beside them. */
#define FIXED_SIZE 1000
#define NAME_SIZE  1000

/* Room for a frame, or what is left of it. */
static inline char *svg_frame_room(svg_picture *p)
{
    return brz_writer_room(&p->w, FIXED_SIZE + 3 * NAME_SIZE);
}

/* A name as it is shown, made when a frame of that name is drawn first. */
typedef struct svg_label {
    brz_str name, xml;
    size_t columns;                   /* how many characters wide the name is */
    const svg_attributes *attributes; /* NULL: it has none of its own */
} svg_label;

/* Where a row is, as text. */
typedef struct svg_row {
    char rect_y[BRZ_NUMBER_ROOM], text_y[BRZ_NUMBER_ROOM];
    uint8_t rect_len, text_len;
} svg_row;

/* What many frames have in common. */
typedef struct svg_frames {
    svg_label *labels; /* by frame; without a name: not made yet */
    svg_row *rows;     /* by depth */
    brz_str unit;      /* " samples", escaped */
    double scale;      /* from weights to percents of the width */
    double text_offset;
    double title_total;
    double per_unit; /* from weights to what titles tell */
    uint32_t decimals;
    uint32_t channel[256]; /* a colour's numbers as text, with the length in the highest byte */
    char height[2 * BRZ_NUMBER_ROOM]; /* from behind the width to the colour */
    size_t height_len;
} svg_frames;

/* label.c */

/* A copy that can stand in XML, or the text itself if it can. */
brz_str svg_escaped(brz_ctx *ctx, brz_str s);
const svg_label *svg_label_of(svg_picture *p, svg_frames *f, uint32_t frame);

/* A text of any length, which a writer takes in pieces if it is long. Like all of these functions,
 * returns where the frame goes on, with what a frame needs in front of it. */
char *svg_pen_text(char *to, svg_picture *p, brz_str s);

/* As much of a name as fits into so many percents of the picture. */
char *svg_pen_label(char *to, svg_picture *p, const svg_label *l, double width);

/* title.c */
char *svg_pen_title(char *to, svg_picture *p, const svg_frames *f, const svg_frame *frame,
                    const svg_label *l);

#endif
