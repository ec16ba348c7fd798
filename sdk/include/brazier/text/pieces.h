/** @file
 * Takes a text apart at a byte that divides it. What comes out are views of the text.
 */
#ifndef BRAZIER_TEXT_PIECES_H
#define BRAZIER_TEXT_PIECES_H

#include <brazier/base.h>

#include <string.h>

/** Divides a text at its first `c`, which is in neither half; false, and both are as they were, if
 * there is none. */
static inline bool brz_cut_first(brz_str s, char c, brz_str *before, brz_str *after)
{
    const char *at = s.len == 0 ? NULL : (const char *)memchr(s.data, c, s.len);
    if (at == NULL)
        return false;
    *before = brz_str_of(s.data, (size_t)(at - s.data));
    *after = brz_str_of(at + 1, s.len - before->len - 1);
    return true;
}

/** Divides a text at its last `c`, likewise. */
static inline bool brz_cut_last(brz_str s, char c, brz_str *before, brz_str *after)
{
    size_t at = s.len;
    while (at > 0 && s.data[at - 1] != c)
        at--;
    if (at == 0)
        return false;
    *before = brz_str_of(s.data, at - 1);
    *after = brz_str_of(s.data + at, s.len - at);
    return true;
}

/** Takes what stands before the next `c` off the front of a text, or all of it if there is none;
 * false when nothing is left. "a,,b" has three pieces, "a," two, and the empty text one, unless its
 * `data` is NULL, which is what `rest` becomes with the last piece. */
static inline bool brz_take_piece(brz_str *rest, char c, brz_str *piece)
{
    if (rest->data == NULL)
        return false;
    if (!brz_cut_first(*rest, c, piece, rest)) {
        *piece = *rest;
        *rest = brz_str_of(NULL, 0);
    }
    return true;
}

/** Takes a line off the front of a text, without its newline, which the last one may lack; false
 * when nothing is left. (A cursor of lines.h finds many of them faster.) */
static inline bool brz_take_line(brz_str *rest, brz_str *line)
{
    if (rest->len == 0)
        return false;
    if (!brz_cut_first(*rest, '\n', line, rest)) {
        *line = *rest;
        *rest = brz_str_of(rest->data + rest->len, 0);
    }
    return true;
}

#endif
