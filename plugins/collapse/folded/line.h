/* What a line of folded text is:
 *
 *     line    := stack blank count [blank count] | comment | empty
 *     stack   := frame (";" frame)*
 *     count   := (digits ["." digits] | "." digits) [("e" | "E") ["+" | "-"] digits]
 *     comment := "#" [blank …]
 *
 * Frames may be empty and may hold blanks; the counts are the last words.
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
    number counts[2]; /* the last one, and the one before it */
    size_t n_counts;
} folded_line;

#define MAX_DECIMALS 9

/* The line without blanks around it. */
brz_str folded_line_trim(brz_str line);

/* Both of these take trimmed lines that are not empty. */
bool folded_line_is_comment(brz_str line);
/* `two`: there may be two counts. False if there is none, or no stack, or a count is too large. */
bool folded_line_parse(brz_str line, bool two, folded_line *out);

#endif
