/* Reads plain folded text line by line, without making a profile of it.
 *
 * Plain text is a subset of what the collapser "folded" reads, of which a run that only adds up
 * counts changes nothing but the counts: printable ASCII, one whole count above 0, stacks in
 * ascending order of their bytes, none twice, and no name that a run could divide, trim or
 * demangle. Text in the order of brazier's own output is plain unless its names are unusual.
 */
#ifndef BRZ_FOLDED_LINES_H
#define BRZ_FOLDED_LINES_H

#include <brazier/text/find.h>

/* Longer lines, which are far longer than usual ones, are not plain. */
#define BRZ_FOLDED_LONGEST ((size_t)1 << 20)

/* Returns whether a text is plain. */
bool brz_folded_is_plain(brz_str text);

/* The size of a plain text. */
typedef struct brz_folded_totals {
    uint64_t lines;
    uint64_t names;     /* of each stack, those that the previous one does not begin with */
    uint64_t count;     /* sum of the counts; UINT64_MAX: it is too large */
    uint64_t misplaced; /* lines that the order BRZ_ORDER_LINES puts in front of the previous one */
} brz_folded_totals;

/* Does the same for a part of a text that begins and ends with whole lines, and adds to `totals`.
 * `before` is the stack in front of it, or empty, and becomes the last one of the part. */
bool brz_folded_check(brz_str *text, brz_str *before, brz_folded_totals *totals);

/* A line of plain text. */
typedef struct brz_folded_line {
    brz_str stack;
    int64_t count; /* below 10^15 */
} brz_folded_line;

/* Takes the first line off a text. Returns false if it is not a stack and a count, as in an empty
 * text. Checks nothing else. */
bool brz_folded_next(brz_str *text, brz_folded_line *line);

/* Does the same for a text whose first `from` bytes, at most all of them, have no newline. */
bool brz_folded_next_from(brz_str *text, size_t from, brz_folded_line *line);

/* Parses a line without its newline. Returns false if it is not a stack and a count. */
bool brz_folded_parse(brz_str line, brz_folded_line *parsed);

/* Returns the number of leading bytes that two texts have in common. `f` is brz_prefix_best(). */
size_t brz_folded_shared(brz_prefix_fn *f, brz_str a, brz_str b);

#endif
