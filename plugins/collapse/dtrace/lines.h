/* What the lines of DTrace's output are. */
#ifndef DTRACE_LINES_H
#define DTRACE_LINES_H

#include <brazier/base.h>

/* All of these take lines without blanks around them. */

/* A count: digits, perhaps with a sign. False if it is none; *value saturates. */
bool line_is_count(brz_str line, int64_t *value);

/* Certainly a frame: "module`function", or an address. */
bool line_is_frame(brz_str line);

/* "CPU  ID  FUNCTION:NAME", and "0  64091  :tick-60s" below it. */
bool line_is_header(brz_str line);

/* What dtrace itself says when its messages go to the same file. */
bool line_is_message(brz_str line);

/* Above the rows of quantize() and its like: "value  --- Distribution --- count". */
bool line_is_distribution(brz_str line);

/* Takes the last word, a count with two blanks in front, off what stands before it. */
bool line_take_count(brz_str *line, int64_t *value);

#endif
