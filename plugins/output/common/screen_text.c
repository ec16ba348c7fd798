/* SPDX-License-Identifier: MIT */
/* Writes text for character terminals.
 *
 * Column widths follow Unicode's East Asian Width: wide and full-width characters take two columns,
 * combining marks take none. The tables list blocks rather than single characters; unassigned
 * characters in a block do no harm.
 */
#include "screen_text.h"

typedef struct range {
    uint32_t first, last;
} range;

static const range combining[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},     {0x610, 0x61a},     {0x64b, 0x65f},
    {0x6d6, 0x6dc},   {0x6df, 0x6e4},   {0x730, 0x74a},     {0x900, 0x902},     {0x93c, 0x93c},
    {0x941, 0x948},   {0x94d, 0x94d},   {0xe31, 0xe31},     {0xe34, 0xe3a},     {0xe47, 0xe4e},
    {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200d},   {0x2060, 0x2064},   {0x20d0, 0x20ff},
    {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0x1f3fb, 0x1f3ff}, {0xe0100, 0xe01ef},
};

static const range wide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},
    {0x25fd, 0x25fe},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26a1, 0x26a1},
    {0x26bd, 0x26be},   {0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x2705, 0x2705},
    {0x270a, 0x270b},   {0x2728, 0x2728},   {0x274c, 0x274c},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},
    {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},
    {0xa000, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18aff},
    {0x1b000, 0x1b2ff}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e},
    {0x1f191, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f3fa}, {0x1f400, 0x1f64f},
    {0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7eb}, {0x1f90c, 0x1f9ff}, {0x1fa70, 0x1faff},
    {0x20000, 0x3fffd},
};

/* Characters that control the terminal or change the direction of text; `inert` in
 * viewer/names.js replaces the same. */
static const range obeyed[] = {
    {0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},   {0x200e, 0x200f},
    {0x2028, 0x202e}, {0x2066, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb},
};

static bool is_in(const range *ranges, size_t n, uint32_t code)
{
    size_t low = 0;
    while (low < n) {
        size_t middle = (low + n) / 2;
        if (code > ranges[middle].last)
            low = middle + 1;
        else
            n = middle;
        if (code >= ranges[middle].first && code <= ranges[middle].last)
            return true;
    }
    return false;
}

#define IS_IN(ranges, code) is_in(ranges, sizeof(ranges) / sizeof(ranges)[0], code)

typedef struct character {
    uint32_t length, width;
    bool obeyed;
} character;

/* Decodes the first character of well-formed UTF-8. */
static character front_of(brz_str text)
{
    unsigned char c = (unsigned char)text.data[0];
    if (c >= 0x20 && c < 0x7f)
        return (character){1, 1, false};
    uint32_t length = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    if (length > text.len)
        return (character){(uint32_t)text.len, 1, true};
    uint32_t code = length == 1 ? c : c & (0x7fu >> length);
    for (uint32_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)text.data[i] & 0x3fu);
    if (IS_IN(obeyed, code))
        return (character){length, 1, true};
    return (character){length, IS_IN(combining, code) ? 0 : IS_IN(wide, code) ? 2 : 1, false};
}

bool screen_obeys(brz_str text)
{
    return front_of(text).obeyed;
}

uint32_t screen_width(brz_str text)
{
    uint32_t width = 0;
    while (text.len > 0) {
        character c = front_of(text);
        width += c.width;
        text = brz_str_of(text.data + c.length, text.len - c.length);
    }
    return width;
}

uint32_t put_screen_text(brz_writer *w, brz_str text, uint32_t columns)
{
    bool fits = text.len <= columns || screen_width(text) <= columns;
    uint32_t used = 0, room = fits ? columns : columns - (columns > 0);
    while (text.len > 0) {
        character c = front_of(text);
        if (used + c.width > room)
            break;
        if (c.obeyed)
            BRZ_PUT(w, "\xef\xbf\xbd");
        else
            brz_put(w, text.data, c.length);
        used += c.width;
        text = brz_str_of(text.data + c.length, text.len - c.length);
    }
    if (!fits && columns > 0) {
        BRZ_PUT(w, "\xe2\x80\xa6");
        used++;
    }
    return used;
}
