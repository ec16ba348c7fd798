/* SPDX-License-Identifier: MIT */
/* Measures the depths of lines. */
#include "depth.h"

#include <brazier/text/integer.h>

const char *const text_depths[] = {"blanks", "column", "group", NULL};
const char *const text_call_depths[] = {"blanks", "column", "group", "none", NULL};

/* Returns the width of a text in characters. */
static size_t width_of(brz_str text)
{
    size_t width = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '\t')
            width = (width + 8) & ~(size_t)7;
        else
            width += ((unsigned char)text.data[i] & 0xc0) != 0x80;
    }
    return width;
}

static size_t count_blanks(brz_str line)
{
    size_t n = 0;
    while (n < line.len && (line.data[n] == ' ' || line.data[n] == '\t'))
        n++;
    return n;
}

size_t text_depth_of(text_depth by, const text_match *match, const matcher *m)
{
    uint64_t number;
    brz_str line = match->line;
    brz_str group = expression_text(match->expression, m, line,
                                    by == DEPTH_GROUP ? GROUP_DEPTH : GROUP_FUNCTION);
    if (by == DEPTH_GROUP)
        return brz_parse_u64(group, &number) ? (size_t)number : width_of(group);
    if (by == DEPTH_COLUMN && group.data != NULL)
        return width_of(brz_str_of(line.data, (size_t)(group.data - line.data)));
    return width_of(brz_str_of(line.data, count_blanks(line)));
}
