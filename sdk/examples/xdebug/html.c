/* SPDX-License-Identifier: MIT */
/* Parses format 2, a table in HTML with a row per call:
 *
 *     <tr><td>number</td><td>time</td><td align='right'>memory</td>[<td align='right'>delta</td>]
 *         <td align='left'>"&nbsp; &nbsp;"…-&gt;</td><td>name(included)</td><td>file:line</td></tr>
 *
 * all on one line. Names are not escaped. There are no exits: a call ends when another call of its
 * level begins.
 */
#include "numbers.h"
#include "trace.h"

#include <brazier/symbol.h>

/* Reads the contents of the next cell. Returns false if there are no more cells. */
static bool take_cell(brz_str *s, brz_str *cell)
{
    size_t start = brz_str_find(*s, BRZ_STR("<td"), 0);
    size_t open = start == SIZE_MAX ? SIZE_MAX : brz_str_find(*s, BRZ_STR(">"), start);
    size_t end = open == SIZE_MAX ? SIZE_MAX : brz_str_find(*s, BRZ_STR("</td>"), open);
    if (end == SIZE_MAX)
        return false;
    *cell = brz_str_of(s->data + open + 1, end - open - 1);
    *s = brz_str_of(s->data + end + 5, s->len - end - 5);
    return true;
}

/* Returns the level shown by the cell with the arrow, or 0 for other cells. */
static uint32_t level_of(brz_str cell)
{
    brz_str step = BRZ_STR("&nbsp; &nbsp;");
    uint32_t level = 1;
    while (brz_starts_with(cell, step)) {
        cell = brz_str_of(cell.data + step.len, cell.len - step.len);
        level++;
    }
    return brz_str_is(cell, "-&gt;") ? level : 0;
}

static enum line_says take_call(brz_str cell, brz_str place, entry *e)
{
    const char *colon = brz_rfind(place, ':');
    const char *open = cell.len == 0 ? NULL : memchr(cell.data, '(', cell.len);
    if (colon != NULL) {
        e->file = brz_str_of(place.data, (size_t)(colon - place.data));
        e->line = brz_str_of(colon + 1, place.len - e->file.len - 1);
    }
    if (open == NULL || open == cell.data || !brz_ends_with(cell, BRZ_STR(")")))
        return SAYS_ODD;
    if (cell.data[cell.len - 2] ==
        '(') /* the usual case; the name itself may contain parentheses */
        open = cell.data + cell.len - 2;
    e->name = brz_str_of(cell.data, (size_t)(open - cell.data));
    e->included = brz_str_of(open + 1, cell.len - e->name.len - 2);
    e->key = cell;
    return SAYS_ENTRY;
}

/* Parses a line that begins with "<tr>" after optional spaces. The titles may be on the line of the
 * first call, if the newline between them is damaged. */
enum line_says html_line(brz_str line, entry *e)
{
    brz_str cell, place;
    bool has_call = brz_str_find(line, BRZ_STR("<td"), 0) != SIZE_MAX;
    if (!has_call && brz_str_find(line, BRZ_STR("<th>"), 0) != SIZE_MAX)
        return brz_ends_with(line, BRZ_STR("</tr>")) ? SAYS_NOTHING : SAYS_ODD;
    if (!take_cell(&line, &cell) || !parse_number(cell, &e->number) || !take_cell(&line, &cell) ||
        !parse_seconds(cell, &e->time) || !take_cell(&line, &cell) ||
        !parse_bytes(cell, &e->memory) || !take_cell(&line, &cell))
        return SAYS_ODD;
    e->level = level_of(cell);
    if (e->level == 0 && take_cell(&line, &cell)) /* the previous cell was the change in memory */
        e->level = level_of(cell);
    bool good = e->level > 0 && take_cell(&line, &cell) && take_cell(&line, &place);
    if (!good || brz_str_find(line, BRZ_STR("<td"), 0) != SIZE_MAX) /* two rows on a line */
        return SAYS_ODD;
    return take_call(cell, place, e);
}
