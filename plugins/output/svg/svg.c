/* SPDX-License-Identifier: MIT */
/* Writes the output "svg": a flame graph as a picture that can be zoomed and searched in a
 * browser. */
#include "picture.h"
#include "../../common/shipped.h"

static brz_rc write_svg(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    svg_picture p = {.ctx = ctx, .options = ctx->cfg, .tree = tree};
    if (brz_node_at(tree, 0)->total <= 0) {
        brz_output_report(ctx, BRZ_FATAL, "svg.empty",
                          BRZ_STR("all samples have a weight of 0: there is nothing to draw"));
        return BRZ_ERROR;
    }
    svg_order(&p);
    svg_choose_units(&p);
    short_names_init(&p.names, ctx);
    ink_init(&p.ink);
    if (!svg_read_attributes(&p))
        return BRZ_ERROR;
    brz_writer_init(&p.w, ctx, sink);
    svg_measure(&p);
    svg_count_samples(&p);
    svg_put_head(&p);
    svg_put_frames(&p);
    svg_put_foot(&p);
    return brz_writer_finish(&p.w);
}

static const char *const themes[] = {"auto", "light", "dark", NULL}; /* indexed by svg_theme */

static const char *const units[] = {"plain", "auto", NULL}; /* indexed by svg_unit_option */

static const char *const labels[] = {"smart", "tail", NULL}; /* indexed by svg_label_option */

static const char *const orders[] = {"name", "weight", NULL}; /* indexed by svg_order_option */

static const char *const inks[] = {"auto", "black", NULL}; /* indexed by svg_ink_option */

static const brz_option options[] = {
    BRZ_OPTION(svg_options, "title", STR, title, NULL, "title above the picture"),
    BRZ_OPTION(svg_options, "subtitle", STR, subtitle, NULL, "second line below the title"),
    BRZ_OPTION(svg_options, "notes", STR, notes, NULL, "comment in the file"),
    BRZ_OPTION(svg_options, "width", INT, width, "0", "in pixels; 0: adapt to the available width",
               .range = "0..100000"),
    BRZ_OPTION(svg_options, "height", INT, height, "16", "height of a frame, in pixels",
               .range = "3..1000"),
    BRZ_OPTION(svg_options, "minwidth", REAL, minwidth, "0.01",
               "omit frames narrower than this: percent (1 or 1%) or pixels (1px)",
               .flags = BRZ_OPTION_PERCENT_OR_PIXELS, .range = "0..100"),
    BRZ_OPTION(svg_options, "sort", ENUM, order, "name",
               "order of frames beside each other: by name; or by weight, the heaviest first",
               .choices = orders),
    BRZ_OPTION(svg_options, "inverted", BOOL, inverted, "false", "root on top: an icicle graph"),
    BRZ_OPTION(svg_options, "countname", STR, countname, NULL,
               "name of what is counted; empty: as the input says"),
    BRZ_OPTION(svg_options, "unit", ENUM, unit, "auto",
               "auto: show times and bytes in units such as ms and MiB, unless countname is set",
               .choices = units),
    BRZ_OPTION(svg_options, "factor", REAL, factor, "1", "multiplies the counts shown",
               .range = "0.."),
    BRZ_OPTION(svg_options, "total", REAL, total, "0",
               "count that the whole width stands for, if larger than that of all samples",
               .range = "0.."),
    BRZ_OPTION(svg_options, "nametype", STR, nametype,
               "Function:", "text before a name in the status line"),
    BRZ_OPTION(svg_options, "fontsize", INT, fontsize, "12", "in pixels", .range = "1..200"),
    BRZ_OPTION(svg_options, "nameattr", STR, nameattr, NULL,
               "file of attributes of functions, in lines of name, tab, attribute=value, tab, ...",
               .flags = BRZ_OPTION_PATH),
    BRZ_OPTION(svg_options, "fonttype", STR, fonttype, "monospace", "a CSS font family"),
    BRZ_OPTION(svg_options, "fontwidth", REAL, fontwidth, "0.59",
               "average width of a character, as a share of the font size", .range = "0.01..10"),
    BRZ_OPTION(svg_options, "label", ENUM, label, "smart",
               "names that do not fit: smart keeps the function's own name; tail keeps the end",
               .choices = labels),
    BRZ_OPTION(svg_options, "label-color", ENUM, ink, "auto",
               "colour of names: black or white, whichever reads better; or always black",
               .choices = inks),
    BRZ_OPTION(svg_options, "truncate-text-right", BOOL, truncate_right, "false",
               "keep the beginning of names that do not fit, instead of their end"),
    BRZ_OPTION(svg_options, "theme", ENUM, theme, "auto",
               "light or dark surroundings; auto: follow the reader's system", .choices = themes),
    BRZ_OPTION(svg_options, "bgcolors", STR, bgcolors, NULL,
               "background of the light theme: yellow, blue, green, grey or #rrggbb; empty: "
               "chosen to suit the palette"),
    BRZ_OPTION(svg_options, "legend", BOOL, legend, "true",
               "explain the colours, if the palette does"),
    BRZ_OPTION(svg_options, "uicolor", COLOR, uicolor, "#000000",
               "colour of titles and buttons in the light theme"),
    BRZ_OPTION(svg_options, "search-color", COLOR, searchcolor, "#e600e6",
               "colour of search results"),
    BRZ_OPTION(svg_options, "stroke-color", COLOR, strokecolor, "none", "outline of frames"),
    BRZ_OPTION(svg_options, "javascript", BOOL, javascript, "true",
               "include the script that zooms and searches"),
    BRZ_OPTION(
        svg_options, "compact", BOOL, compact, "true",
        "draw frames with few elements; false: each is a group of a title, a rectangle and a "
        "label, as in other tools' pictures"),
    BRZ_OPTION(svg_options, "pretty-xml", BOOL, pretty, "false",
               "write each frame on a line of its own"),
};

static void validate(const void *cfg, brz_option_faults *faults)
{
    svg_check_background(((const svg_options *)cfg)->bgcolors, faults);
}

static const char *const endings[] = {"svg", NULL};

SHIPPED_WRITER(write_svg, "image/svg+xml",
               BRZ_OUTPUT_NODES | BRZ_OUTPUT_LINE_ORDER | BRZ_OUTPUT_COLOR | BRZ_OUTPUT_FUNCTIONS |
                   BRZ_OUTPUT_COUNTS)

SHIPPED_PLUGIN("svg", BRZ_OUTPUT, &output,
               .summary = "a flame graph to zoom and search in a browser",
               BRZ_OPTIONS(options, svg_options), .validate = validate)
