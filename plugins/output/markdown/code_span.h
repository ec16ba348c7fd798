/* SPDX-License-Identifier: MIT */
/* Writes text of others into Markdown, as code spans: there, nothing is a link, an image, a mention
 * or HTML. */
#ifndef MARKDOWN_CODE_SPAN_H
#define MARKDOWN_CODE_SPAN_H

#include <brazier/plugin.h>
#include <brazier/write.h>

/* Maximum number of bytes of a text that are written. */
#define CODE_SPAN_MOST 320

/* The place of a code span. In a cell of a table, "|" is escaped. */
typedef enum code_place { CODE_IN_TEXT, CODE_IN_CELL } code_place;

/* Writes the beginning of a text as a code span. Characters that control a terminal or the
 * direction of text become U+FFFD. */
void put_code_span(brz_writer *w, brz_str text, code_place place);

/* Writes the beginning of a text as it is if it consists of words and marks that no reader of
 * Markdown takes for anything else; otherwise as a code span. */
void put_words(brz_writer *w, brz_str text);

#endif
