/* SPDX-License-Identifier: MIT */
/* Bounds the memory of symbols and debugging information. */
#include "symbol_memory.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

/* Number of bytes read again for each byte that the bound grows by. */
#define REREAD_PART 4

/* Bytes that a change to another module takes off. */
#define DECAY ((size_t)512)

/* Bytes after whose release the system gets the free pages between what is in use. */
#define TRIM_AT ((size_t)4 << 20)

inline_gaps symbol_memory_gaps(const symbol_source *of)
{
    inline_gaps all = of->gaps, now = inlines_gaps(of->inlines);
    all.missing += now.missing;
    all.left_out += now.left_out;
    all.needed = now.needed > all.needed ? now.needed : all.needed;
    all.has_too_many_ranges |= now.has_too_many_ranges;
    return all;
}

void symbol_memory_release(symbol_source *of)
{
    of->gaps = symbol_memory_gaps(of);
    inlines_close(of->inlines);
    of->inlines = NULL;
    of->looked_for_inlines = false;
    elf_symbols_forget(&of->elf);
    temporary_memory_end(&of->memory);
    of->is_released = true;
}

/* Updates the size of a module's memory. */
static void measure(symbols *s, symbol_source *of)
{
    size_t size = of->memory.size + inlines_size(of->inlines);
    s->held += size - of->held;
    of->held = size;
}

/* Gives free pages back to the system, after much was released. */
static void trim(symbols *s)
{
    if (s->released < TRIM_AT)
        return;
    s->released = 0;
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

/* Returns whether a module has memory that can be released, and read again. */
static bool can_release(const symbol_source *of)
{
    return of->held > 0 && !inlines_took_reserve(of->inlines);
}

/* Releases the memory of the module that was used least recently. Returns false if only
 * `but` has any. */
static bool release_oldest(symbols *s, const symbol_source *but)
{
    symbol_source *oldest = NULL;
    for (symbol_source *of = s->all; of != NULL; of = of->next)
        if (of != but && can_release(of) && (oldest == NULL || of->used < oldest->used))
            oldest = of;
    if (oldest == NULL)
        return false;
    oldest->was_held = oldest->held;
    s->released += oldest->held;
    symbol_memory_release(oldest);
    measure(s, oldest);
    return true;
}

void symbol_memory_use(symbols *s, symbol_source *of)
{
    if (s->last == of)
        return;
    if (s->last != NULL)
        measure(s, s->last);
    s->last = of;
    of->used = ++s->uses;
    s->reread -= s->reread < DECAY ? s->reread : DECAY;
    while (s->held > s->bound + s->reread && release_oldest(s, of))
        continue;
    trim(s);
}

void symbol_memory_reread(symbols *s, symbol_source *of)
{
    s->reread += of->was_held / REREAD_PART;
    of->is_released = false;
}
