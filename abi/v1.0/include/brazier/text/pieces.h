/* SPDX-License-Identifier: MIT */
/** @file
 * Splits texts at separators. The results are views of the original text.
 */
#ifndef BRAZIER_TEXT_PIECES_H
#define BRAZIER_TEXT_PIECES_H

#include <brazier/base.h>

#include <string.h>

/** Splits a text at the first `c`, which is in neither part. Returns false, without changing either
 * part, if there is none. */
static inline bool brz_cut_first(brz_str s, char c, brz_str *before, brz_str *after)
{
    const char *at = s.len == 0 ? NULL : (const char *)memchr(s.data, c, s.len);
    if (at == NULL)
        return false;
    *before = brz_str_of(s.data, (size_t)(at - s.data));
    *after = brz_str_of(at + 1, s.len - before->len - 1);
    return true;
}

/** Splits a text at the last `c`, likewise. */
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

/** Removes the first piece, up to the next `c` or the end, from `rest`, and stores it in *piece.
 * Returns false if nothing is left. "a,,b" has three pieces, "a," has two, and empty text has one
 * unless its `data` is NULL; `rest` becomes such a text after the last piece. */
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

/** Removes the first line from `rest` and stores it, without its newline, in *line. The last line
 * may lack a newline. Returns false if nothing is left. (The iterator of lines.h is faster for many
 * lines.) */
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
