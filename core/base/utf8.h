/* SPDX-License-Identifier: MIT */
/* Validates, repairs and encodes UTF-8. */
#ifndef BRZ_UTF8_H
#define BRZ_UTF8_H

#include <brazier/base.h>

#include "base/buf.h"

/* Returns the length of the valid character at the beginning, 1 to 4, or 0 if it is invalid. `n`
 * must be above 0. */
size_t brz_utf8_length(const char *p, size_t n);

/* Returns whether the text is valid. */
bool brz_utf8_valid(brz_str s);

/* Appends `s` with every maximal malformed sequence replaced by U+FFFD. */
void brz_utf8_repair(brz_buf *b, brz_str s);

/* Encodes a code point and returns its length. Encodes surrogates and values beyond U+10FFFF as
 * U+FFFD. */
size_t brz_utf8_encode(uint32_t code, char out[4]);

#endif
