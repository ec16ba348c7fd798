/* SPDX-License-Identifier: MIT */
/** @file
 * Removes white space, ASCII and Unicode, from the ends of texts.
 */
#ifndef BRAZIER_TEXT_TRIM_H
#define BRAZIER_TEXT_TRIM_H

#include <brazier/base.h>

#include <string.h>

/** Returns whether `c` is ASCII white space. */
static inline bool brz_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/** Returns the number of bytes of the Unicode White_Space character at `p`, or 0 if there is none.
 */
static inline size_t brz_space_at(const char *p, size_t n)
{
    const unsigned char *s = (const unsigned char *)p;
    if (n >= 1 && brz_is_blank(p[0]))
        return 1;
    if (n >= 2 && s[0] == 0xc2 && (s[1] == 0x85 || s[1] == 0xa0))
        return 2; /* U+0085, U+00A0 */
    if (n < 3)
        return 0;
    if (s[0] == 0xe2 && s[1] == 0x80)
        return (s[2] >= 0x80 && s[2] <= 0x8a) || s[2] == 0xa8 || s[2] == 0xa9 || s[2] == 0xaf ? 3
                                                                                              : 0;
    if (s[0] == 0xe1 && s[1] == 0x9a && s[2] == 0x80)
        return 3; /* U+1680 */
    if (s[0] == 0xe2 && s[1] == 0x81 && s[2] == 0x9f)
        return 3; /* U+205F */
    if (s[0] == 0xe3 && s[1] == 0x80 && s[2] == 0x80)
        return 3; /* U+3000 */
    return 0;
}

/** Returns whether the eight bytes at `p` are spaces, with which columns of text are padded. */
static inline bool brz_are_blanks8(const char *p)
{
    return memcmp(p, "        ", 8) == 0;
}

/** Returns whether `c` is neither white space nor part of a white space character. */
static inline bool brz_is_inner(char c)
{
    return c > ' ' && c < 0x7f;
}

/** Returns the number of spaces at the end of the eight bytes at `p`. */
static inline size_t brz_spaces_at_end8(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    word ^= UINT64_C(0x2020202020202020);
    if (word == 0)
        return 8;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (size_t)__builtin_ctzll(word) / 8;
#else
    return (size_t)__builtin_clzll(word) / 8;
#endif
}

/** Removes leading white space. */
static inline brz_str brz_trim_start(brz_str s)
{
    size_t n;
    while (s.len >= 8 && brz_are_blanks8(s.data)) {
        s.data += 8;
        s.len -= 8;
    }
    if (s.len > 0 && brz_is_inner(s.data[0]))
        return s;
    while ((n = brz_space_at(s.data, s.len)) > 0) {
        s.data += n;
        s.len -= n;
    }
    return s;
}

/** Removes trailing white space. */
static inline brz_str brz_trim_end(brz_str s)
{
    size_t spaces = 8;
    while (spaces == 8 && s.len >= 8) {
        spaces = brz_spaces_at_end8(s.data + s.len - 8);
        s.len -= spaces;
    }
    if (s.len > 0 && brz_is_inner(s.data[s.len - 1]))
        return s;
    for (;;) {
        size_t n = 1;
        while (n < 3 && n < s.len && ((unsigned char)s.data[s.len - n] & 0xc0) == 0x80)
            n++;
        if (s.len < n || s.len == 0 || brz_space_at(s.data + s.len - n, n) != n)
            return s;
        s.len -= n;
    }
}

/** Removes leading and trailing white space. */
static inline brz_str brz_trim(brz_str s)
{
    return brz_trim_end(brz_trim_start(s));
}

#endif
