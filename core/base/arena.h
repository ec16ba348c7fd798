/* A bump allocator: many pieces, one life. */
#ifndef BRZ_ARENA_H
#define BRZ_ARENA_H

#include <brazier/base.h>

typedef struct brz_arena_block brz_arena_block;

/* A zeroed arena is empty and ready. */
typedef struct brz_arena {
    brz_arena_block *blocks; /* newest first */
    char *next, *end;        /* free room in the newest */
    size_t block_size;       /* of the next block; grows */
} brz_arena;

/* Zeroed memory, never NULL; `align` is a power of two up to 4096, 0 for 16. */
void *brz_arena_alloc(brz_arena *a, size_t size, size_t align);

/* Makes room for so many bytes in one piece: what is allocated next lies side by side. */
void brz_arena_reserve(brz_arena *a, size_t size);

/* Takes back what was allocated last. */
void brz_arena_give_back(brz_arena *a, void *last);

/* A terminated copy of a text. */
brz_str brz_arena_str(brz_arena *a, brz_str s);

/* Frees all of it; the arena is empty again. */
void brz_arena_finish(brz_arena *a);

#endif
