/* A rule as users write it: which frames it is for, and their colour. In one of two forms:
 *
 *     PATTERN = COLOUR              (blanks around the last '=' are not needed)
 *
 *     match: PATTERN                (as a map of the configuration; each line ends in a line break)
 *     module: PATTERN
 *     color: COLOUR
 *     legend: TEXT
 *
 * A COLOUR is #rrggbb, a ramp such as orange, or next: what the next palette of the chain says.
 */
#ifndef PALETTES_RULE_H
#define PALETTES_RULE_H

#include "ramp.h"

/* What a rule gives. */
typedef struct rule_color {
    enum { RULE_NEXT, RULE_COLOR, RULE_RAMP } type;
    uint32_t color;
    ramp ramp;
} rule_color;

/* The texts that patterns are for. */
enum { RULE_NAME, RULE_MODULE, RULE_FILE, RULE_N_PATTERNS };

typedef struct rule {
    brz_str patterns[RULE_N_PATTERNS]; /* all of them match; data NULL: anything */
    bool has_kind;
    uint32_t kind;
    char annotation; /* the letter of _[k] and its like; 0: any or none */
    rule_color color;
    brz_str legend; /* empty: none */
} rule;

/* Reads a colour; NULL, or what is wrong. */
const char *rule_parse_color(brz_str text, rule_color *color);

/* Reads a rule, whose texts are then parts of `text`; NULL, or what is wrong. */
const char *rule_parse(brz_str text, rule *r);

#endif
