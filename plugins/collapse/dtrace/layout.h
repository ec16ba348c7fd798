/* The layout that the stacks of an input have in common. */
#ifndef DTRACE_LAYOUT_H
#define DTRACE_LAYOUT_H

#include <brazier/base.h>

/* DTrace writes a blank line in front of each stack() and ustack() of an aggregation, also of an
 * empty one. So the number of blank lines is the same for all stacks of an aggregation. */
typedef struct layout {
    size_t most_blanks; /* that a stack has in front and within; SIZE_MAX: unknown */
    bool is_certain;    /* the whole input was seen */
} layout;

/* Finds the layout of the stacks of a text, which begins behind the header. */
void layout_find(layout *l, brz_str text);

#endif
