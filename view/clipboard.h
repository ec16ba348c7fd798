/* SPDX-License-Identifier: MIT */
/* Copies text to the clipboard of the terminal's user, also over ssh: the sequence OSC 52. */
#ifndef BRZ_VIEW_CLIPBOARD_H
#define BRZ_VIEW_CLIPBOARD_H

#include "base/buf.h"

/* Appends the sequence that lets a terminal copy a text. Characters that a terminal would obey when
 * the text is pasted become U+FFFD. */
void view_clipboard_add(brz_buf *b, brz_str text);

#endif
