/* Regular expressions that users write: PCRE2, over UTF-8 text. */
#ifndef BRZ_PATTERN_H
#define BRZ_PATTERN_H

#include <brazier/base.h>

#include "base/buf.h"

/* A compiled expression. One thread uses it at a time. */
typedef struct brz_pattern brz_pattern;

/* The result of a match. */
typedef enum brz_match {
    BRZ_MATCH_NONE,
    BRZ_MATCH_FOUND,
    BRZ_MATCH_FAILED, /* the engine gave up: it is unknown if there is a match */
} brz_match;

/* Compiles an expression. Returns NULL with the reason and its place added to `error`. The caller
 * owns the pattern. */
brz_pattern *brz_pattern_create(brz_str expression, brz_buf *error);

/* Frees a pattern; accepts NULL. */
void brz_pattern_destroy(brz_pattern *p);

/* Searches a frame's name, which is well-formed UTF-8. A search is bounded in steps and memory: one
 * that hits a limit is BRZ_MATCH_FAILED, with a message added to `error` that names the expression,
 * the frame and the limit. */
brz_match brz_pattern_search(const brz_pattern *p, brz_str name, brz_buf *error);

/* Appends the name with all matches replaced; "$1" and "${name}" stand for groups. Appends nothing
 * without a match, or when the match fails as in brz_pattern_search. */
brz_match brz_pattern_replace(const brz_pattern *p, brz_str name, brz_str with, brz_buf *out,
                              brz_buf *error);

/* Checks a replacement before anything matches; returns false with the reason added to `error`. */
bool brz_pattern_check_replacement(const brz_pattern *p, brz_str with, brz_buf *error);

#endif
