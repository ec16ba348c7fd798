/* Maps the ids of mappings, locations and functions to positions in their tables.
 *
 * Most profilers number the entries from 1; others use addresses or hashes. The first kind needs an
 * array, the second one a hash table.
 */
#ifndef PPROF_IDS_H
#define PPROF_IDS_H

#include "tables.h"

#include <brazier/text/hash.h>

#define NO_ENTRY SIZE_MAX

typedef struct ids {
    size_t *dense;        /* by id: position + 1 in the table; 0: none */
    size_t n_dense;       /* number of elements, above the number of entries */
    uint64_t *sparse_ids; /* hash table of the other ids */
    size_t *sparse;       /* position + 1, by slot */
    size_t n_slots;       /* a power of two, or 0 */
    brz_hash_keys keys;
} ids;

/* Reads the ids of all entries of a table, in their field 1. Of two entries with the same id the
 * first one counts. `code` and `what` are for warnings. Returns false after reporting that no entry
 * has an id. */
bool ids_read(ids *map, brz_ctx *ctx, const table *entries, const char *code);

/* Returns the position of the entry with an id, or NO_ENTRY. */
size_t ids_find(const ids *map, uint64_t id);

#endif
