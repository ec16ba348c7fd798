/* SPDX-License-Identifier: MIT */
/* Finds the word that a user who mistyped one probably meant. */
#ifndef BRZ_SUGGEST_H
#define BRZ_SUGGEST_H

#include <brazier/base.h>

#include "base/buf.h"

/* Finds the word nearest to `typed` among words that are offered one at a time. Initialise it with
 * zeros and `typed`. */
typedef struct brz_suggestion {
    brz_str typed;
    const char *best; /* NULL: no word is similar enough yet */
    size_t distance;
} brz_suggestion;

/* Offers a word, which must outlive the suggestion. */
void brz_suggestion_offer(brz_suggestion *s, const char *word);

/* Appends "; did you mean 'word'?" if a word was found. */
void brz_suggestion_add(const brz_suggestion *s, brz_buf *b);

#endif
