/* SPDX-License-Identifier: MIT */
/* Remembers the stacks of lists of locations by the bytes of the lists, for profiles in which
 * samples of the same stack differ in their labels or are not summed.
 *
 * It stops when few lists come again, as in most profiles of programs. */
#ifndef PPROF_LISTS_H
#define PPROF_LISTS_H

#include <brazier/text/buffer.h>

#include "../../common/pair_map.h"

typedef struct known_list {
    brz_str bytes; /* in the input */
    brz_stack stack;
    uint64_t n_frames;
} known_list;

typedef struct lists {
    pair_map by_hash; /* hash and length of the bytes: an index of `items` */
    known_list *items;
    size_t n, cap;
    uint64_t hash; /* of the list that was looked up last */
    uint64_t found, missed;
} lists;

void lists_init(lists *l, brz_ctx *ctx);

/* Returns what is known of a list, which is a part of a chunk, or NULL. It is valid until a list is
 * added. */
const known_list *lists_find(lists *l, brz_str bytes);

/* Adds the list that was looked up last and not found. */
void lists_add(lists *l, brz_ctx *ctx, const known_list *list);

#endif
