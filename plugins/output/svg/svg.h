/* What the parts of the SVG output share: options, measures, and the walk over the frames. */
#ifndef SVG_SVG_H
#define SVG_SVG_H

#include <brazier/plugin.h>
#include <brazier/write.h>

typedef struct svg_options {
    bool inverted, truncate_right, javascript, pretty, legend;
    int64_t width, height, fontsize;
    double minwidth; /* percent; pixels below 0 */
    double factor, fontwidth, total;
    brz_str title, subtitle, notes, countname, fonttype, nametype, bgcolors, nameattr;
    uint32_t uicolor, searchcolor, strokecolor;
    int32_t theme; /* svg_theme */
    int32_t unit;  /* svg_unit_option */
} svg_options;

typedef enum svg_theme { SVG_AUTO, SVG_LIGHT, SVG_DARK } svg_theme;

typedef enum svg_unit_option { SVG_UNIT_PLAIN, SVG_UNIT_AUTO } svg_unit_option;

/* A unit of titles; `size` is how much weight is 1 of it. */
typedef struct svg_unit {
    const char *name;
    double size;
} svg_unit;

#define SVG_UNITS 5 /* of one kind */

/* Lengths are pixels. */
typedef struct svg_measures {
    double total;       /* weight of the whole picture */
    uint64_t whole;     /* the same, exactly: more than samples weigh if the options say so */
    double min_percent; /* of the whole, below which a frame is not drawn */
    double min_width;   /* the same as a weight */
    uint32_t max_depth; /* of the frames that are drawn */
    int64_t image_width, image_height;
    int64_t top, bottom; /* room for titles and for the status line */
    int64_t legend;      /* of `top`, room for the legend */
    /* a label has room for so many characters per percent of its frame's width, less the padding */
    double label_columns, label_padding;
} svg_measures;

typedef struct svg_legend svg_legend;
typedef struct svg_attributes svg_attributes;

/* One picture being written. */
typedef struct svg_picture {
    brz_ctx *ctx;
    const svg_options *options;
    const brz_tree *tree;
    svg_measures m;
    brz_writer w;
    uint64_t n_drawn, n_narrow;
    svg_unit units[SVG_UNITS];   /* from small to large; without names behind the last */
    svg_attributes **attributes; /* of functions, sorted by their names */
    size_t n_attributes;
    svg_legend *legend; /* NULL: none is wanted */
} svg_picture;

/* A frame to be drawn. */
typedef struct svg_frame {
    uint32_t node;
    uint64_t start, end; /* weights to its left, and these with its own */
    uint64_t narrow;     /* weight of the frames right in it that are too narrow to be drawn */
} svg_frame;

#define SVG_SIDE 10 /* padding left and right */

/* How many steps of a weight make 1 of what is shown: 10 to the power of its decimals. */
double svg_steps(const brz_tree *tree);

/* Fills in m->max_depth, and how many frames are wide enough to be drawn. */
void svg_count_frames(svg_picture *p);

/* Calls `draw` for each frame that is wide enough, in drawing order: frames are drawn when the walk
 * leaves them, outer before inner ones. */
typedef void svg_draw(svg_picture *p, const svg_frame *f, void *arg);
void svg_walk(svg_picture *p, svg_draw *draw, void *arg);

/* measures.c */
void svg_measure(svg_picture *p);
int64_t svg_frame_top(const svg_picture *p, uint32_t depth);

/* frames.c */
void svg_put_frames(svg_picture *p);

/* attributes.c */

/* False, after saying so, if the file cannot be read. */
bool svg_read_attributes(svg_picture *p);

/* NULL: the function has none. */
const svg_attributes *svg_attributes_of(const svg_picture *p, brz_str function);
bool svg_is_link(const svg_attributes *a);

/* The beginning of a frame's element, up to what its title tells; `name` is escaped. */
void svg_put_group(svg_picture *p, const svg_attributes *a, brz_str name);

/* The title that replaces a frame's own and its end; false if there is none. */
bool svg_put_own_title(svg_picture *p, const svg_attributes *a);

/* units.c */

/* Fills in p->units, if titles tell weights in units that people read and the weight's is known. */
void svg_choose_units(svg_picture *p);
const svg_unit *svg_unit_of(const svg_picture *p, double weight);

/* Fonts may be wider than their width is thought to be. */
#define SVG_WIDER 1.02

/* label.c: a text, or its beginning if it is wider than so many characters and ".." shall follow.
 */
brz_str svg_beginning(brz_str s, double columns);

/* legend.c */
void svg_measure_legend(svg_picture *p);
void svg_put_legend(svg_picture *p);

/* page.c: what stands around the frames. */
void svg_put_head(svg_picture *p);
void svg_put_foot(svg_picture *p);

#endif
