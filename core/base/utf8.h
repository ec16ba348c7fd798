/* UTF-8: checking, repairing, making. */
#ifndef BRZ_UTF8_H
#define BRZ_UTF8_H

#include <brazier/base.h>

#include "base/buf.h"

/* The length of the well-formed character at the front, 1 to 4, or 0. n > 0. */
size_t brz_utf8_length(const char *p, size_t n);

/* True if all of it is well-formed. */
bool brz_utf8_valid(brz_str s);

/* Appends `s` with every maximal malformed part replaced by U+FFFD. */
void brz_utf8_repair(brz_buf *b, brz_str s);

/* Writes a code point (a surrogate or one beyond U+10FFFF as U+FFFD) and returns its length. */
size_t brz_utf8_encode(uint32_t code, char out[4]);

#endif
