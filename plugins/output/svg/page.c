/* SPDX-License-Identifier: MIT */
/* Writes everything around the frames: header, style, script, titles, status line. */
#include <brazier/symbol.h>
#include <brazier/xml.h>

#include <stdio.h>

#include "assets.h"
#include "pen.h"
#include "picture.h"

#include "../common/title.h"

/* ---- backgrounds --------------------------------------------------------------------------- */

typedef struct gradient {
    const char *name;
    uint32_t top, bottom;
} gradient;

static const gradient gradients[] = {
    {"yellow", BRZ_RGB(0xee, 0xee, 0xee), BRZ_RGB(0xee, 0xee, 0xb0)},
    {"blue", BRZ_RGB(0xee, 0xee, 0xee), BRZ_RGB(0xe0, 0xe0, 0xff)},
    {"green", BRZ_RGB(0xee, 0xf2, 0xee), BRZ_RGB(0xe0, 0xff, 0xe0)},
    {"grey", BRZ_RGB(0xf8, 0xf8, 0xf8), BRZ_RGB(0xe8, 0xe8, 0xe8)},
};

static int hex_digit(char c)
{
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* Finds a named gradient or reads a flat colour. Returns false if the name is neither. */
static bool find_background(brz_str name, gradient *g)
{
    for (size_t i = 0; i < sizeof gradients / sizeof gradients[0]; i++) {
        *g = gradients[i];
        if (brz_str_equal(name, brz_str_of(g->name, strlen(g->name))))
            return true;
    }
    if (name.len != 7 || name.data[0] != '#' || !brz_all_hex(name.data + 1, 6))
        return false;
    uint32_t flat = 0;
    for (size_t i = 1; i < 7; i++)
        flat = flat << 4 | (uint32_t)hex_digit(name.data[i]);
    *g = (gradient){"", flat << 8 | 0xff, flat << 8 | 0xff};
    return true;
}

void svg_check_background(brz_str name, brz_option_faults *faults)
{
    gradient found;
    if (name.len == 0 || find_background(name, &found))
        return;
    char message[200];
    int n = snprintf(message, sizeof message, "is yellow, blue, green, grey or #rrggbb, not '%.*s'",
                     name.len < 100 ? (int)name.len : 100, name.data);
    for (int i = 0; i < n; i++) /* a fault is one line */
        if ((unsigned char)message[i] < ' ')
            message[i] = '?';
    faults->add(faults, "bgcolors", 0, brz_str_of(message, n > 0 ? (size_t)n : 0));
}

/* Returns the background that the options name, or else the palette's. */
static gradient background_of(const svg_picture *p)
{
    gradient found;
    uint32_t colors[2];
    if (find_background(p->options->bgcolors, &found))
        return found;
    p->ctx->host->background(p->ctx, colors);
    if (colors[0] == BRZ_COLOR_NONE)
        return gradients[0];
    return (gradient){"", colors[0], colors[1]};
}

/* Writes a colour as #rrggbb. */
static void put_hex_color(brz_writer *w, uint32_t color)
{
    static const char digits[] = "0123456789abcdef";
    char text[7] = {'#'};
    for (int i = 0; i < 6; i++)
        text[1 + i] = digits[color >> (28 - 4 * i) & 15];
    brz_put(w, text, sizeof text);
}

static void put_background(svg_picture *p)
{
    gradient g = background_of(p);
    BRZ_PUT(&p->w, "<defs><linearGradient id=\"background\" y1=\"0\" y2=\"1\" x1=\"0\" x2=\"0\">"
                   "<stop stop-color=\"");
    put_hex_color(&p->w, g.top);
    BRZ_PUT(&p->w, "\" offset=\"5%\"/><stop stop-color=\"");
    put_hex_color(&p->w, g.bottom);
    BRZ_PUT(&p->w, "\" offset=\"95%\"/></linearGradient></defs>\n");
}

/* ---- style and script ---------------------------------------------------------------------- */

/* Writes a font family as an attribute, quoted for CSS unless it is a generic one. */
static void put_font_family(brz_writer *w, brz_str font)
{
    static const char *const generic[] = {"cursive", "fantasy", "monospace", "serif", "sans-serif"};
    for (size_t i = 0; i < sizeof generic / sizeof generic[0]; i++)
        if (brz_str_equal(font, brz_str_of(generic[i], strlen(generic[i])))) {
            brz_put_str(w, font);
            return;
        }
    BRZ_PUT(w, "&quot;");
    for (size_t i = 0, n; i < font.len; i += n) {
        n = brz_utf8_step(brz_str_of(font.data + i, font.len - i));
        if (font.data[i] == '"' || font.data[i] == '\\')
            brz_put_char(w, '\\');
        brz_put_xml(w, brz_str_of(font.data + i, n));
    }
    BRZ_PUT(w, "&quot;");
}

static void put_asset(svg_picture *p, const unsigned char *bytes, size_t size)
{
    brz_put(&p->w, (const char *)bytes, size);
}

/* Media for which the dark theme's rules apply, by svg_theme. The script changes them. */
static const char *const dark_media[] = {"screen and (prefers-color-scheme: dark)", "not all",
                                         "all"};

/* Writes the style sheet. It is the same in all pictures of a theme, so that the security policy of
 * a page can allow it by its hash; everything variable is in attributes. */
static void put_style(svg_picture *p)
{
    const svg_options *o = p->options;
    BRZ_PUT(&p->w, "<style type=\"text/css\">\n");
    put_asset(p, svg_style, svg_style_size);
    BRZ_PUT(&p->w, "@media ");
    brz_put_text(&p->w, dark_media[o->theme]);
    BRZ_PUT(&p->w, " {\n");
    put_asset(p, svg_style_dark, svg_style_dark_size);
    BRZ_PUT(&p->w, "}\n</style>\n");
    if (o->strokecolor != 0) {
        BRZ_PUT(&p->w, "<style type=\"text/css\">#frames{stroke:");
        put_hex_color(&p->w, o->strokecolor);
        BRZ_PUT(&p->w, ";stroke-width:1}</style>\n");
    }
}

static void put_number(brz_writer *w, const char *name, double v)
{
    char text[64];
    int n = snprintf(text, sizeof text, " fg:%s=\"%.17g\"", name, v);
    brz_put(w, text, n > 0 ? (size_t)n : 0);
}

static void put_flag(brz_writer *w, const char *name, bool v)
{
    put_number(w, name, v ? 1 : 0);
}

static void put_name(brz_writer *w, const char *name, brz_str v)
{
    BRZ_PUT(w, " fg:");
    brz_put_text(w, name);
    BRZ_PUT(w, "=\"");
    brz_put_xml(w, v);
    brz_put_char(w, '"');
}

/* Writes the numbers of samples that titles show besides weights: the root's, and if the tree has
 * those of all frames, their decimals. */
static void put_samples(svg_picture *p)
{
    char text[AMOUNT_ROOM];
    uint32_t samples = svg_samples(p);
    if (samples == BRZ_NO_COLUMN)
        return;
    const brz_column_info *info = brz_column_at(p->tree, samples);
    const amount_scale scale = amount_scale_of(info, 1);
    char *end = amount_format(text, &scale, info->total);
    put_name(&p->w, "samples", brz_str_of(text, (size_t)(end - text)));
    if (p->counted != NULL)
        put_number(&p->w, "counts", info->decimals);
}

/* Writes the parameters of the script. */
static void put_about(svg_picture *p)
{
    const svg_options *o = p->options;
    brz_writer *w = &p->w;
    BRZ_PUT(w, "<metadata id=\"about\"");
    put_name(w, "nametype", o->nametype);
    put_name(w, "countname", p->countname);
    if (p->has_units)
        put_name(w, "unit", brz_column_at(p->tree, p->tree->main_column)->unit);
    put_samples(p);
    put_number(w, "factor", o->factor);
    put_number(w, "decimals", brz_column_at(p->tree, p->tree->main_column)->decimals);
    if (p->tree->before != BRZ_NO_COLUMN)
        brz_put_text(w, p->tree->flags & BRZ_TREE_SELF_DELTAS ? " fg:comparison=\"self\""
                                                              : " fg:comparison=\"total\"");
    if (svg_is_signed(p))
        put_flag(w, "signed", true);
    put_number(w, "minwidth", p->m.min_percent);
    put_number(w, "rowheight", (double)o->height);
    put_number(w, "fontsize", (double)o->fontsize);
    put_number(w, "legend", (double)p->m.legend);
    put_flag(w, "fluid", o->width == 0);
    put_flag(w, "inverted", o->inverted);
    put_flag(w, "truncate-right", o->truncate_right);
    if (o->order == SVG_ORDER_WEIGHT)
        put_name(w, "order", BRZ_STR("weight"));
    put_flag(w, "timed", p->tree->starts != NULL);
    put_flag(w, "axis", o->compact);
    put_number(w, "edge", (double)svg_frame_top(p, 0));
    put_flag(w, "smart-labels", o->label == SVG_LABEL_SMART && !o->truncate_right);
    put_flag(w, "black-labels", o->ink == SVG_INK_BLACK);
    BRZ_PUT(w, " fg:search-color=\"");
    put_hex_color(w, o->searchcolor);
    BRZ_PUT(w, "\"/>\n");
}

static void put_script(svg_picture *p)
{
    if (!p->options->javascript)
        return;
    BRZ_PUT(&p->w, "<script type=\"text/ecmascript\"><![CDATA[\n\"use strict\";\n(() => {\n");
    put_asset(p, svg_script, svg_script_size);
    BRZ_PUT(&p->w, "})();\n]]></script>\n");
}

/* ---- texts --------------------------------------------------------------------------------- */

/* Opens a text element. `more` holds further attributes; the caller may add others. */
static void open_text(svg_picture *p, const char *id, const char *x, int64_t y, const char *more)
{
    BRZ_PUT(&p->w, "<text id=\"");
    brz_put_text(&p->w, id);
    BRZ_PUT(&p->w, "\" x=\"");
    brz_put_text(&p->w, x);
    BRZ_PUT(&p->w, "\" y=\"");
    brz_put_i64(&p->w, y);
    BRZ_PUT(&p->w, "\" fill=\"currentColor\"");
    brz_put_text(&p->w, more);
}

static void put_text(svg_picture *p, const char *id, const char *x, int64_t y, const char *more,
                     brz_str text)
{
    open_text(p, id, x, y, more);
    brz_put_char(&p->w, '>');
    brz_put_xml(&p->w, text);
    BRZ_PUT(&p->w, "</text>\n");
}

/* Writes a centred text above the frames. If it is too wide, shows its beginning and keeps the
 * whole text in an attribute. */
static void put_heading(svg_picture *p, const char *id, int64_t y, int64_t size, const char *more,
                        brz_str text)
{
    double character = (double)size * p->options->fontwidth * SVG_WIDER;
    double room = (double)(p->m.image_width - (int64_t)2 * SVG_SIDE) / character;
    char attributes[64];
    snprintf(attributes, sizeof attributes, " text-anchor=\"middle\"%s", more);
    brz_str shown = svg_beginning(text, room);
    if (shown.len == text.len) {
        put_text(p, id, "50%", y, attributes, text);
        return;
    }
    open_text(p, id, "50%", y, attributes);
    put_name(&p->w, "text", text);
    brz_put_char(&p->w, '>');
    brz_put_xml(&p->w, shown);
    BRZ_PUT(&p->w, "..</text>\n");
}

static void put_titles(svg_picture *p)
{
    const svg_options *o = p->options;
    char size[64];
    snprintf(size, sizeof size, " font-size=\"%lld\"", (long long)o->fontsize + 5);
    brz_str title = o->title;
    brz_str kind = p->tree->flags & BRZ_TREE_TIME_ORDER ? BRZ_STR("Flame Chart")
                   : o->inverted                        ? BRZ_STR("Icicle Graph")
                                                        : BRZ_STR("Flame Graph");
    if (title.len == 0)
        title = o->compact ? title_of(p->ctx, p->tree, kind) : kind;
    put_heading(p, "title", 2 * o->fontsize, o->fontsize + 5, size, title);
    if (o->subtitle.len > 0)
        put_heading(p, "subtitle", 4 * o->fontsize, o->fontsize, " fill-opacity=\".7\"",
                    o->subtitle);
}

/* Writes the status line, which says what the picture leaves out; the script replaces its text. */
static void put_details(svg_picture *p)
{
    const svg_options *o = p->options;
    int64_t status = p->m.image_height - p->m.bottom / 2;
    char text[192] = " ", count[2 * BRZ_NUMBER_ROOM];
    *pen_grouped(count, p->n_narrow) = '\0';
    if (p->n_narrow > 0)
        snprintf(text, sizeof text, "%s %s under %g %s not drawn", count,
                 p->n_narrow == 1 ? "frame" : "frames", fabs(o->minwidth),
                 o->minwidth < 0 ? "px" : "%");
    put_text(p, "details", "10", o->inverted ? p->m.top - o->fontsize : status, "",
             brz_str_of(text, strlen(text)));
}

/* Writes hidden texts that the script turns into buttons. */
static void put_buttons(svg_picture *p)
{
    const svg_options *o = p->options;
    static const char hidden[] = " text-anchor=\"end\" display=\"none\"";
    char right[32];
    if (!o->javascript)
        return;
    snprintf(right, sizeof right, "%lld", (long long)(p->m.image_width - SVG_SIDE));
    put_text(p, "unzoom", "10", 2 * o->fontsize, " display=\"none\"", BRZ_STR("Reset Zoom"));
    put_text(p, "search", right, 2 * o->fontsize, hidden, BRZ_STR("Search"));
    put_text(p, "matched", right, p->m.image_height - p->m.bottom / 2, hidden, BRZ_STR(" "));
}

/* ---- the page ------------------------------------------------------------------------------ */

static void put_root(svg_picture *p)
{
    BRZ_PUT(&p->w, "<?xml version=\"1.0\" standalone=\"no\"?>\n"
                   "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" "
                   "\"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n"
                   "<svg version=\"1.1\" width=\"");
    brz_put_i64(&p->w, p->m.image_width);
    BRZ_PUT(&p->w, "\" height=\"");
    brz_put_i64(&p->w, p->m.image_height);
    BRZ_PUT(&p->w, "\" viewBox=\"0 0 ");
    brz_put_i64(&p->w, p->m.image_width);
    brz_put_char(&p->w, ' ');
    brz_put_i64(&p->w, p->m.image_height);
    BRZ_PUT(&p->w, "\" font-family=\"");
    put_font_family(&p->w, p->options->fonttype);
    BRZ_PUT(&p->w, "\" font-size=\"");
    brz_put_i64(&p->w, p->options->fontsize);
    BRZ_PUT(&p->w, "\" color=\"");
    put_hex_color(&p->w, p->options->uicolor);
    BRZ_PUT(&p->w, "\" xmlns=\"http://www.w3.org/2000/svg\" "
                   "xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
                   "xmlns:fg=\"urn:brazier:flame-graph\">\n"
                   "<!-- Flame graph by brazier. Open it in a browser to zoom and search. -->\n");
}

/* Writes the notes as an XML comment, which cannot contain "--". */
static void put_notes(svg_picture *p)
{
    brz_str notes = p->options->notes;
    BRZ_PUT(&p->w, "<!-- NOTES: ");
    for (size_t i = 0, n; i < notes.len; i += n) {
        n = brz_utf8_step(brz_str_of(notes.data + i, notes.len - i));
        if (notes.data[i] == '-' && i > 0 && notes.data[i - 1] == '-')
            brz_put_char(&p->w, ' ');
        brz_put_xml(&p->w, brz_str_of(notes.data + i, n));
    }
    BRZ_PUT(&p->w, " -->\n");
}

void svg_put_head(svg_picture *p)
{
    put_root(p);
    if (p->options->notes.len > 0)
        put_notes(p);
    put_background(p);
    put_style(p);
    BRZ_PUT(&p->w, "<rect id=\"backdrop\" x=\"0\" y=\"0\" width=\"100%\" height=\"");
    brz_put_i64(&p->w, p->m.image_height);
    BRZ_PUT(&p->w, "\" fill=\"url(#background)\"/>\n");
    put_titles(p);
    svg_put_legend(p);
    put_details(p);
    put_buttons(p);
    if (p->options->javascript)
        put_about(p);
}

/* Writes the script last, so that it finds all elements in place. */
void svg_put_foot(svg_picture *p)
{
    brz_put_char(&p->w, '\n');
    put_script(p);
    BRZ_PUT(&p->w, "</svg>\n");
}
