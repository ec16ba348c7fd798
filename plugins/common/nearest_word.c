/* SPDX-License-Identifier: MIT */
/* Finds the word that is most like a mistyped one. */
#include "nearest_word.h"

#define LONGEST_WORD 32

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t word_edits(brz_str a, brz_str b)
{
    size_t edits[LONGEST_WORD + 1][LONGEST_WORD + 1];
    if (a.len > LONGEST_WORD || b.len > LONGEST_WORD)
        return SIZE_MAX;
    for (size_t i = 0; i <= a.len; i++)
        for (size_t k = 0; k <= b.len; k++) {
            if (i == 0 || k == 0) {
                edits[i][k] = i + k;
                continue;
            }
            bool same = a.data[i - 1] == b.data[k - 1];
            edits[i][k] = least(least(edits[i - 1][k], edits[i][k - 1]) + 1,
                                edits[i - 1][k - 1] + (same ? 0 : 1));
            if (i > 1 && k > 1 && a.data[i - 1] == b.data[k - 2] && a.data[i - 2] == b.data[k - 1])
                edits[i][k] = least(edits[i][k], edits[i - 2][k - 2] + 1);
        }
    return edits[a.len][b.len];
}

void nearest_word_offer(nearest_word *n, brz_str typed, brz_str word)
{
    size_t edits = word_edits(typed, word);
    if (edits >= n->edits)
        return;
    n->edits = edits;
    n->word = word;
}
