/* SPDX-License-Identifier: MIT */
/* Scores the beginning of an input for the formats that configurations define. */
#ifndef BRZ_FORMAT_SCORE_H
#define BRZ_FORMAT_SCORE_H

#include <brazier/collapser.h>
#include <brazier/draft/text_format.h>

#include "plugin/format.h"

/* Returns the functions for texts that a collapser, or that of a format, offers, or NULL. */
const brz_text_format *brz_text_format_of(const brz_loaded *l);

/* Explains a text by the expressions of a format, whose collapser offers that. */
void brz_format_explain(const brz_loaded *format, brz_str text, brz_text_lines *to);

/* Returns whether a format has the id of its collapser, whose place it takes in guesses. */
bool brz_format_replaces(const brz_loaded *format);

/* Returns the score of a format, from 0 to 100: by its expressions if its collapser knows a text
 * only by these, and by the name of the file. */
int32_t brz_format_score(const brz_loaded *format, const brz_head *head, const char *input);

#endif
