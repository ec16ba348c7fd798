/* SPDX-License-Identifier: MIT */
/* Drafts of formats, and expressions that several shapes have in common. */
#ifndef BRZ_CLI_DRAFT_PARTS_H
#define BRZ_CLI_DRAFT_PARTS_H

#include "text_statistics.h"

/* Limit on the drafts of a text. */
#define CLI_DRAFTS_MOST 32

/* A draft: the lines of a definition, without indentation, from `use` on. */
typedef struct cli_draft {
    brz_buf text;
    unsigned confidence; /* in per cent, if all lines fit */
    bool adds_up;        /* the number of a row must not be less than those of the rows below */
} cli_draft;

typedef struct cli_drafts {
    cli_draft items[CLI_DRAFTS_MOST];
    size_t n;
} cli_drafts;

/* The confidence of a draft whose expressions fit all lines, and of one whose expressions fit
 * nearly any text. */
#define CLI_DRAFT_SURE  100
#define CLI_DRAFT_VAGUE 60

/* Appends a draft, whose text a format of printf() describes. */
void cli_draft_add(cli_drafts *to, unsigned confidence, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends a text as an expression within quotes of YAML. Characters other than those of ASCII that
 * are visible end it. */
void cli_draft_escape(brz_buf *b, brz_str text);

/* An expression. */
typedef struct cli_pattern {
    char text[512];
} cli_pattern;

/* Return expressions of a number at the end and at the front of lines, with what all of them have
 * around it: the group weight, and the group unit if there are several units. */
cli_pattern cli_draft_trailing(const cli_numbers *n);
cli_pattern cli_draft_leading(const cli_numbers *n);

/* Returns the lines of the weight's unit, empty if that is NULL. */
cli_pattern cli_draft_unit_lines(const char *unit);

void cli_drafts_finish(cli_drafts *d);

#endif
