/* A bump allocator.
 *
 * The first blocks are small, because most arenas hold little. Later ones consist of whole pages,
 * which cost nothing until they are used. Block sizes grow up to a limit, so that small runs stay
 * small.
 */
#include "base/arena.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK   ((size_t)2 << 10)
#define SMALL_BLOCK   ((size_t)32 << 10)  /* up to this size, from calloc() */
#define PAGES_BLOCK   ((size_t)128 << 10) /* from this size, whole pages */
#define LARGEST_BLOCK ((size_t)8 << 20)

struct brz_arena_block {
    brz_arena_block *older;
    size_t size; /* including this header */
};

static void *align_up(char *p, size_t align)
{
    return p + (-(uintptr_t)p & (align - 1));
}

/* Adds a block with room for at least `size` bytes. */
static void add_block(brz_arena *a, size_t size)
{
    size_t standard = a->block_size > 0 ? a->block_size : FIRST_BLOCK;
    if (size > SIZE_MAX / 2)
        brz_out_of_memory(size);
    size += sizeof(brz_arena_block);
    if (size <= standard)
        size = standard;
    else if (size > SMALL_BLOCK && size < PAGES_BLOCK)
        size = PAGES_BLOCK;
    brz_arena_block *b = size <= SMALL_BLOCK ? brz_calloc(1, size) : brz_pages_alloc(size);
    b->older = a->blocks;
    b->size = size;
    a->blocks = b;
    a->next = (char *)(b + 1);
    a->end = (char *)b + size;
    a->block_size = standard < LARGEST_BLOCK ? 4 * standard : LARGEST_BLOCK;
}

void *brz_arena_alloc(brz_arena *a, size_t size, size_t align)
{
    align = align > 16 ? align : 16;
    char *p = a->next == NULL ? NULL : align_up(a->next, align);
    if (p == NULL || p > a->end || (size_t)(a->end - p) < size) {
        if (size > SIZE_MAX / 2 - align)
            brz_out_of_memory(size);
        add_block(a, size + align);
        p = align_up(a->next, align);
    }
    a->next = p + size;
    return p;
}

void brz_arena_reserve(brz_arena *a, size_t size)
{
    if (a->next == NULL || (size_t)(a->end - a->next) < size)
        add_block(a, size);
}

void brz_arena_give_back(brz_arena *a, void *last)
{
    memset(last, 0, (size_t)(a->next - (char *)last)); /* free memory is zeroed */
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
        if (b->size <= SMALL_BLOCK)
            free(b);
        else
            brz_pages_free(b, b->size);
    }
    memset(a, 0, sizeof *a);
}
