/* SPDX-License-Identifier: MIT */
/* Writes text into a page: as JSON within a script element, and as the content of an element.
 * Returns its title. */
#include "document.h"

#include "../common/title.h"

/* Returns the length of the UTF-8 sequence at the front of `s`, or 0 if it is invalid. */
static size_t sequence(brz_str s)
{
    const unsigned char *p = (const unsigned char *)s.data;
    size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (n == 0 || n > s.len || p[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool is_long = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool is_out = (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf4 && p[1] >= 0x90);
    return is_long || is_out ? 0 : n;
}

static void put_escape(brz_writer *w, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    char *p = brz_writer_room(w, 6);
    memcpy(p, "\\u00", 4);
    p[4] = hex[c >> 4];
    p[5] = hex[c & 15];
    w->used += 6;
}

static bool needs_escape(unsigned char c)
{
    return c < 0x20 || c == 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&';
}

void html_put_json(brz_writer *w, brz_str s)
{
    size_t done = 0, n = 0;
    brz_put_char(w, '"');
    for (size_t i = 0; i<s.len; i += n> 0 ? n : 1) {
        unsigned char c = (unsigned char)s.data[i];
        n = sequence(brz_str_of(s.data + i, s.len - i));
        if (n > 0 && !needs_escape(c))
            continue;
        brz_put(w, s.data + done, i - done);
        done = i + 1;
        if (n == 0)
            BRZ_PUT(w, "\xef\xbf\xbd");
        else
            put_escape(w, c);
    }
    if (done < s.len)
        brz_put(w, s.data + done, s.len - done);
    brz_put_char(w, '"');
}

void html_put_escaped(brz_writer *w, brz_str s)
{
    for (size_t i = 0, n; i<s.len; i += n> 0 ? n : 1) {
        n = sequence(brz_str_of(s.data + i, s.len - i));
        if (n == 0 || (unsigned char)s.data[i] < 0x20)
            BRZ_PUT(w, "\xef\xbf\xbd");
        else if (s.data[i] == '<')
            BRZ_PUT(w, "&lt;");
        else if (s.data[i] == '&')
            BRZ_PUT(w, "&amp;");
        else
            brz_put(w, s.data + i, n);
    }
}

brz_str html_title(const html_page *p)
{
    if (p->options->title.len > 0)
        return p->options->title;
    brz_str kind = p->tree->starts != NULL ? BRZ_STR("Flame Chart") : BRZ_STR("Flame Graph");
    return title_of(p->ctx, p->tree, kind);
}
