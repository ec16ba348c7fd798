/* Writes the output "svg": a flame graph as a picture that can be zoomed and searched in a
 * browser. */
#include "svg.h"

static brz_rc write_svg(brz_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    svg_picture p = {.ctx = ctx, .options = ctx->cfg, .tree = tree};
    if (brz_node_at(tree, 0)->total <= 0) {
        brz_report(ctx, BRZ_FATAL, "svg.empty", NULL, 0,
                   BRZ_STR("all samples have a weight of 0: there is nothing to draw"));
        return BRZ_ERROR;
    }
    svg_choose_units(&p);
    if (!svg_check_background(&p) || !svg_read_attributes(&p))
        return BRZ_ERROR;
    brz_writer_init(&p.w, ctx, sink);
    svg_measure(&p);
    svg_put_head(&p);
    svg_put_frames(&p);
    svg_put_foot(&p);
    return brz_writer_finish(&p.w);
}

#define OPTION(name_, type_, member_, dflt_, help_)                                                \
    {                                                                                              \
        .name = (name_), .type = (type_), .offset = offsetof(svg_options, member_),                \
        .dflt = (dflt_), .help = (help_)                                                           \
    }

#define NUMBER(name_, type_, member_, dflt_, range_, help_)                                        \
    {                                                                                              \
        .name = (name_), .type = (type_), .offset = offsetof(svg_options, member_),                \
        .dflt = (dflt_), .help = (help_), .range = (range_)                                        \
    }

static const char *const themes[] = {"auto", "light", "dark", NULL}; /* indexed by svg_theme */

static const char *const units[] = {"plain", "auto", NULL}; /* indexed by svg_unit_option */

static const brz_option options[] = {
    OPTION("title", BRZ_OPTION_STR, title, NULL, "title above the picture"),
    OPTION("subtitle", BRZ_OPTION_STR, subtitle, NULL, "second line below the title"),
    OPTION("notes", BRZ_OPTION_STR, notes, NULL, "comment in the file"),
    NUMBER("width", BRZ_OPTION_INT, width, "0", "0..100000",
           "in pixels; 0: adapt to the available width"),
    NUMBER("height", BRZ_OPTION_INT, height, "16", "3..1000", "height of a frame, in pixels"),
    {.name = "minwidth",
     .type = BRZ_OPTION_REAL,
     .flags = BRZ_OPTION_PERCENT_OR_PIXELS,
     .offset = offsetof(svg_options, minwidth),
     .dflt = "0.01",
     .range = "0..100",
     .help = "omit frames narrower than this: percent (1 or 1%) or pixels (1px)"},
    OPTION("inverted", BRZ_OPTION_BOOL, inverted, "false", "root on top: an icicle graph"),
    OPTION("countname", BRZ_OPTION_STR, countname, "samples", "name of what is counted"),
    {.name = "unit",
     .type = BRZ_OPTION_ENUM,
     .offset = offsetof(svg_options, unit),
     .dflt = "plain",
     .choices = units,
     .help = "auto: show times and bytes in units such as ms and MiB, instead of countname"},
    NUMBER("factor", BRZ_OPTION_REAL, factor, "1", "0..", "multiplies the counts shown"),
    NUMBER("total", BRZ_OPTION_REAL, total, "0", "0..",
           "count that the whole width stands for, if larger than that of all samples"),
    OPTION("nametype", BRZ_OPTION_STR, nametype,
           "Function:", "text before a name in the status line"),
    NUMBER("fontsize", BRZ_OPTION_INT, fontsize, "12", "1..200", "in pixels"),
    {.name = "nameattr",
     .type = BRZ_OPTION_STR,
     .flags = BRZ_OPTION_PATH,
     .offset = offsetof(svg_options, nameattr),
     .help = "file of attributes of functions, in lines of name, tab, attribute=value, tab, ..."},
    OPTION("fonttype", BRZ_OPTION_STR, fonttype, "monospace", "a CSS font family"),
    NUMBER("fontwidth", BRZ_OPTION_REAL, fontwidth, "0.59", "0.01..10",
           "average width of a character, as a share of the font size"),
    OPTION("truncate-text-right", BRZ_OPTION_BOOL, truncate_right, "false",
           "keep the beginning of names that do not fit, instead of their end"),
    {.name = "theme",
     .type = BRZ_OPTION_ENUM,
     .offset = offsetof(svg_options, theme),
     .dflt = "auto",
     .choices = themes,
     .help = "light or dark surroundings; auto: follow the reader's system"},
    OPTION("bgcolors", BRZ_OPTION_STR, bgcolors, NULL,
           "background of the light theme: yellow, blue, green, grey or #rrggbb; empty: "
           "chosen to suit the palette"),
    OPTION("legend", BRZ_OPTION_BOOL, legend, "true", "explain the colours, if the palette does"),
    OPTION("uicolor", BRZ_OPTION_COLOR, uicolor, "#000000",
           "colour of titles and buttons in the light theme"),
    OPTION("search-color", BRZ_OPTION_COLOR, searchcolor, "#e600e6", "colour of search results"),
    OPTION("stroke-color", BRZ_OPTION_COLOR, strokecolor, "none", "outline of frames"),
    OPTION("javascript", BRZ_OPTION_BOOL, javascript, "true",
           "include the script that zooms and searches"),
    OPTION("pretty-xml", BRZ_OPTION_BOOL, pretty, "false", "write each frame on a line of its own"),
};

static const char *const endings[] = {"svg", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_LINE_ORDER | BRZ_OUTPUT_COLOR,
    .media_type = "image/svg+xml",
    .endings = endings,
    .write = write_svg,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_OUTPUT,
    .id = "svg",
    .summary = "a flame graph to zoom and search in a browser",
    .options = options,
    .n_options = BRZ_COUNT_OF(options),
    .option_size = sizeof(brz_option),
    .cfg_size = sizeof(svg_options),
    .vtable = &output,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("svg", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
