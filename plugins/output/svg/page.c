/* What stands around the frames: head, style, script, titles, the status line. */
#include <brazier/symbol.h>
#include <brazier/xml.h>

#include "assets.h"
#include "svg.h"

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

/* The named gradient, one flat colour, or what suits the palette. */
static gradient background_of(const svg_picture *p)
{
    brz_str name = p->options->bgcolors;
    uint32_t colors[2];
    for (size_t i = 0; i < sizeof gradients / sizeof gradients[0]; i++)
        if (brz_str_equal(name, brz_str_of(gradients[i].name, strlen(gradients[i].name))))
            return gradients[i];
    if (name.len == 7 && name.data[0] == '#' && brz_all_hex(name.data + 1, 6)) {
        uint32_t flat = 0;
        for (size_t i = 1; i < 7; i++)
            flat = flat << 4 | (uint32_t)hex_digit(name.data[i]);
        return (gradient){"", flat << 8 | 0xff, flat << 8 | 0xff};
    }
    p->ctx->host->background(p->ctx, colors);
    if (colors[0] == BRZ_COLOR_NONE)
        return gradients[0];
    return (gradient){"", colors[0], colors[1]};
}

/* #rrggbb */
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

/* A font family as CSS wants it: quoted, unless it is one of the generic ones. */
static void put_font_family(brz_writer *w, brz_str font)
{
    static const char *const generic[] = {"cursive", "fantasy", "monospace", "serif", "sans-serif"};
    for (size_t i = 0; i < sizeof generic / sizeof generic[0]; i++)
        if (brz_str_equal(font, brz_str_of(generic[i], strlen(generic[i])))) {
            brz_put_str(w, font);
            return;
        }
    brz_put_char(w, '"');
    for (size_t i = 0; i < font.len; i++) {
        char c = font.data[i];
        if (c == '"' || c == '\\')
            brz_put_char(w, '\\');
        if (c == '<' || c == '&' || (unsigned char)c < 0x20) /* would end or break the element */
            continue;
        brz_put_char(w, c);
    }
    brz_put_char(w, '"');
}

static void put_style(svg_picture *p)
{
    const svg_options *o = p->options;
    BRZ_PUT(&p->w, "<style type=\"text/css\">\ntext{font-family:");
    put_font_family(&p->w, o->fonttype);
    BRZ_PUT(&p->w, ";font-size:");
    brz_put_i64(&p->w, o->fontsize);
    BRZ_PUT(&p->w, "px}\n#title{font-size:");
    brz_put_i64(&p->w, o->fontsize + 5);
    BRZ_PUT(&p->w, "px}\n#title,#details,#unzoom,#search,#matched{fill:");
    put_hex_color(&p->w, o->uicolor);
    BRZ_PUT(&p->w, "}\n");
    if (o->strokecolor != 0) {
        BRZ_PUT(&p->w, "#frames rect{stroke:");
        put_hex_color(&p->w, o->strokecolor);
        BRZ_PUT(&p->w, ";stroke-width:1}\n");
    }
    brz_put(&p->w, (const char *)svg_style, svg_style_size);
    BRZ_PUT(&p->w, "</style>\n");
}

/* What the script needs to know, as JSON. */
static void put_settings(svg_picture *p)
{
    const svg_options *o = p->options;
    BRZ_PUT(&p->w, "{\"nametype\":");
    brz_put_json(&p->w, o->nametype);
    BRZ_PUT(&p->w, ",\"fontSize\":");
    brz_put_i64(&p->w, o->fontsize);
    BRZ_PUT(&p->w, ",\"fontWidth\":");
    brz_put_fixed(&p->w, o->fontwidth, 4);
    BRZ_PUT(&p->w, ",\"searchColor\":\"");
    put_hex_color(&p->w, o->searchcolor);
    BRZ_PUT(&p->w, "\",\"fluid\":");
    brz_put_text(&p->w, o->width > 0 ? "false" : "true");
    BRZ_PUT(&p->w, ",\"inverted\":");
    brz_put_text(&p->w, o->inverted ? "true" : "false");
    BRZ_PUT(&p->w, ",\"truncateRight\":");
    brz_put_text(&p->w, o->truncate_right ? "true" : "false");
    BRZ_PUT(&p->w, "}");
}

static void put_script(svg_picture *p)
{
    if (!p->options->javascript)
        return;
    BRZ_PUT(&p->w, "<script type=\"text/ecmascript\"><![CDATA[\nconst settings=");
    put_settings(p);
    BRZ_PUT(&p->w, ";\n");
    brz_put(&p->w, (const char *)svg_script, svg_script_size);
    BRZ_PUT(&p->w, "]]></script>\n");
}

/* ---- texts --------------------------------------------------------------------------------- */

static void put_text(svg_picture *p, const char *id, const char *x, int64_t y, brz_str text)
{
    BRZ_PUT(&p->w, "<text id=\"");
    brz_put_text(&p->w, id);
    BRZ_PUT(&p->w, "\" x=\"");
    brz_put_text(&p->w, x);
    BRZ_PUT(&p->w, "\" y=\"");
    brz_put_i64(&p->w, y);
    BRZ_PUT(&p->w, "\">");
    brz_put_xml(&p->w, text);
    BRZ_PUT(&p->w, "</text>\n");
}

static void put_texts(svg_picture *p)
{
    const svg_options *o = p->options;
    int64_t status = p->m.image_height - p->m.bottom / 2;
    char right[32];
    snprintf(right, sizeof right, "%lld", (long long)(p->m.image_width - SVG_SIDE));
    brz_str title = o->title;
    if (title.len == 0)
        title = o->inverted ? BRZ_STR("Icicle Graph") : BRZ_STR("Flame Graph");
    put_text(p, "title", "50%", 2 * o->fontsize, title);
    if (o->subtitle.len > 0)
        put_text(p, "subtitle", "50%", 4 * o->fontsize, o->subtitle);
    put_text(p, "details", "10", o->inverted ? p->m.top - o->fontsize : status, BRZ_STR(" "));
    if (o->javascript) {
        put_text(p, "unzoom", "10", 2 * o->fontsize, BRZ_STR("Reset Zoom"));
        put_text(p, "search", right, 2 * o->fontsize, BRZ_STR("Search"));
    }
    put_text(p, "matched", right, status, BRZ_STR(" "));
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
    BRZ_PUT(&p->w, "\" xmlns=\"http://www.w3.org/2000/svg\" "
                   "xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
                   "xmlns:fg=\"urn:brazier:flame-graph\">\n"
                   "<!-- Flame graph by brazier. Open it in a browser to zoom and search. -->\n");
}

/* A comment cannot hold "--". */
static void put_notes(svg_picture *p)
{
    brz_str notes = p->options->notes;
    BRZ_PUT(&p->w, "<!-- NOTES: ");
    for (size_t i = 0; i < notes.len; i++) {
        if (notes.data[i] == '-' && i > 0 && notes.data[i - 1] == '-')
            brz_put_char(&p->w, ' ');
        brz_put_xml(&p->w, brz_str_of(notes.data + i, 1));
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
    put_texts(p);
}

/* The script comes last: it finds everything in its place. */
void svg_put_foot(svg_picture *p)
{
    brz_put_char(&p->w, '\n');
    put_script(p);
    BRZ_PUT(&p->w, "</svg>\n");
}
