/* SPDX-License-Identifier: MIT */
/* Reads lines that are in order, for runs that need no table of stacks: see
 * <brazier/draft/sorted.h>. */
#ifndef FOLDED_SORTED_H
#define FOLDED_SORTED_H

#include <brazier/draft/sorted.h>

extern const brz_sorted_reader folded_sorted_reader;

#endif
