/* SPDX-License-Identifier: MIT */
/* A picture that is being written: its options, its measures, and the frames to be drawn; and the
 * functions by which the parts of the SVG output use each other. */
#ifndef SVG_PICTURE_H
#define SVG_PICTURE_H

#include <brazier/plugin.h>
#include <brazier/write.h>

#include "../common/amount.h"
#include "../common/ink.h"
#include "../common/short_name.h"

typedef struct svg_options {
    bool inverted, truncate_right, javascript, pretty, legend, compact;
    int64_t width, height, fontsize;
    double minwidth; /* percent; negative: pixels */
    double factor, fontwidth, total;
    brz_str title, subtitle, notes, countname, fonttype, nametype, bgcolors, nameattr;
    uint32_t uicolor, searchcolor, strokecolor;
    int32_t theme; /* an svg_theme */
    int32_t unit;  /* an svg_unit_option */
    int32_t label; /* an svg_label_option */
    int32_t ink;   /* an svg_ink_option */
    int32_t order; /* an svg_order_option */
} svg_options;

typedef enum svg_theme { SVG_AUTO, SVG_LIGHT, SVG_DARK } svg_theme;

typedef enum svg_unit_option { SVG_UNIT_PLAIN, SVG_UNIT_AUTO } svg_unit_option;

typedef enum svg_label_option { SVG_LABEL_SMART, SVG_LABEL_TAIL } svg_label_option;

typedef enum svg_order_option { SVG_ORDER_NAME, SVG_ORDER_WEIGHT } svg_order_option;

typedef enum svg_ink_option { SVG_INK_AUTO, SVG_INK_BLACK } svg_ink_option;

/* Lengths are pixels. */
typedef struct svg_measures {
    double total; /* weight of the whole picture */
    uint64_t
        whole; /* the same as an integer; more than the samples' weight if the options say so */
    double min_percent; /* frames below this percentage of the whole are not drawn */
    double min_width;   /* the same as a weight */
    uint32_t max_depth; /* maximum depth of the drawn frames */
    int64_t image_width, image_height;
    int64_t top, bottom; /* height of titles and of the status line */
    int64_t legend;      /* height of the legend, included in `top` */
    /* characters that fit per percent of a frame's width, and padding to subtract */
    double label_columns, label_padding;
} svg_measures;

typedef struct svg_legend svg_legend;
typedef struct svg_attributes svg_attributes;

/* State of one picture being written. */
typedef struct svg_picture {
    brz_output_ctx *ctx;
    const svg_options *options;
    const brz_tree *tree;         /* in the order of the picture */
    const brz_tree *palette_tree; /* in the order of the host, for palettes */
    brz_tree ordered;             /* the former, if it differs */
    uint32_t *origins;            /* then: by node, its number in the latter; else NULL */
    svg_measures m;
    brz_writer w;
    uint64_t n_drawn, n_narrow;
    bool has_units; /* titles show times or sizes, by `scale` */
    amount_scale scale;
    brz_str countname;           /* what is counted, if titles show counts */
    svg_attributes **attributes; /* attributes of functions, sorted by function name */
    size_t n_attributes;
    svg_legend *legend;      /* NULL: no legend */
    const uint64_t *counted; /* samples before each node; NULL: titles show none */
    short_names names;
    ink ink;
} svg_picture;

/* A frame to be drawn. */
typedef struct svg_frame {
    uint32_t node;
    uint32_t place;      /* among the drawn frames in the order of nodes */
    uint64_t start, end; /* total weight to its left, and that plus its own weight */
    uint64_t narrow;     /* total weight of its callees that are too narrow to be drawn */
} svg_frame;

/* In pictures of changes, frames with a change of at least this share of the picture have an
 * outline that says so; the viewer has the same number. */
#define SVG_OUTLINED 0.01

#define SVG_SIDE 10 /* padding on the left and on the right */

/* Returns the number of weight units per 1 shown: 10 to the power of the weight's decimals. */
double svg_steps(const brz_tree *tree);

/* Fills in m->max_depth and counts the frames that are too narrow to be drawn. */
void svg_count_frames(svg_picture *p);

/* Calls `draw` for each frame that is wide enough, in drawing order: a frame is drawn when the
 * traversal leaves it, outer frames before inner ones. */
typedef void svg_draw(svg_picture *p, const svg_frame *f, void *arg);
void svg_walk(svg_picture *p, svg_draw *draw, void *arg);

/* order.c: Chooses the order of frames beside each other. */
void svg_order(svg_picture *p);

/* measures.c */
void svg_measure(svg_picture *p);
int64_t svg_frame_top(const svg_picture *p, uint32_t depth);

/* frames.c */
void svg_put_frames(svg_picture *p);

/* attributes.c */

/* Reads the attributes file. Returns false after reporting an error if it cannot be read. */
bool svg_read_attributes(svg_picture *p);

/* Returns the attributes of a function, or NULL if it has none. */
const svg_attributes *svg_attributes_of(const svg_picture *p, brz_str function);
bool svg_is_link(const svg_attributes *a);

/* Writes the beginning of a frame's element, up to the content of its title; `name` is escaped. */
void svg_put_group(svg_picture *p, const svg_attributes *a, brz_str name);

/* Writes the replacement of a frame's title and closes it. Returns false if it has no
 * replacement. */
bool svg_put_own_title(svg_picture *p, const svg_attributes *a);

/* units.c */

/* Chooses between times, sizes and counts for titles. */
void svg_choose_units(svg_picture *p);

/* Returns the weight that counts the samples of the whole picture, or BRZ_NO_COLUMN. */
uint32_t svg_samples(const svg_picture *p);

/* Counts the samples of nodes, if they are known in addition to the weights that titles show. */
void svg_count_samples(svg_picture *p);

/* Return the number of samples of a node with its callees, and of the node itself; p->counted must
 * not be NULL. */
static inline uint64_t svg_samples_of(const svg_picture *p, uint32_t node)
{
    return p->counted[node + brz_node_at(p->tree, node)->subtree] - p->counted[node];
}
static inline uint64_t svg_own_samples(const svg_picture *p, uint32_t node)
{
    return p->counted[node + 1] - p->counted[node];
}

/* Returns whether weights have signs: widths are then gains and losses together. */
static inline bool svg_is_signed(const svg_picture *p)
{
    return (p->tree->flags & BRZ_TREE_SIGNED) != 0;
}

/* Safety factor: fonts may be wider than assumed. */
#define SVG_WIDER 1.02

/* Returns whether the name on a frame of this colour is black rather than white. */
static inline bool svg_has_black_label(const svg_picture *p, uint32_t color)
{
    return p->options->ink == SVG_INK_BLACK || ink_is_black(&p->ink, color);
}

/* Returns whether frames have colours of their own in the dark theme; pictures in the style of
 * other tools keep theirs. */
static inline bool svg_has_dark_colors(const svg_picture *p)
{
    return p->options->compact && p->options->ink != SVG_INK_BLACK;
}

/* label.c: Returns the text, or its beginning if it is wider than `columns` characters and ".." is
 * to follow. */
brz_str svg_beginning(brz_str s, double columns);

/* legend.c */
void svg_measure_legend(svg_picture *p);
void svg_put_legend(svg_picture *p);

/* page.c: everything around the frames. */

/* Adds a fault if there is no background with this name. */
void svg_check_background(brz_str name, brz_option_faults *faults);

void svg_put_head(svg_picture *p);
void svg_put_foot(svg_picture *p);

#endif
