/* Names as frames show them: escaped once, and cut to the room there is. */
#include <brazier/xml.h>

#include "frames.h"

brz_str svg_escaped(brz_ctx *ctx, brz_str s)
{
    size_t len = 0, at = 0;
    char buffer[4];
    if (brz_is_xml_clean(s))
        return s;
    for (size_t i = 0, n; i < s.len; i += n) {
        n = brz_utf8_step(brz_str_of(s.data + i, s.len - i));
        const char *instead = brz_xml_substitute(s.data + i, n, buffer);
        len += instead == NULL ? n : strlen(instead);
    }
    char *copy = ctx->host->alloc(ctx, len, 0);
    for (size_t i = 0, n; i < s.len; i += n) {
        n = brz_utf8_step(brz_str_of(s.data + i, s.len - i));
        const char *instead = brz_xml_substitute(s.data + i, n, buffer);
        size_t size = instead == NULL ? n : strlen(instead);
        memcpy(copy + at, instead == NULL ? s.data + i : instead, size);
        at += size;
    }
    return brz_str_of(copy, len);
}

static size_t count_characters(brz_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        n += ((unsigned char)s.data[i] & 0xc0) != 0x80;
    return n;
}

const svg_label *svg_label_of(svg_picture *p, svg_frames *f, uint32_t frame)
{
    svg_label *l = &f->labels[frame];
    if (l->name.data != NULL)
        return l;
    l->name = brz_display_name(brz_frame_at(p->tree, frame)->name);
    if (l->name.len == 0)
        l->name = BRZ_STR("");
    l->xml = svg_escaped(p->ctx, l->name);
    l->attributes = svg_attributes_of(p, brz_frame_at(p->tree, frame)->name);
    return l;
}

/* The first n characters. */
static brz_str first_characters(brz_str s, size_t n)
{
    size_t at = 0;
    for (; n > 0 && at < s.len; n--)
        at += brz_utf8_step(brz_str_of(s.data + at, s.len - at));
    return brz_str_of(s.data, at);
}

static brz_str last_characters(brz_str s, size_t n)
{
    size_t at = s.len;
    for (; n > 0 && at > 0; n--)
        do
            at--;
        while (at > 0 && ((unsigned char)s.data[at] & 0xc0) == 0x80);
    return brz_str_of(s.data + at, s.len - at);
}

char *svg_pen_text(char *to, svg_picture *p, brz_str s)
{
    if (s.len <= NAME_SIZE)
        return pen_bytes(to, s.data, s.len);
    p->w.used = (size_t)(to - p->w.buffer);
    brz_put_str(&p->w, s);
    return svg_frame_room(p);
}

/* A part of a name that is not escaped yet. */
static char *pen_part(char *to, svg_picture *p, brz_str s)
{
    p->w.used = (size_t)(to - p->w.buffer);
    brz_put_xml(&p->w, s);
    return svg_frame_room(p);
}

/* The end of a name mostly tells more than its beginning. */
char *svg_pen_label(char *to, svg_picture *p, const svg_label *l, double width)
{
    const svg_options *o = p->options;
    double character = 100.0 * (double)o->fontsize * o->fontwidth / (double)p->m.image_width;
    double room = width / character;
    if (!(room >= 3))
        return to;
    if (room > 1e6 || count_characters(l->name) < (size_t)room)
        return svg_pen_text(to, p, l->xml);
    if (o->truncate_right)
        return PEN(pen_part(to, p, first_characters(l->name, (size_t)room - 2)), "..");
    return pen_part(PEN(to, ".."), p, last_characters(l->name, (size_t)room - 2));
}
