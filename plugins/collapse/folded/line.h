/* SPDX-License-Identifier: MIT */
/* Grammar of a line of folded text:
 *
 *     line    := stack blank count [blank count] | comment | empty
 *     stack   := frame (";" frame)*
 *     count   := ["-"] (digits ["." digits] | "." digits) [("e" | "E") ["+" | "-"] digits]
 *     comment := weight | "#" [blank …]
 *     weight  := "# weight: " name [" (" unit ")"]
 *
 * Frames may be empty, may contain spaces and may consist of them; the counts are the last words.
 */
#ifndef FOLDED_LINE_H
#define FOLDED_LINE_H

#include <brazier/base.h>

/* The decimal fraction digits * 10^-decimals. */
typedef struct number {
    int64_t digits;
    uint32_t decimals;
} number;

typedef struct folded_line {
    brz_str stack;
    number counts[2]; /* the last count, and the one before it */
    size_t n_counts;
} folded_line;

#define MAX_DECIMALS 9

/* Returns the line without leading and trailing spaces. Leading spaces that are the first frame
 * stay: those before a semicolon, or before a count alone. */
brz_str folded_line_trim(brz_str line);

/* Both functions expect trimmed lines that are not empty. */
bool folded_line_is_comment(brz_str line);

/* The weight of all counts. */
typedef struct folded_weight {
    brz_str name, unit;
} folded_weight;

/* Parses the comment that names the weight. Returns false if a line is another comment. */
bool folded_line_weight(brz_str line, folded_weight *weight);

/* Parses a line, with up to two counts if `two` is set. Returns false if the line has no count or
 * no space before it, or if a count is too large. The stack may be empty: one frame without a name.
 */
bool folded_line_parse(brz_str line, bool two, folded_line *out);

/* Parses a line that consists of a count alone. */
bool folded_line_count(brz_str line, number *count);

#endif
