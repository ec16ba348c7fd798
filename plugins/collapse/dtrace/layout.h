/* SPDX-License-Identifier: MIT */
/* The layout that the stacks of an input have in common. */
#ifndef DTRACE_LAYOUT_H
#define DTRACE_LAYOUT_H

#include <brazier/collapser.h>

#define LAYOUT_MODULES 64

/* DTrace writes a blank line in front of each stack() and ustack() of an aggregation, also of an
 * empty one, and the count directly below the last one. So the number of blank lines is the same
 * for all stacks of an aggregation. */
typedef struct layout {
    size_t most_blanks; /* in front of and within a stack; SIZE_MAX: unknown */
    bool is_certain;    /* the whole input was seen */
    bool is_indented;   /* blanks are in front of most counts, so one at the margin is no count */
    size_t n_modules;   /* unless `is_certain`: modules of the first and last frames */
    brz_str modules[LAYOUT_MODULES];
    size_t groups[LAYOUT_MODULES]; /* equal for modules that are in one stack */
} layout;

/* Returns the number of blank lines of a stack with one more, which is in front of it or within it.
 * The first one of an input may have none in front of it: it ends the header. */
static inline size_t layout_next_blank(size_t blanks, bool in_front)
{
    return blanks + 1 + (blanks == 0 && !in_front);
}

/* Finds the layout of the stacks of a text, which begins after the header. `is_certain` is set. */
void layout_find(layout *l, brz_ctx *ctx, brz_str text);

/* Returns whether modules are in the same stacks: both are of the kernel, or of processes. */
bool layout_are_related(const layout *l, brz_str a, brz_str b);

#endif
