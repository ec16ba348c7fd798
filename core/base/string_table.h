/* Interned text: equal text has one id, and lives as long as the table. */
#ifndef BRZ_STRING_TABLE_H
#define BRZ_STRING_TABLE_H

#include <brazier/base.h>

#include "base/arena.h"

/* A zeroed table is empty and ready, except that id 0 is made the empty text by first use. */
typedef struct brz_strings {
    brz_arena text;
    brz_str *items; /* by id */
    uint64_t *hashes;
    size_t n, items_cap, hashes_cap;
    uint32_t *slots; /* id + 1; 0: free */
    size_t n_slots;
} brz_strings;

/* The id of a text; ids are dense, the empty text has 0. Malformed UTF-8 is repaired first. */
uint32_t brz_strings_intern(brz_strings *t, brz_str s);

static inline brz_str brz_strings_at(const brz_strings *t, uint32_t id)
{
    return t->items[id];
}

void brz_strings_finish(brz_strings *t);

#endif
