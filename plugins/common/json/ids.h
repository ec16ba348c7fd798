/* SPDX-License-Identifier: MIT */
/* Maps the ids of a document, such as those of nodes and frames, to indices. */
#ifndef COMMON_JSON_IDS_H
#define COMMON_JSON_IDS_H

#include <brazier/text.h>

/* An id is the text of a number; the first 32 bytes count. */
typedef struct id_table {
    brz_frame_cache cache;
} id_table;

void ids_init(id_table *t, brz_ctx *ctx);

/* Returns the index of an id, or BRZ_CACHE_MISS. Equal ids in different contexts are different. */
uint32_t ids_find(const id_table *t, uint32_t context, brz_str id);

/* Adds an id. Returns false if the table has it already, which then stays as it is. */
bool ids_add(id_table *t, brz_ctx *ctx, uint32_t context, brz_str id, uint32_t index);

#endif
