/* SPDX-License-Identifier: MIT */
/* Finds the layout that the printed events of a text have in common. A line in another layout is
 * damaged, and must not divide an event or join two.
 */
#include "reader.h"

#include <brazier/symbol.h>

/* Number of counters: events that print more stacks share the last one. */
#define MOST 8

typedef enum line_sort { BLANK, STACK, HEADER, OTHER } line_sort;

/* Counts the lines of a text by their sorts. */
typedef struct counts {
    size_t indented, flat, raw;        /* stack lines */
    size_t after_blank, after_stack;   /* headers, by the line in front of them */
    size_t before_blank, before_stack; /* headers, by the line after them */
    size_t slots[MOST];                /* events, by the stacks that are printed, empty or not */
    size_t headers, blanks, stacks;    /* of the current event: blank lines, stacks */
    size_t all_headers, all_stacks;
    bool in_key;
} counts;

/* Returns whether one byte of an address is damaged, or one more stands after it, or another
 * address. */
static bool is_damaged_address(brz_str text)
{
    size_t others = 0, blanks = 0;
    for (size_t i = 0; i < text.len; i++) {
        others += !brz_is_hex(text.data[i]) && text.data[i] != '\r';
        blanks += brz_is_blank(text.data[i]);
    }
    if (text.len > 17) /* two lines in one */
        return text.len <= 33 && others < 2;
    return text.len >= 8 && others + (text.len == 17) > 0 && others < 2 && blanks == 0;
}

static line_sort sort_of(counts *c, brz_str line)
{
    brz_str name, rest, text = brz_trim(line);
    if (map_begins(line, &name, &rest)) {
        c->in_key = key_end(rest) == SIZE_MAX;
        return OTHER;
    }
    if (c->in_key) {
        c->in_key = key_end(line) == SIZE_MAX;
        return OTHER;
    }
    if (text.len == 0)
        return BLANK;
    if (brz_is_blank(line.data[0])) {
        bool is_stack = stack_line_is(text);
        c->indented += is_stack;
        return is_stack ? STACK : OTHER;
    }
    bool is_raw = stack_line_is_raw(text) || is_damaged_address(text);
    if (is_raw || stack_line_is_flat(text)) {
        c->flat++;
        c->raw += is_raw;
        return STACK;
    }
    return line_may_be_header(line) ? HEADER : OTHER;
}

static void end_event(counts *c)
{
    size_t slots = c->blanks - c->stacks;
    if (c->headers > 0)
        c->slots[slots < MOST ? slots : MOST - 1]++;
    c->headers = c->blanks = c->stacks = 0;
}

static void count_line(counts *c, line_sort before, line_sort sort)
{
    if (before == HEADER) {
        c->before_blank += sort == BLANK;
        c->before_stack += sort == STACK;
    }
    if (sort == HEADER) {
        end_event(c);
        c->headers = 1;
        c->all_headers++;
        c->after_blank += before == BLANK || before == OTHER;
        c->after_stack += before == STACK;
    }
    c->blanks += sort == BLANK;
    c->stacks += sort == STACK && before == BLANK;
    c->all_stacks += sort == STACK && before != STACK;
}

/* Returns the number of stacks that most events print; 0 if events print different numbers. */
static size_t usual_slots(const counts *c)
{
    size_t all = 0, best = 0;
    for (size_t i = 0; i < MOST; i++) {
        all += c->slots[i];
        best = c->slots[i] > c->slots[best] ? i : best;
    }
    return best < MOST - 1 && c->slots[best] > 1 && 2 * c->slots[best] > all ? best : 0;
}

void layout_find(event_layout *l, brz_str text)
{
    counts c = {0};
    line_sort before = OTHER;
    brz_str line;
    while (brz_take_line(&text, &line)) {
        line_sort sort = sort_of(&c, line);
        count_line(&c, before, sort);
        before = sort;
    }
    end_event(&c);
    size_t others = c.indented + c.flat - c.raw;
    l->is_indented = c.indented > 4 * c.flat;
    l->is_raw = c.raw > others;
    l->has_blanks =
        c.after_blank >= c.after_stack && c.before_blank >= c.before_stack && c.before_blank > 0;
    l->few_headers = c.all_headers < 2;
    l->is_headless = c.all_headers == 1 && c.all_stacks > 2;
    l->slots = l->has_blanks ? usual_slots(&c) : 0;
}

bool layout_is_damaged(const event_layout *l, brz_str line)
{
    brz_str text = brz_trim_end(line), rest = brz_str_from(text, 1);
    if (l->is_raw && is_damaged_address(text))
        return true;
    if (!l->is_indented || brz_is_blank(line.data[0]))
        return false;
    if (stack_line_is_flat(text) || stack_line_is_raw(text))
        return true;
    return rest.len > 0 && brz_is_blank(rest.data[0]) && stack_line_is(brz_trim(rest));
}
