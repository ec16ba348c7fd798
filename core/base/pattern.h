/* SPDX-License-Identifier: MIT */
/* Regular expressions written by users: PCRE2 on UTF-8 text. */
#ifndef BRZ_PATTERN_H
#define BRZ_PATTERN_H

#include <brazier/base.h>

#include "base/buf.h"

/* A compiled expression; at most one thread may use it at a time. */
typedef struct brz_pattern brz_pattern;

/* The result of a match. */
typedef enum brz_match {
    BRZ_MATCH_NONE,
    BRZ_MATCH_FOUND,
    BRZ_MATCH_FAILED, /* the engine gave up: the result is unknown */
} brz_match;

/* Compiles an expression. Returns NULL and appends the reason and its position to `error` if it is
 * invalid. The caller owns the pattern. */
brz_pattern *brz_pattern_create(brz_str expression, brz_buf *error);

/* Returns the expression. */
brz_str brz_pattern_text(const brz_pattern *p);

/* Destroys a pattern; NULL is allowed. */
void brz_pattern_destroy(brz_pattern *p);

/* Searches a frame's name, which must be valid UTF-8. Steps and memory are limited: a search that
 * hits a limit returns BRZ_MATCH_FAILED and appends a message with the expression, the frame and
 * the limit to `error`. */
brz_match brz_pattern_search(const brz_pattern *p, brz_str name, brz_buf *error);

/* Maximum length of a name with replaced matches, unless it was longer before. */
#define BRZ_PATTERN_RESULT_MAX ((size_t)64 << 10)

/* Appends the name with all matches replaced; "$1" and "${name}" refer to groups. Appends nothing
 * without a match, if the match fails as in brz_pattern_search(), or if the result would be too
 * long, which is reported in the same way. */
brz_match brz_pattern_replace(const brz_pattern *p, brz_str name, brz_str with, brz_buf *out,
                              brz_buf *error);

/* Checks a replacement in advance. Returns false and appends the reason to `error` if it is
 * invalid. */
bool brz_pattern_check_replacement(const brz_pattern *p, brz_str with, brz_buf *error);

#endif
