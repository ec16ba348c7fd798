/* SPDX-License-Identifier: MIT */
/* Finds the nearest word, by the number of letters inserted, deleted, replaced or swapped. A word
 * with which the typed one begins is near, too: "freq" is what "frequency" means. So is one that
 * begins with the typed one: "fail" may be the beginning of "fail-if". */
#include "base/suggest.h"

#include <brazier/symbol.h>

#include <string.h>

#define LONGEST 40

/* Letters of a word with which longer ones begin by chance. */
#define SHORTEST_START 4

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the edit distance with swaps of adjacent letters (optimal string alignment), or SIZE_MAX
 * for long words. */
static size_t distance(brz_str a, brz_str b)
{
    size_t rows[3][LONGEST + 2];
    if (a.len > LONGEST || b.len > LONGEST)
        return SIZE_MAX;
    size_t *two_ago = rows[0], *ago = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b.len; j++)
        ago[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        now[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            bool same = a.data[i - 1] == b.data[j - 1];
            now[j] = least(least(ago[j] + 1, now[j - 1] + 1), ago[j - 1] + !same);
            if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] && a.data[i - 2] == b.data[j - 1])
                now[j] = least(now[j], two_ago[j - 2] + 1);
        }
        size_t *free_row = two_ago;
        two_ago = ago;
        ago = now;
        now = free_row;
    }
    return ago[b.len];
}

void brz_suggestion_offer(brz_suggestion *s, const char *word)
{
    brz_str w = brz_str_of_text(word);
    size_t d = distance(s->typed, w);
    size_t longer = s->typed.len > w.len ? s->typed.len : w.len;
    bool is_start = w.len >= SHORTEST_START && brz_starts_with(s->typed, w);
    bool is_near = (d <= 1 + longer / 4 && d < longer) || is_start;
    if (d != SIZE_MAX && s->typed.len >= SHORTEST_START && brz_starts_with(w, s->typed)) {
        is_near = true;
        d = least(d, 1);
    }
    if (d == SIZE_MAX || !is_near || (s->best != NULL && d >= s->distance))
        return;
    s->best = word;
    s->distance = d;
}

void brz_suggestion_add(const brz_suggestion *s, brz_buf *b)
{
    if (s->best != NULL)
        brz_buf_printf(b, "; did you mean '%s'?", s->best);
}
