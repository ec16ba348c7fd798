/** @file
 * Adapts names to folded text, which has one line per stack: frames joined by ";", a space and a
 * count.
 */
#ifndef BRAZIER_FOLDED_H
#define BRAZIER_FOLDED_H

#include <brazier/base.h>

/** Returns the byte that replaces `c` in a name: ":" for ";", which would split the frame, and a
 * space for control characters, which would break the line or affect a terminal. Other bytes,
 * including those of multi-byte UTF-8 characters, are returned unchanged. */
static inline char brz_folded_byte(char c)
{
    if (c == ';')
        return ':';
    if ((unsigned char)c < 0x20 || c == 0x7f)
        return ' ';
    return c;
}

/** Returns whether a name can appear unchanged in folded text. */
static inline bool brz_is_foldable(brz_str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (brz_folded_byte(name.data[i]) != name.data[i])
            return false;
    return true;
}

#endif
