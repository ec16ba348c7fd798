/* Text on a screen of characters: how many columns it takes, and nothing in it that a terminal
 * would obey.
 */
#ifndef OUTPUT_COMMON_SCREEN_TEXT_H
#define OUTPUT_COMMON_SCREEN_TEXT_H

#include <brazier/plugin.h>
#include <brazier/write.h>

/* The columns that a text takes when it is put by put_screen_text. */
uint32_t screen_width(brz_str text);

/* Puts as much of the text as fits into so many columns, "…" at its end if it is cut, and returns
 * how many it took. Characters that control the terminal or the direction of text become U+FFFD. */
uint32_t put_screen_text(brz_writer *w, brz_str text, uint32_t columns);

#endif
