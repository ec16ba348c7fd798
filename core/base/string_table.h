/* SPDX-License-Identifier: MIT */
/* Interns texts: equal texts have the same id. Texts live as long as the table. */
#ifndef BRZ_STRING_TABLE_H
#define BRZ_STRING_TABLE_H

#include <brazier/base.h>
#include <brazier/symbol.h>

#include "base/arena.h"

/* A zeroed table is empty. Its first use adds the empty text as id 0. */
typedef struct brz_strings {
    brz_arena text;
    brz_str *items; /* by id */
    uint64_t *hashes;
    size_t n, items_cap, hashes_cap;
    uint32_t *slots; /* id + 1; 0: free */
    size_t n_slots;
} brz_strings;

/* Returns the id of a text. Ids are dense; the empty text has id 0. Repairs malformed UTF-8
 * first. */
uint32_t brz_strings_intern(brz_strings *t, brz_str s);

static inline brz_str brz_strings_at(const brz_strings *t, uint32_t id)
{
    return t->items[id];
}

/* Compares two texts of a table byte by byte. Does not read the texts if the ids are equal. */
static inline int brz_strings_compare(const brz_strings *t, uint32_t a, uint32_t b)
{
    return a == b ? 0 : brz_str_compare(brz_strings_at(t, a), brz_strings_at(t, b));
}

void brz_strings_finish(brz_strings *t);

#endif
