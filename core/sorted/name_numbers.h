/* SPDX-License-Identifier: MIT */
/* Numbers names in the order in which they first occur.
 *
 * This takes two steps: names are found in lines and hashed, then looked up. Many names are found
 * before the first of them is looked up, so that their slots are in the cache by then.
 */
#ifndef BRZ_NAME_NUMBERS_H
#define BRZ_NAME_NUMBERS_H

#include <brazier/text/hash.h>

#include "base/arena.h"

/* A name that was found. */
typedef struct brz_found_name {
    const char *text;
    uint32_t len;
    uint32_t hash; /* its upper bits select a slot */
} brz_found_name;

/* A name with a number. */
typedef struct brz_name_record {
    uint32_t number, len;
    char text[]; /* terminated */
} brz_name_record;

/* Memory of records, which follow each other in the order of their numbers. */
typedef struct brz_name_piece {
    char *records;
    size_t used; /* bytes */
} brz_name_piece;

/* An entry of the hash table. It is small, so that those of many names stay in the cache. */
typedef struct brz_name_slot {
    uint32_t hash;
    uint32_t place; /* that of the record, plus 1; 0: the slot is free */
} brz_name_slot;

typedef struct brz_name_numbers {
    size_t n;
    bool is_odd;       /* a name has bytes that are not printable ASCII */
    brz_arena *memory; /* of the pieces; the caller's */
    brz_name_piece *pieces;
    size_t n_pieces, pieces_cap;
    size_t room; /* bytes in the last piece */
    brz_name_slot *slots;
    size_t n_slots; /* a power of two */
    unsigned shift; /* of a hash, to select a slot */
    brz_hash_keys keys;
} brz_name_numbers;

/* The texts of the names belong to the arena. */
void brz_name_numbers_init(brz_name_numbers *t, brz_arena *memory);
void brz_name_numbers_finish(brz_name_numbers *t);

/* Finds names in a line, which are separated by ';', from offset `start` on: at least one, and at
 * most `room`. Stores the offset of the byte after each name. Returns how many there were. Reads up
 * to 31 bytes after the line. */
typedef size_t brz_name_find_fn(const brz_name_numbers *t, brz_str line, size_t start,
                                uint32_t *ends, brz_found_name *found, size_t room);

/* Stores the numbers of names. Reads up to 31 bytes after each name. */
typedef void brz_name_number_fn(brz_name_numbers *t, const brz_found_name *found, size_t n,
                                uint32_t *numbers);

/* The functions for a processor. A table may be used with those for one processor only. */
typedef struct brz_name_functions {
    brz_name_find_fn *find;
    brz_name_number_fn *number;
} brz_name_functions;

/* Returns the fastest functions for this processor. */
brz_name_functions brz_name_functions_best(void);

/* Returns those that work on every processor. */
brz_name_functions brz_name_functions_portable(void);

/* A position in the list of names; zeroed at the beginning. */
typedef struct brz_name_cursor {
    size_t piece, at;
} brz_name_cursor;

/* Returns the next name in the order of numbers. There must be one. */
brz_str brz_name_numbers_next(const brz_name_numbers *t, brz_name_cursor *c);

#endif
