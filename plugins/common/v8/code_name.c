/* SPDX-License-Identifier: MIT */
/* Names of code in logs of V8. */
#include "code_name.h"

/* Returns whether a text begins like a path or a URL, such as "/srv" or "node:internal". */
static bool begins_place(brz_str text)
{
    size_t n = 0;
    while (n < text.len && text.data[n] >= 'a' && text.data[n] <= 'z')
        n++;
    bool has_scheme = n > 0 && n + 1 < text.len && text.data[n] == ':';
    return brz_starts_with(text, BRZ_STR("/")) || (has_scheme && !brz_is_digit(text.data[n + 1]));
}

/* Divides a name and a place at the first blank in front of a path or URL, or at the last blank. */
static bool divide(brz_str text, brz_str *name, brz_str *place)
{
    for (size_t i = 0; i + 1 < text.len; i++)
        if (text.data[i] == ' ' && begins_place(brz_str_from(text, i + 1))) {
            *name = brz_str_of(text.data, i);
            *place = brz_str_from(text, i + 1);
            return true;
        }
    return brz_cut_last(text, ' ', name, place);
}

void code_describe_script(brz_str text, brz_frame_desc *frame)
{
    brz_str name, place;
    frame->flags = BRZ_FRAME_JIT;
    frame->name = text;
    if (divide(text, &name, &place) && memchr(place.data, ':', place.len) != NULL) {
        frame->name = name;
        dump_place(place, frame);
    }
    if (frame->name.len == 0)
        frame->name = BRZ_STR("(anonymous)");
}

brz_str code_without_letter(brz_str symbol)
{
    bool has_letter = symbol.len > 2 && symbol.data[1] == ' ' && symbol.data[0] != ' ';
    return has_letter ? brz_str_from(symbol, 2) : symbol;
}
