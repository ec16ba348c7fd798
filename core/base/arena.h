/* SPDX-License-Identifier: MIT */
/* A bump allocator for many pieces of memory with the same lifetime. */
#ifndef BRZ_ARENA_H
#define BRZ_ARENA_H

#include <brazier/base.h>

typedef struct brz_arena_block brz_arena_block;

/* An arena. A zeroed arena is empty. */
typedef struct brz_arena {
    brz_arena_block *blocks;              /* newest first */
    char *next, *end;                     /* free memory in the current block */
    bool is_dirty;                        /* that memory is not zeroed */
    size_t block_size;                    /* size of the next block; grows */
    char *large, *large_next, *large_end; /* current block of large pieces, its free memory */
} brz_arena;

/* Allocates zeroed memory; never returns NULL. `align` is a power of two up to 4096, or 0 for
 * 16. */
void *brz_arena_alloc(brz_arena *a, size_t size, size_t align);

/* Reserves contiguous memory for the following allocations. */
void brz_arena_reserve(brz_arena *a, size_t size);

/* Releases the last allocation. */
void brz_arena_give_back(brz_arena *a, void *last);

/* Returns a terminated copy of a text. */
brz_str brz_arena_str(brz_arena *a, brz_str s);

/* Frees all memory; the arena is empty afterwards. */
void brz_arena_finish(brz_arena *a);

#endif
