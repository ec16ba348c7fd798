/* Builds the call tree of plain folded text directly from its lines: see folded_lines.h. */
#ifndef BRZ_FOLDED_TREE_H
#define BRZ_FOLDED_TREE_H

#include "profile/call_tree.h"
#include "run/folded_parts.h"

/* Returns whether brz_folded_tree_init() can build the tree of checked parts: its numbers do not
 * exceed their ranges, and the lines are in the order BRZ_ORDER_LINES. */
bool brz_folded_tree_is_possible(const brz_folded_parts *parts);

/* Initialises a call tree without stacks from the checked parts of a mapped text, with up to
 * `threads` threads. The empty profile receives the frames, whose texts belong to it, and the
 * column. The tree is that of a profile with all stacks in the order BRZ_ORDER_LINES. Returns false
 * if the text has changed since it was checked; the tree is to be finished all the same. */
bool brz_folded_tree_init(brz_call_tree *v, brz_profile *p, const brz_folded_parts *parts,
                          size_t threads);

#endif
