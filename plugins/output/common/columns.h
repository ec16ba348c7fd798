/* SPDX-License-Identifier: MIT */
/* Widths of names in columns of a fixed-width font: wide characters take two, combining marks
 * none. */
#ifndef OUTPUT_COMMON_COLUMNS_H
#define OUTPUT_COMMON_COLUMNS_H

#include <brazier/base.h>

/* Returns whether a text consists of ASCII characters only. */
bool columns_are_bytes(brz_str s);

/* Returns the width of a text. It equals the number of bytes for ASCII. */
size_t columns_of(brz_str s);

/* Returns the longest beginning that takes at most `n` columns. */
brz_str columns_first(brz_str s, size_t n);

/* Returns the longest end that takes at most `n` columns and does not start with a combining
 * mark. */
brz_str columns_last(brz_str s, size_t n);

#endif
