/* SPDX-License-Identifier: MIT */
/* Prepares names for frames: escapes them once, and cuts them to the available width. */
#include "label.h"

#include <brazier/xml.h>

#include "../common/columns.h"
#include "../common/screen_text.h"

/* Appends a text to the `len` bytes at `to`, or only adds its length if `to` is NULL. */
static inline size_t append(char *to, size_t len, const char *text, size_t n)
{
    if (to != NULL)
        memcpy(to + len, text, n);
    return len + n;
}

size_t svg_escape(brz_str s, char *to)
{
    size_t len = 0;
    for (size_t from = 0, n; from < s.len; from += n) {
        size_t clean = brz_xml_clean_end(s, from);
        len = append(to, len, s.data + from, clean - from);
        if (clean == s.len)
            break;
        char buffer[4];
        brz_str rest = brz_str_of(s.data + clean, s.len - clean);
        n = brz_utf8_step(rest);
        const char *instead = brz_xml_substitute(rest.data, n, buffer);
        len = instead == NULL ? append(to, len, rest.data, n)
                              : append(to, len, instead, strlen(instead));
        n += clean - from;
    }
    return len;
}

brz_str svg_escaped(brz_output_ctx *ctx, brz_str s)
{
    char text[SVG_SHORT * SVG_ESCAPED];
    if (brz_is_xml_clean(s))
        return s;
    bool is_short = s.len <= SVG_SHORT; /* longer ones are measured first */
    size_t len = svg_escape(s, is_short ? text : NULL);
    char *copy = ctx->host->alloc(ctx, len, 0);
    if (is_short)
        memcpy(copy, text, len);
    else
        svg_escape(s, copy);
    return brz_str_of(copy, len);
}

/* Returns whether the first character of a text is active: it changes the direction of text, or is
 * invisible. Control characters of ASCII have pictures in XML. */
static bool is_active(brz_str s)
{
    return (unsigned char)s.data[0] >= 0x80 && screen_obeys(s);
}

/* Returns a text with U+FFFD instead of active characters. */
static brz_str inert(brz_output_ctx *ctx, brz_str s)
{
    size_t len = 0, active = 0;
    for (size_t i = 0; i < s.len; i += brz_utf8_step(brz_str_of(s.data + i, s.len - i)))
        active += is_active(brz_str_of(s.data + i, s.len - i));
    if (active == 0)
        return s;
    char *copy = ctx->host->alloc(ctx, s.len + 2 * active, 0);
    for (size_t i = 0, n; i < s.len; i += n) {
        brz_str rest = brz_str_of(s.data + i, s.len - i);
        n = brz_utf8_step(rest);
        brz_str put = is_active(rest) ? BRZ_STR("\xef\xbf\xbd") : brz_str_of(rest.data, n);
        memcpy(copy + len, put.data, put.len);
        len += put.len;
    }
    return brz_str_of(copy, len);
}

/* Returns n columns of a name that is wider than that. */
static brz_str part_of(const svg_label *l, size_t n, bool beginning)
{
    brz_str s = l->shown;
    if (l->columns == s.len)
        return brz_str_of(beginning ? s.data : s.data + s.len - n, n);
    return beginning ? columns_first(s, n) : columns_last(s, n);
}

brz_str svg_beginning(brz_str s, double columns)
{
    if (columns > 1e6 || (double)columns_of(s) <= columns)
        return s;
    return columns_first(s, columns > 2 ? (size_t)columns - 2 : 0);
}

const svg_label *svg_label_of(svg_picture *p, svg_frames *f, uint32_t frame)
{
    svg_label *l = f->labels[frame];
    if (l != NULL)
        return l;
    l = f->labels[frame] = p->ctx->host->alloc(p->ctx, sizeof *l, 0);
    l->name = brz_display_name(brz_frame_at(p->tree, frame));
    if (l->name.len == 0)
        l->name = BRZ_STR("");
    bool is_ascii = columns_are_bytes(l->name);
    l->shown = p->options->compact && !is_ascii ? inert(p->ctx, l->name) : l->name;
    l->columns = is_ascii ? l->name.len : columns_of(l->shown);
    l->xml = svg_escaped(p->ctx, l->name);
    l->shown_xml = l->shown.data == l->name.data ? l->xml : svg_escaped(p->ctx, l->shown);
    l->attributes = svg_attributes_of(p, brz_frame_at(p->tree, frame)->name);
    return l;
}

char *svg_pen_text(char *to, svg_picture *p, brz_str s)
{
    if (s.len <= NAME_SIZE)
        return pen_bytes(to, s.data, s.len);
    p->w.used = (size_t)(to - p->w.buffer);
    brz_put_str(&p->w, s);
    return svg_frame_room(p);
}

/* Writes part of a name that is not escaped yet. */
static char *pen_part(char *to, svg_picture *p, brz_str s)
{
    p->w.used = (size_t)(to - p->w.buffer);
    brz_put_xml(&p->w, s);
    return svg_frame_room(p);
}

/* Writes the end of a name, or its beginning. */
static char *pen_cut(char *to, svg_picture *p, const svg_label *l, size_t room)
{
    bool beginning = p->options->truncate_right;
    brz_str part = part_of(l, room - 2, beginning);
    return beginning ? PEN(pen_part(to, p, part), "..") : pen_part(PEN(to, ".."), p, part);
}

/* Returns the number of characters that fit into a frame. */
static double room_in(const svg_picture *p, double width)
{
    return width * p->m.label_columns - p->m.label_padding;
}

static bool is_whole(const svg_label *l, double room)
{
    return room > 1e6 || l->columns <= (size_t)room;
}

static bool is_smart(const svg_picture *p)
{
    return p->options->label == SVG_LABEL_SMART && !p->options->truncate_right;
}

bool svg_has_label(svg_picture *p, const svg_label *l, double width)
{
    double room = room_in(p, width);
    if (!(room >= 3) || is_whole(l, room) || !is_smart(p))
        return room >= 3 && l->xml.len > 0;
    return short_name(&p->names, l->shown, (size_t)room).len > 0;
}

char *svg_pen_label(char *to, svg_picture *p, const svg_label *l, double width)
{
    double room = room_in(p, width);
    if (!(room >= 3))
        return to;
    if (is_whole(l, room))
        return svg_pen_text(to, p, l->shown_xml);
    if (is_smart(p))
        return pen_part(to, p, short_name(&p->names, l->shown, (size_t)room));
    return pen_cut(to, p, l, (size_t)room);
}
