/* SPDX-License-Identifier: MIT */
/* Collects the first of many texts, in their order, to list them in a message. */
#ifndef BRZ_SHORTLIST_H
#define BRZ_SHORTLIST_H

#include "base/buf.h"

#define BRZ_SHORTLIST_MOST 16

/* A list of different texts, which does not depend on the order in which they come. Initialise it
 * with zeros and `most`. */
typedef struct brz_shortlist {
    brz_buf texts[BRZ_SHORTLIST_MOST]; /* sorted */
    size_t n, most;                    /* `most`: up to BRZ_SHORTLIST_MOST */
    bool has_more;                     /* some texts did not fit */
} brz_shortlist;

/* Adds a copy of a text, unless the list has it. */
void brz_shortlist_add(brz_shortlist *l, brz_str text);

/* Appends the texts to a message, separated by commas, and ", ..." if there are more. Cuts long
 * ones. */
void brz_shortlist_print(const brz_shortlist *l, brz_buf *b);

void brz_shortlist_finish(brz_shortlist *l);

#endif
