/* SPDX-License-Identifier: MIT */
/* Allocates memory or ends the program. */
#include "base/mem.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Requests large pages within an allocation: a large profile is filled page by page, and each small
 * page costs a fault. */
static void advise(void *p, size_t size)
{
#ifdef MADV_HUGEPAGE
    if (size < BRZ_LARGE_PAGE)
        return;
    uintptr_t start = ((uintptr_t)p + BRZ_LARGE_PAGE - 1) & ~(uintptr_t)(BRZ_LARGE_PAGE - 1);
    uintptr_t end = ((uintptr_t)p + size) & ~(uintptr_t)(BRZ_LARGE_PAGE - 1);
    if (start < end)
        madvise((void *)start, end - start, MADV_HUGEPAGE);
#else
    (void)p;
    (void)size;
#endif
}

static char *map(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        brz_out_of_memory(size);
    return p;
}

/* Maps memory that is aligned to a large page, by mapping more and unmapping the excess. */
static char *map_aligned(size_t size)
{
    char *p = map(size + BRZ_LARGE_PAGE);
    size_t before = (size_t)(-(uintptr_t)p & (BRZ_LARGE_PAGE - 1)), after = BRZ_LARGE_PAGE - before;
    if (before > 0)
        munmap(p, before);
    munmap(p + before + size, after);
    return p + before;
}

#define SMALL_PAGE ((size_t)4 << 10)

/* Hash tables from this size on consist of whole pages. */
#define TABLE_OF_PAGES (4 * SMALL_PAGE)

/* Returns a size in whole pages: large ones from two of these on, since the rest of a large one
 * would take as many faults as it has small pages. */
static size_t whole_pages(size_t size)
{
    size_t page = size < 2 * BRZ_LARGE_PAGE ? SMALL_PAGE : BRZ_LARGE_PAGE;
    return (size + page - 1) & ~(page - 1);
}

void *brz_pages_alloc(size_t size)
{
    if (size > SIZE_MAX - 3 * BRZ_LARGE_PAGE)
        brz_out_of_memory(size);
    size = whole_pages(size);
    if (size < BRZ_LARGE_PAGE)
        return map(size);
    char *p = map_aligned(size);
    advise(p, size);
    return p;
}

void brz_pages_free(void *p, size_t size)
{
    munmap(p, whole_pages(size));
}

/* Lets the system provide all pages at once. Without such a call, writes to each of them. */
static void touch(void *p, size_t size)
{
#ifdef MADV_POPULATE_WRITE
    if (madvise(p, size, MADV_POPULATE_WRITE) == 0)
        return;
#endif
    for (size_t i = 0; i < size; i += SMALL_PAGE)
        ((volatile char *)p)[i] = 0;
}

void *brz_table_alloc(size_t size)
{
    if (size < TABLE_OF_PAGES)
        return brz_calloc(size, 1);
    void *p = brz_pages_alloc(size);
    touch(p, size);
    return p;
}

void brz_table_free(void *p, size_t size)
{
    if (size < TABLE_OF_PAGES)
        free(p);
    else if (p != NULL)
        brz_pages_free(p, size);
}

static brz_out_of_memory_fn *_Atomic last_words;

void brz_set_out_of_memory(brz_out_of_memory_fn *f)
{
    atomic_store(&last_words, f);
}

_Noreturn void brz_out_of_memory(size_t wanted)
{
    brz_out_of_memory_fn *f = atomic_load(&last_words);
    if (f != NULL)
        f(wanted);
    abort();
}

int brz_system_failure(int error)
{
    if (error == ENOMEM)
        brz_out_of_memory(0);
    return error == EIO || error == EMFILE || error == ENFILE || error == EAGAIN || error == ESTALE
               ? error
               : 0;
}

void *brz_calloc(size_t count, size_t size)
{
    void *p = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (p == NULL)
        brz_out_of_memory(count * size);
    advise(p, count * size);
    return p;
}

void *brz_large_page(void)
{
    void *p;
    if (posix_memalign(&p, BRZ_LARGE_PAGE, BRZ_LARGE_PAGE) != 0)
        brz_out_of_memory(BRZ_LARGE_PAGE);
    advise(p, BRZ_LARGE_PAGE);
    return p;
}

void *brz_malloc(size_t size)
{
    return brz_realloc(NULL, size > 0 ? size : 1, 1);
}

void *brz_realloc(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        brz_out_of_memory(SIZE_MAX);
    if (bytes == 0) {
        free(old);
        return NULL;
    }
    void *p = realloc(old, bytes);
    if (p == NULL)
        brz_out_of_memory(bytes);
    advise(p, bytes);
    return p;
}

char *brz_memdup(const char *data, size_t len)
{
    char *copy = brz_realloc(NULL, len + 1, 1);
    if (len > 0)
        memcpy(copy, data, len);
    copy[len] = '\0';
    return copy;
}

void *brz_grow(void *array, size_t used, size_t *cap, size_t size)
{
    if (used < *cap)
        return array;
    size_t grown = *cap > 0 ? *cap + *cap / 2 + 1 : 16;
    array = brz_realloc(array, grown, size);
    *cap = grown;
    return array;
}
