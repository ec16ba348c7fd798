/* SPDX-License-Identifier: MIT */
/* Converts text to characters for the cells of a terminal. */
#include "view/text.h"

#include <limits.h>
#include <stdlib.h>

#include "plugins/output/common/screen_text.h"

#define REPLACEMENT L'\xfffd'
#define ELLIPSIS    L'\x2026'

/* Returns what stands for a character in terminals that lack it. */
static wchar_t replaced(wchar_t c)
{
    switch (c) {
    case ELLIPSIS:
        return L'~';
    case L'\xb5': /* micro */
    case L'\x3bc':
        return L'u';
    case L'\xd7': /* times */
        return L'x';
    default:
        return L'?';
    }
}

/* Returns a character, or one in its place that the terminal can show. */
static wchar_t shown(wchar_t c)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    return wcrtomb(bytes, c, &state) == (size_t)-1 ? replaced(c) : c;
}

/* Decodes the first character of well-formed text. Returns its length. */
static size_t decode(brz_str text, wchar_t *c)
{
    unsigned char first = (unsigned char)text.data[0];
    size_t n = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (n > text.len || (n > 1 && first < 0xc0)) {
        *c = REPLACEMENT;
        return 1;
    }
    uint32_t code = n == 1 ? first : first & (0x7fu >> n);
    for (size_t i = 1; i < n; i++)
        code = code << 6 | ((unsigned char)text.data[i] & 0x3fu);
    *c = screen_obeys(brz_str_of(text.data, n)) ? REPLACEMENT : (wchar_t)code;
    return n;
}

/* Text on its way to cells. */
typedef struct cells {
    wchar_t *to;
    size_t n;
    uint32_t used, marks; /* cells, and marks of the last one */
} cells;

/* Appends a character if it fits. Returns false if it does not. */
static bool add(cells *s, wchar_t c, uint32_t room)
{
    c = shown(c);
    int width = wcwidth(c);
    if (width < 0) {
        c = shown(REPLACEMENT);
        width = 1;
    }
    if (s->used + (uint32_t)width > room)
        return false;
    if (width == 0 && (s->used == 0 || s->marks == VIEW_TEXT_MARKS))
        return true;
    s->marks = width == 0 ? s->marks + 1 : 0;
    s->used += (uint32_t)width;
    s->to[s->n++] = c;
    return true;
}

static bool add_all(cells *s, brz_str text, uint32_t room)
{
    *s = (cells){.to = s->to};
    while (text.len > 0) {
        wchar_t c;
        size_t n = decode(text, &c);
        if (!add(s, c, room))
            return false;
        text = brz_str_of(text.data + n, text.len - n);
    }
    return true;
}

uint32_t view_text(wchar_t *to, brz_str text, uint32_t columns)
{
    cells s = {.to = to};
    if (!add_all(&s, text, columns) && columns > 0) {
        add_all(&s, text, columns - 1);
        s.to[s.n++] = shown(ELLIPSIS);
        s.used++;
    }
    s.to[s.n] = L'\0';
    return s.used;
}

size_t view_text_encode(char to[4], wchar_t c)
{
    uint32_t code = (uint32_t)c;
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n; i-- > 1; code >>= 6)
        to[i] = (char)(0x80u | (code & 0x3fu));
    to[0] = (char)(n == 1 ? code : (0xf00u >> n & 0xffu) | code);
    return n;
}

size_t view_text_without_last(const char *text, size_t len)
{
    while (len > 0 && ((unsigned char)text[--len] & 0xc0u) == 0x80u)
        continue;
    return len;
}

void view_text_add_harmless(brz_buf *b, brz_str text)
{
    while (text.len > 0) {
        wchar_t c;
        size_t n = decode(text, &c);
        if (c == REPLACEMENT)
            brz_buf_add_text(b, "\xef\xbf\xbd");
        else
            brz_buf_add(b, text.data, n);
        text = brz_str_of(text.data + n, text.len - n);
    }
}
