/* SPDX-License-Identifier: MIT */
/* Numbers names in the order in which they first occur. */
#ifndef BRZ_NAME_NUMBERS_H
#define BRZ_NAME_NUMBERS_H

#include <brazier/text/hash.h>

#include "base/arena.h"

/* A name. */
typedef struct brz_numbered_name {
    brz_words head; /* its first 32 bytes, padded with zeros */
    brz_str text;
} brz_numbered_name;

/* An entry of the hash table. It is small, so that those of many names stay in the cache. */
typedef struct brz_name_slot {
    uint32_t hash;   /* its upper bits select a slot */
    uint32_t number; /* number + 1; 0: the slot is free */
} brz_name_slot;

typedef struct brz_name_numbers {
    brz_numbered_name *names; /* by number */
    size_t n, names_size;     /* names_size: bytes of memory */
    bool is_odd;              /* a name has bytes that are not printable ASCII */
    brz_arena *texts;         /* the caller's */
    char *text, *text_end;    /* free memory for texts */
    brz_name_slot *slots;
    size_t n_slots; /* a power of two */
    unsigned shift; /* of a hash, to select a slot */
    brz_hash_keys keys;
} brz_name_numbers;

/* The texts of the names are terminated and belong to the arena. */
void brz_name_numbers_init(brz_name_numbers *t, brz_arena *texts);
void brz_name_numbers_finish(brz_name_numbers *t);

/* Numbers names of a line, which are separated by ';', from offset `start` on: at least one, and at
 * most `room`. Stores the offset of the byte after each name, and its number. Returns how many
 * there were. Reads up to 31 bytes after the line. */
typedef size_t brz_name_numbers_fn(brz_name_numbers *t, brz_str line, size_t start, uint32_t *ends,
                                   uint32_t *numbers, size_t room);

/* Returns the fastest function for this processor. A table may be used with one function only. */
brz_name_numbers_fn *brz_name_numbers_best(void);

/* Works on every processor. */
brz_name_numbers_fn brz_name_numbers_portable;

#endif
