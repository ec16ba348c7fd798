/** @file
 * What folded text can hold: one line per stack, frames joined by ";", a blank and a count.
 */
#ifndef BRAZIER_FOLDED_H
#define BRAZIER_FOLDED_H

#include <brazier/base.h>

/** The byte that stands for `c` in a name: ";" would split the frame, control characters the line
 * (or worse, on a terminal). The text is UTF-8, whose other bytes stay. */
static inline char brz_folded_byte(char c)
{
    if (c == ';')
        return ':';
    if ((unsigned char)c < 0x20 || c == 0x7f)
        return ' ';
    return c;
}

/** True if a name can stand in folded text as it is. */
static inline bool brz_is_foldable(brz_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (brz_folded_byte(name.data[i]) != name.data[i])
            return false;
    return true;
}

#endif
