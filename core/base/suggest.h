/* The nearest word: what somebody who mistyped probably meant. */
#ifndef BRZ_SUGGEST_H
#define BRZ_SUGGEST_H

#include <brazier/base.h>

#include "base/buf.h"

/* Finds the word nearest to what was typed, offered one at a time. A zeroed one with `typed` set
 * is ready. */
typedef struct brz_suggestion {
    brz_str typed;
    const char *best; /* NULL: nothing near enough yet */
    size_t distance;
} brz_suggestion;

/* `word` outlives the suggestion. */
void brz_suggestion_offer(brz_suggestion *s, const char *word);

/* Appends "; did you mean 'word'?" if there is a word. */
void brz_suggestion_add(const brz_suggestion *s, brz_buf *b);

#endif
