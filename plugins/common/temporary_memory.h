/* SPDX-License-Identifier: MIT */
/* Memory that can be released, for lists while they grow, or for what may be read again. That of a
 * host lives as long as the instance, so a list in it leaves all its smaller copies behind: make it
 * here, and keep a copy of the finished list. */
#ifndef BRZ_COMMON_TEMPORARY_MEMORY_H
#define BRZ_COMMON_TEMPORARY_MEMORY_H

#include <brazier/host.h>

#include <stdlib.h>
#include <string.h>

typedef struct temporary_block {
    struct temporary_block *older;
    uint64_t reserved; /* the bytes that follow are aligned to 16 */
} temporary_block;

typedef struct temporary_memory {
    brz_ctx ctx; /* has the services alloc, which gives temporary memory, load and save */
    brz_collapser_host host;
    brz_ctx *outer;
    temporary_block *blocks;
    size_t size; /* of the blocks, in bytes */
} temporary_memory;

/* Implements alloc of the host. Takes memory of the outer context if there is no other. */
static inline void *temporary_alloc(brz_ctx *ctx, size_t size, size_t align)
{
    temporary_memory *m = (temporary_memory *)ctx->inst;
    temporary_block *b =
        size > SIZE_MAX / 2 ? NULL : (temporary_block *)calloc(1, sizeof *b + size);
    if (b == NULL)
        return m->outer->host->alloc(m->outer, size, align);
    b->older = m->blocks;
    m->blocks = b;
    m->size += size;
    return b + 1;
}

/* Implements load of the host. */
static inline bool temporary_load(brz_ctx *ctx, brz_str path, brz_str key, brz_str *content)
{
    temporary_memory *m = (temporary_memory *)ctx->inst;
    return m->outer->host->load(m->outer, path, key, content);
}

/* Implements save of the host. */
static inline void temporary_save(brz_ctx *ctx, brz_str path, brz_str key, brz_str content)
{
    temporary_memory *m = (temporary_memory *)ctx->inst;
    m->outer->host->save(m->outer, path, key, content);
}

/* Begins to use temporary memory, which must stay where it is. */
static inline void temporary_memory_begin(temporary_memory *m, brz_ctx *outer)
{
    memset(m, 0, sizeof *m);
    m->host.struct_size = sizeof m->host;
    m->host.alloc = temporary_alloc;
    m->host.load = temporary_load;
    m->host.save = temporary_save;
    m->ctx.struct_size = sizeof m->ctx;
    m->ctx.host = &m->host;
    m->ctx.inst = m;
    m->ctx.seed = outer->seed;
    m->outer = outer;
}

/* Returns a copy of `n` elements in memory of the outer context, or NULL if n is 0. */
static inline void *temporary_memory_keep(const temporary_memory *m, const void *items, size_t n,
                                          size_t size)
{
    if (n == 0)
        return NULL;
    void *kept = m->outer->host->alloc(m->outer, n * size, 0);
    return memcpy(kept, items, n * size);
}

/* Releases all of it. */
static inline void temporary_memory_end(temporary_memory *m)
{
    while (m->blocks != NULL) {
        temporary_block *older = m->blocks->older;
        free(m->blocks);
        m->blocks = older;
    }
    m->size = 0;
}

#endif
