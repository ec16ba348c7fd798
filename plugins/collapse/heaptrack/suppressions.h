/* SPDX-License-Identifier: MIT */
/* Leaks that a program or heaptrack expects: patterns of LeakSanitizer for names of functions,
 * files and modules. */
#ifndef HEAPTRACK_SUPPRESSIONS_H
#define HEAPTRACK_SUPPRESSIONS_H

#include <brazier/text.h>

/* Patterns of a file at most: each is compared with each text. */
#define SUPPRESSIONS_MAX 1024

typedef struct suppressions {
    brz_str *items;
    size_t n, cap;
} suppressions;

/* Results of adding a line. */
typedef enum suppression_result {
    SUPPRESSION_ADDED, /* or the line is empty or a comment */
    SUPPRESSION_ODD,
    SUPPRESSION_TOO_MANY,
} suppression_result;

/* Adds the pattern of "leak:PATTERN". */
suppression_result suppressions_add(suppressions *s, brz_ctx *ctx, brz_str line);

/* Returns whether a pattern of the file, or one that heaptrack has for system libraries, matches.
 */
bool suppressions_match(const suppressions *s, brz_str text);

#endif
