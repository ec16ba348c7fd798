/* Checks plain folded text in parts, on several threads: see folded_lines.h. */
#ifndef BRZ_FOLDED_PARTS_H
#define BRZ_FOLDED_PARTS_H

#include <stdatomic.h>

#include "run/folded_lines.h"

/* A part of a mapped text. */
typedef struct brz_folded_part {
    brz_str text;   /* whole lines */
    brz_str before; /* the stack of the line in front of it; empty at the beginning of the text */
    brz_folded_totals totals; /* filled in by the check */
} brz_folded_part;

typedef struct brz_folded_parts {
    brz_folded_part *items;
    size_t n, cap;
    bool drops; /* the memory of checked parts is given back: see brz_mapping_drop() */
} brz_folded_parts;

/* Divides a mapped text into parts of about `size` bytes, and appends them. Returns false if it is
 * not plain. */
bool brz_folded_parts_add(brz_folded_parts *p, brz_str text, size_t size);

/* Checks the parts from number `first` on with up to `threads` threads. Returns false if one is not
 * plain, or after *stop was set. */
bool brz_folded_parts_check(brz_folded_parts *p, size_t first, size_t threads,
                            const atomic_bool *stop);

void brz_folded_parts_finish(brz_folded_parts *p);

#endif
