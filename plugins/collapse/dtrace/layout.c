/* Finds the layout of stacks from the blank lines between counts. */
#include "layout.h"

#include <string.h>

#include <brazier/text/pieces.h>
#include <brazier/text/trim.h>

#include "lines.h"

/* Number of counters: stacks with more blank lines share the last one. */
#define MOST 8

/* The share of the stacks, at least, that must have a number of blank lines: a damaged one is rare.
 */
#define SHARE 8

/* Stacks of the beginning of a longer input that show its layout. */
#define ENOUGH 1000

/* Returns whether blanks are in front of two thirds of the counts of a text, and of at least two.
 */
static bool are_indented(brz_str text, size_t most)
{
    brz_str line;
    size_t counts = 0, indented = 0;
    int64_t value;
    while (counts < most && brz_cut_first(text, '\n', &line, &text)) {
        bool is_indented = line.len > 0 && brz_is_blank(line.data[0]);
        line = brz_trim(line);
        if (line.len == 0 || !line_is_count(line, &value))
            continue;
        counts++;
        indented += is_indented;
    }
    return indented >= 2 && 3 * indented >= 2 * counts;
}

/* Counts the stacks with each number of blank lines. Returns false if these do not begin stacks,
 * but end distributions. A blank line in front of a count stands for an empty stack. */
static bool count_blanks(brz_str text, size_t stacks[MOST], size_t most)
{
    brz_str line;
    size_t blanks = 0;
    bool in_front = true;
    int64_t value;
    while (most > 0 && brz_cut_first(text, '\n', &line, &text)) {
        if (line.len > 0 && memchr(line.data, '`', line.len) != NULL) { /* a frame */
            in_front = false;
            continue;
        }
        line = brz_trim(line);
        bool count = line.len > 0 && line_is_count(line, &value);
        if (line_is_distribution(line))
            return false;
        if (line.len == 0)
            blanks = layout_next_blank(blanks, in_front);
        in_front = count || (in_front && line.len == 0);
        if (!count)
            continue;
        blanks += blanks == 0;
        stacks[blanks < MOST ? blanks : MOST - 1]++;
        blanks = 0;
        most--;
    }
    return true;
}

/* Returns the largest number of blank lines that is usual. If no two stacks have the same number,
 * that is the smallest one. */
static size_t usual_blanks(const size_t stacks[MOST])
{
    size_t n = 0, least = SIZE_MAX, most = SIZE_MAX;
    for (size_t i = 0; i < MOST; i++)
        n += stacks[i];
    for (size_t i = MOST; i-- > 0;) {
        if (stacks[i] > 0)
            least = i;
        if (most == SIZE_MAX && stacks[i] > 1 && stacks[i] >= n / SHARE)
            most = i;
    }
    return most != SIZE_MAX ? most : least;
}

void layout_find(layout *l, brz_str text)
{
    size_t stacks[MOST] = {0};
    l->most_blanks = SIZE_MAX;
    l->is_indented = are_indented(text, ENOUGH);
    if (!count_blanks(text, stacks, l->is_certain ? SIZE_MAX : ENOUGH))
        return;
    size_t usual = usual_blanks(stacks);
    if (usual < MOST - 1)
        l->most_blanks = usual;
}
