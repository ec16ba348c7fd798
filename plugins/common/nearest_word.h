/* SPDX-License-Identifier: MIT */
/* Finds the word that is most like a mistyped one. */
#ifndef COMMON_NEAREST_WORD_H
#define COMMON_NEAREST_WORD_H

#include <brazier/base.h>

/* Returns how many letters must be inserted, deleted, replaced or swapped with their neighbours to
 * make two words equal, or SIZE_MAX for long words. */
size_t word_edits(brz_str a, brz_str b);

/* The word nearest to another one, among those offered so far. */
typedef struct nearest_word {
    brz_str word; /* empty: none of them is near enough */
    size_t edits; /* a word that needs as many is too far; begin with the limit */
} nearest_word;

/* Compares another word with the typed one. Long words are never near. */
void nearest_word_offer(nearest_word *n, brz_str typed, brz_str word);

#endif
