/* A bump allocator.
 *
 * Blocks come from calloc, which gives large ones as untouched pages: what is never used costs
 * nothing. Block sizes double up to a limit, so that small runs stay small.
 */
#include "arena.h"

#include "mem.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK   ((size_t)8 << 10)
#define LARGEST_BLOCK ((size_t)1 << 20)

struct brz_arena_block {
    brz_arena_block *older;
};

static void *align_up(char *p, size_t align)
{
    return p + (-(uintptr_t)p & (align - 1));
}

/* A block with room for at least `size` aligned bytes. */
static void add_block(brz_arena *a, size_t size)
{
    size_t standard = a->block_size > 0 ? a->block_size : FIRST_BLOCK;
    size_t room = size > standard ? size : standard;
    if (room > SIZE_MAX - sizeof(brz_arena_block))
        brz_out_of_memory(size);
    brz_arena_block *b = brz_calloc(1, sizeof *b + room);
    b->older = a->blocks;
    a->blocks = b;
    a->next = (char *)(b + 1);
    a->end = a->next + room;
    a->block_size = standard < LARGEST_BLOCK ? 2 * standard : LARGEST_BLOCK;
}

void *brz_arena_alloc(brz_arena *a, size_t size, size_t align)
{
    align = align > 16 ? align : 16;
    char *p = a->next == NULL ? NULL : align_up(a->next, align);
    if (p == NULL || p > a->end || (size_t)(a->end - p) < size) {
        if (size > SIZE_MAX - align)
            brz_out_of_memory(size);
        add_block(a, size + align);
        p = align_up(a->next, align);
    }
    a->next = p + size;
    return p;
}

void brz_arena_give_back(brz_arena *a, void *last)
{
    memset(last, 0, (size_t)(a->next - (char *)last)); /* what is free is zeroed */
    a->next = last;
}

brz_str brz_arena_str(brz_arena *a, brz_str s)
{
    if (s.len == SIZE_MAX)
        brz_out_of_memory(s.len);
    char *copy = brz_arena_alloc(a, s.len + 1, 1);
    if (s.len > 0)
        memcpy(copy, s.data, s.len);
    return brz_str_of(copy, s.len);
}

void brz_arena_finish(brz_arena *a)
{
    for (brz_arena_block *b = a->blocks, *older; b != NULL; b = older) {
        older = b->older;
        free(b);
    }
    memset(a, 0, sizeof *a);
}
