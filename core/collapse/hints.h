/* SPDX-License-Identifier: MIT */
/* Decides by the hints of a plug-in, see BRZ_HINTS(), whether it can recognise an input. */
#ifndef BRZ_HINTS_H
#define BRZ_HINTS_H

#include <brazier/base.h>

/* The forms in which collapsers may demand an input: as text, decompressed, as it is. */
#define BRZ_HINT_FORMS 3

/* The beginning of an input. */
typedef struct brz_hinted {
    brz_str name; /* of the file, without folders; empty: none */
    brz_str forms[BRZ_HINT_FORMS];
    size_t n;            /* forms that differ */
    uint8_t pairs[8192]; /* bits of the pairs of bytes that occur in the forms */
} brz_hinted;

/* Prepares a zeroed *h for an input with this name. */
void brz_hinted_init(brz_hinted *h, brz_str name);

/* Adds a form; at most BRZ_HINT_FORMS. The bytes must stay valid. */
void brz_hinted_add(brz_hinted *h, brz_str form);

/* Returns whether a text occurs in one of the forms. */
bool brz_hinted_occurs(const brz_hinted *h, brz_str text);

/* Returns whether a hint is true, or unknown to this host. */
bool brz_hints_hold(const brz_hinted *h, brz_str hints);

/* Returns whether the name of a file matches a pattern. */
bool brz_name_matches(brz_str name, const char *pattern);

#endif
