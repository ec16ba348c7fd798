/* SPDX-License-Identifier: MIT */
/* Converts text to characters for the cells of a terminal.
 *
 * Names come from files that may be hostile: no character of the result controls the terminal,
 * changes the direction of text or is invisible. */
#ifndef BRZ_VIEW_TEXT_H
#define BRZ_VIEW_TEXT_H

#include <brazier/base.h>
#include <wchar.h>

#include "base/buf.h"

/* Stores as much of well-formed UTF-8 as fits into `columns` cells, with a sign at the end if it is
 * cut, and a terminating zero. Characters that the terminal would obey become U+FFFD, those that
 * its encoding lacks become '~' for U+2026, 'u' for micro, 'x' for times or else '?', and marks
 * that combine with more than a few others are left out. `to` has room for VIEW_TEXT_ROOM(columns)
 * characters. Returns the number of cells. */
uint32_t view_text(wchar_t *to, brz_str text, uint32_t columns);

/* Marks that may combine with a character. */
#define VIEW_TEXT_MARKS 3

#define VIEW_TEXT_ROOM(columns) ((size_t)(columns) * (1 + VIEW_TEXT_MARKS) + 1)

/* Appends well-formed text without the characters that a terminal would obey. */
void view_text_add_harmless(brz_buf *b, brz_str text);

/* Appends a character to a text as UTF-8, and removes the last one. */
size_t view_text_encode(char to[4], wchar_t c);
size_t view_text_without_last(const char *text, size_t len);

#endif
