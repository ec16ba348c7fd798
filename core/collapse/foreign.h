/* SPDX-License-Identifier: MIT */
/* Recognises formats by signatures: those that brazier does not read, with advice on what to do
 * about each, and some that it reads. The table is config/foreign.txt. Only the content counts, not
 * the name of a file. */
#ifndef BRZ_FOREIGN_H
#define BRZ_FOREIGN_H

#include <brazier/base.h>

#include "base/buf.h"

/* A format is its line in the table, or NULL for none. */
typedef const char *brz_foreign;

/* Returns the foreign format of an input that begins with `head`, or NULL if no signature matches.
 */
brz_foreign brz_foreign_find(brz_str head);

/* Returns the id of the shipped collapser that is certain of such an input, or an empty text. */
brz_str brz_foreign_reader(brz_str head);

/* Returns whether only a family is known, such as JSON, which rules out nothing. */
bool brz_foreign_is_vague(brz_foreign format);

/* Returns whether no shipped collapser is more certain, such as of an archive that stores texts as
 * they are. */
bool brz_foreign_is_sure(brz_foreign format);

/* Appends the name of a format and the advice to `b`. */
void brz_foreign_add(brz_foreign format, brz_buf *b);

/* Returns the i-th format that has a signature, from 1, or NULL if fewer formats have one. */
brz_foreign brz_foreign_at(uint32_t i);

/* Returns the number of a format, or 0 for none. */
uint32_t brz_foreign_number(brz_foreign format);

#endif
