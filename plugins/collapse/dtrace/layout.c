/* SPDX-License-Identifier: MIT */
/* Finds the layout of stacks from the blank lines between counts. */
#include "layout.h"

#include <string.h>

#include <brazier/symbol.h>
#include <brazier/text/buffer.h>
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

/* Returns the number of a module, or SIZE_MAX. */
static size_t find_module(const layout *l, brz_str name)
{
    for (size_t i = 0; i < l->n_modules; i++)
        if (brz_str_equal(l->modules[i], name))
            return i;
    return SIZE_MAX;
}

/* Returns the number of a module, which is added, or SIZE_MAX without room. */
static size_t add_module(layout *l, brz_ctx *ctx, brz_str name)
{
    size_t i = find_module(l, name);
    if (i != SIZE_MAX || l->n_modules == LAYOUT_MODULES)
        return i;
    l->modules[l->n_modules] = brz_text_keep(ctx, name);
    l->groups[l->n_modules] = l->n_modules;
    return l->n_modules++;
}

/* Puts the groups of two modules together. */
static void relate(layout *l, brz_ctx *ctx, brz_str a, brz_str b)
{
    size_t i = add_module(l, ctx, a), j = add_module(l, ctx, b);
    if (i == SIZE_MAX || j == SIZE_MAX)
        return;
    size_t old = l->groups[i], new = l->groups[j];
    for (size_t k = 0; k < l->n_modules; k++)
        l->groups[k] = l->groups[k] == old ? new : l->groups[k];
}

/* Finds the modules of stacks, `most` at most. */
static void find_modules(layout *l, brz_ctx *ctx, brz_str text, size_t most)
{
    brz_str line, first = {0}, last = {0};
    int64_t value;
    while (most > 0 && brz_cut_first(text, '\n', &line, &text)) {
        line = brz_trim(line);
        if (line_is_frame(line)) {
            last = line;
            first = first.len == 0 ? line : first;
        } else if (first.len > 0 && line_is_count(line, &value)) {
            relate(l, ctx, line_module(first), line_module(last));
            first.len = 0;
            most--;
        }
    }
}

bool layout_are_related(const layout *l, brz_str a, brz_str b)
{
    size_t i = find_module(l, a), j = find_module(l, b);
    return i != SIZE_MAX && j != SIZE_MAX && l->groups[i] == l->groups[j];
}

void layout_find(layout *l, brz_ctx *ctx, brz_str text)
{
    size_t stacks[MOST] = {0};
    l->most_blanks = SIZE_MAX;
    l->is_indented = are_indented(text, ENOUGH);
    if (!count_blanks(text, stacks, l->is_certain ? SIZE_MAX : ENOUGH))
        return;
    size_t usual = usual_blanks(stacks);
    if (usual == MOST - 1)
        return;
    l->most_blanks = usual;
    if (!l->is_certain)
        find_modules(l, ctx, text, ENOUGH);
}
