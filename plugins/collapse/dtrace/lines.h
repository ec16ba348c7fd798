/* SPDX-License-Identifier: MIT */
/* Recognises the lines of DTrace's output. */
#ifndef DTRACE_LINES_H
#define DTRACE_LINES_H

#include <brazier/base.h>

/* The functions expect lines without leading or trailing spaces. */

/* Parses a count: digits with an optional sign. Returns false for other lines; *value saturates. */
bool line_is_count(brz_str line, int64_t *value);

/* Recognises a line that is a count with a byte that is no digit in it or after it, in front of it
 * and of blanks, or in place of the newline after it. No function begins with a digit. */
bool line_is_damaged_count(brz_str line);

/* Recognises a line that is a count with a byte that is no digit in front of it: "x1", which may be
 * a function. */
bool line_is_digits_after_byte(brz_str line);

/* Recognises lines that are certainly frames: "module`function", or an address. */
bool line_is_frame(brz_str line);

/* Returns the module of a line that is certainly a frame: "0x" of addresses. */
brz_str line_module(brz_str line);

/* Recognises headers: "CPU  ID  FUNCTION:NAME", and "0  64091  :tick-60s" below it. */
bool line_is_header(brz_str line);

/* Recognises dtrace's own messages, which may go to the same file. */
bool line_is_message(brz_str line);

/* Recognises the header of quantize() and similar functions, also a damaged one:
 * "value  --- Distribution --- count". */
bool line_is_distribution(brz_str line);

/* Recognises a row of a distribution: "512 |@@@@    3". */
bool line_is_row(brz_str line);

/* Removes the last word, a count after two spaces, from the line. */
bool line_take_count(brz_str *line, int64_t *value);

#endif
