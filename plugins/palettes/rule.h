/* SPDX-License-Identifier: MIT */
/* A rule as written by users: the frames it applies to, and their colour. It has one of two forms:
 *
 *     PATTERN = COLOUR              (spaces around the last '=' are optional)
 *
 *     match: PATTERN                (a map of the configuration; each line ends in a line break)
 *     module: PATTERN
 *     color: COLOUR
 *     legend: TEXT
 *
 * A COLOUR is #rrggbb, a ramp such as orange, or next: the colour of the next palette in the chain.
 */
#ifndef PALETTES_RULE_H
#define PALETTES_RULE_H

#include "ramp.h"

/* The colour of a rule. */
typedef struct rule_color {
    enum { RULE_NEXT, RULE_COLOR, RULE_RAMP } type;
    uint32_t color;
    ramp ramp;
} rule_color;

/* The texts that patterns are matched against. */
enum { RULE_NAME, RULE_MODULE, RULE_FILE, RULE_N_PATTERNS };

typedef struct rule {
    brz_str patterns[RULE_N_PATTERNS]; /* all of them must match; data NULL: matches anything */
    bool has_kind;
    uint32_t kind;
    char annotation; /* the letter x of _[x]; 0: matches anything */
    rule_color color;
    brz_str legend; /* empty: no entry */
} rule;

/* Parses a colour. Returns NULL, or a description of the error. */
const char *rule_parse_color(brz_str text, rule_color *color);

/* Parses a rule, which then refers to parts of `text`. Returns NULL, or a description of the
 * error. */
const char *rule_parse(brz_str text, rule *r);

#endif
