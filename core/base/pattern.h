/* Regular expressions that users write: PCRE2, over UTF-8 text. */
#ifndef BRZ_PATTERN_H
#define BRZ_PATTERN_H

#include <brazier/base.h>

#include "base/buf.h"

typedef struct brz_pattern brz_pattern;

/* Compiles an expression; NULL with the reason and its place added to `error`. */
brz_pattern *brz_pattern_create(brz_str expression, brz_buf *error);

/* NULL is fine. */
void brz_pattern_destroy(brz_pattern *p);

/* True if it matches anywhere in the text. An expression that would run away does not match. */
bool brz_pattern_matches(const brz_pattern *p, brz_str text);

/* Appends the text with all matches replaced; "$1" and "${name}" stand for groups. False, with
 * nothing appended, if there is no match. */
bool brz_pattern_replace(const brz_pattern *p, brz_str text, brz_str with, brz_buf *out);

/* Checks what matches are to be replaced with; false with the reason added to `error`. */
bool brz_pattern_check_replacement(const brz_pattern *p, brz_str with, brz_buf *error);

#endif
