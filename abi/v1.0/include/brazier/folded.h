/* SPDX-License-Identifier: MIT */
/** @file
 * Adapts names to folded text, which has one line per stack: frames joined by ";", a space and a
 * count.
 */
#ifndef BRAZIER_FOLDED_H
#define BRAZIER_FOLDED_H

#include <brazier/base.h>

#include <string.h>

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

/** Returns whether one of eight bytes is replaced. */
static inline bool brz_folded_replaces(const char *bytes)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    uint64_t word, semicolons, deletes;
    memcpy(&word, bytes, sizeof word);
    semicolons = word ^ ones * ';';
    deletes = word ^ ones * 0x7f;
    /* the top bit of a byte is set by the subtraction if the byte is below what is subtracted */
    return ((((word - ones * 0x20) & ~word) | ((semicolons - ones) & ~semicolons) |
             ((deletes - ones) & ~deletes)) &
            tops) != 0;
}

/** Returns whether a name can appear unchanged in folded text. */
static inline bool brz_is_foldable(brz_str name)
{
    size_t i = 0;
    for (; name.len - i >= 8; i += 8)
        if (brz_folded_replaces(name.data + i))
            return false;
    for (; i < name.len; i++)
        if (brz_folded_byte(name.data[i]) != name.data[i])
            return false;
    return true;
}

#endif
