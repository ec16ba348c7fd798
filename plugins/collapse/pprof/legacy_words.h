/* SPDX-License-Identifier: MIT */
/* Takes words from the front of texts, after any blanks. */
#ifndef PPROF_LEGACY_WORDS_H
#define PPROF_LEGACY_WORDS_H

#include <brazier/base.h>

/* Take a number. Return false if the text begins with something else, or if it is too large. */
bool legacy_take_decimal(brz_str *text, uint64_t *number);
bool legacy_take_signed(brz_str *text, int64_t *number);
bool legacy_take_hex(brz_str *text, uint64_t *number);

/* Takes a number that begins with "0x". Returns false, and takes nothing, for other text. */
bool legacy_take_address(brz_str *text, uint64_t *address);

/* Takes a text. Returns false if the text does not begin with it. */
bool legacy_take(brz_str *text, const char *expected);

/* Takes the '@' after a number. Without the blank between them, the number may have another digit
 * in its place. */
bool legacy_take_at(brz_str *text);

/* Recognises a comment. A line after "#" that has addresses is a sample whose first byte is
 * damaged. */
bool legacy_is_comment(brz_str line);

#endif
