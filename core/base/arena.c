/* SPDX-License-Identifier: MIT */
/* A bump allocator.
 *
 * The first blocks are small, because most arenas hold little. Later ones consist of whole pages,
 * which cost nothing until they are used. Block sizes grow up to a limit, so that small runs stay
 * small. Large pieces, which are often used only at their beginning, have blocks of their own, so
 * that the other pieces stay together on few pages.
 */
#include "base/arena.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK       ((size_t)2 << 10)
#define SMALL_BLOCK       ((size_t)32 << 10) /* up to this size, from malloc(); zeroed piece by piece */
#define PAGES_BLOCK       ((size_t)128 << 10) /* from this size, whole pages */
#define LARGEST_BLOCK     ((size_t)8 << 20)
#define MEDIUM_BLOCK      ((size_t)1 << 20) /* of large pieces, before the blocks of large pages */
#define LARGE_PAGES_BLOCK ((size_t)2 << 20) /* from this size, large pages */
#define LARGE_PIECE       ((size_t)16 << 10) /* from this size, in another block if it does not fit */

struct brz_arena_block {
    brz_arena_block *older;
    size_t size; /* including this header */
};

static void *align_up(char *p, size_t align)
{
    return p + (-(uintptr_t)p & (align - 1));
}

static brz_arena_block *add_block(brz_arena *a, size_t size)
{
    brz_arena_block *b = size <= SMALL_BLOCK ? brz_malloc(size) : brz_pages_alloc(size);
    b->older = a->blocks;
    b->size = size;
    a->blocks = b;
    return b;
}

/* Returns the size of a block for a piece, including the block's header. */
static size_t block_size_for(size_t size)
{
    if (size > SIZE_MAX / 2)
        brz_out_of_memory(size);
    return size + sizeof(brz_arena_block);
}

/* Makes a new block with room for at least `size` bytes the current one. */
static void begin_block(brz_arena *a, size_t size)
{
    size_t standard = a->block_size > 0 ? a->block_size : FIRST_BLOCK;
    size = block_size_for(size);
    if (size <= standard)
        size = standard;
    else if (size > SMALL_BLOCK && size < PAGES_BLOCK)
        size = PAGES_BLOCK;
    brz_arena_block *b = add_block(a, size);
    a->next = (char *)(b + 1);
    a->end = (char *)b + size;
    a->is_dirty = size <= SMALL_BLOCK;
    a->block_size = standard < SMALL_BLOCK     ? 2 * standard
                    : standard < LARGEST_BLOCK ? 4 * standard
                                               : LARGEST_BLOCK;
}

/* Returns the size of a block of large pieces. The first one and one of medium size suffice for
 * short inputs; later ones consist of large pages, which the system zeroes completely when they are
 * touched. */
static size_t large_block_size(const brz_arena *a, size_t size)
{
    if (size >= LARGEST_BLOCK / 4)
        return size > LARGEST_BLOCK ? size : LARGEST_BLOCK;
    if (a->large == NULL)
        return 5 * size / 2;
    size_t least =
        (size_t)(a->large_end - a->large) < MEDIUM_BLOCK ? MEDIUM_BLOCK : LARGE_PAGES_BLOCK;
    return 4 * size > least ? 4 * size : least;
}

/* Makes a new block of whole pages the current one of large pieces. It has room for several: unused
 * pages cost nothing, but a mapping does. */
static void begin_large_block(brz_arena *a, size_t size)
{
    size = large_block_size(a, block_size_for(size));
    brz_arena_block *b = add_block(a, size);
    a->large = a->large_next = (char *)(b + 1);
    a->large_end = (char *)b + size;
}

/* Returns a piece of the memory between *next and `end`, or NULL if it does not fit. */
static void *take(char **next, const char *end, size_t size, size_t align)
{
    char *p = *next == NULL ? NULL : align_up(*next, align);
    if (p == NULL || p > end || (size_t)(end - p) < size)
        return NULL;
    *next = p + size;
    return p;
}

static void *alloc_large(brz_arena *a, size_t size, size_t align)
{
    void *p = take(&a->large_next, a->large_end, size, align);
    if (p != NULL)
        return p;
    begin_large_block(a, size + align);
    return take(&a->large_next, a->large_end, size, align);
}

void *brz_arena_alloc(brz_arena *a, size_t size, size_t align)
{
    align = align > 16 ? align : 16;
    void *p = take(&a->next, a->end, size, align);
    if (p == NULL) {
        if (size > SIZE_MAX / 2 - align)
            brz_out_of_memory(size);
        if (size >= LARGE_PIECE || (a->large != NULL && a->block_size > SMALL_BLOCK))
            return alloc_large(a, size, align);
        begin_block(a, size + align);
        p = take(&a->next, a->end, size, align);
    }
    return a->is_dirty ? memset(p, 0, size) : p;
}

void brz_arena_reserve(brz_arena *a, size_t size)
{
    if (a->next == NULL || (size_t)(a->end - a->next) < size)
        begin_block(a, size);
}

void brz_arena_give_back(brz_arena *a, void *last)
{
    char *p = last;
    bool is_large = a->large != NULL && p >= a->large && p <= a->large_next;
    char **next = is_large ? &a->large_next : &a->next;
    memset(p, 0, (size_t)(*next - p)); /* free memory of whole pages is zeroed */
    *next = p;
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
