/* SPDX-License-Identifier: MIT */
/* Text for character terminals: measures its width in columns and neutralises control
 * characters. */
#ifndef OUTPUT_COMMON_SCREEN_TEXT_H
#define OUTPUT_COMMON_SCREEN_TEXT_H

#include <brazier/plugin.h>
#include <brazier/write.h>

/* Returns whether the first character of well-formed text controls the terminal or the direction of
 * text, or is invisible. */
bool screen_obeys(brz_str text);

/* Returns the number of columns that put_screen_text() needs for the whole text. */
uint32_t screen_width(brz_str text);

/* Writes as much of the text as fits into `columns` columns, with "…" at the end if it is cut.
 * Returns the number of columns used. Characters that control the terminal or the direction of text
 * become U+FFFD. */
uint32_t put_screen_text(brz_writer *w, brz_str text, uint32_t columns);

#endif
