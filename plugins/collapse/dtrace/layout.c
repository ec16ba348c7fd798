/* Finds the layout of stacks from the blank lines between counts. */
#include "layout.h"

#include <brazier/text/pieces.h>
#include <brazier/text/trim.h>

#include "lines.h"

/* Blank lines of a stack that are counted apart. */
#define MOST 8

/* The part of the stacks, at least, that must have a number of blank lines: a damaged one is rare.
 */
#define PART 8

/* Counts the stacks with each number of blank lines. Of those in front of the first stack, some end
 * the header: they count as one. Returns false for distributions, which a blank line ends. */
static bool count_blanks(brz_str text, size_t stacks[MOST])
{
    brz_str line;
    size_t blanks = 1;
    bool in_front = true; /* of the first stack */
    int64_t value;
    while (brz_cut_first(text, '\n', &line, &text)) {
        line = brz_trim(line);
        if (line.len > 0 && line_is_distribution(line))
            return false;
        in_front &= line.len == 0;
        blanks += line.len == 0 && !in_front;
        if (line.len == 0 || !line_is_count(line, &value))
            continue;
        stacks[blanks < MOST ? blanks : MOST - 1]++;
        blanks = 0;
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
        if (most == SIZE_MAX && stacks[i] > 1 && stacks[i] >= n / PART)
            most = i;
    }
    return most != SIZE_MAX ? most : least;
}

void layout_find(layout *l, brz_str text)
{
    size_t stacks[MOST] = {0};
    l->most_blanks = SIZE_MAX;
    if (!count_blanks(text, stacks))
        return;
    size_t usual = usual_blanks(stacks);
    if (usual > 0 && usual < MOST - 1)
        l->most_blanks = usual;
}
