/* SPDX-License-Identifier: MIT */
/* Memory of a host for tests: blocks that the test frees at its end. */
#ifndef TEST_HOST_MEMORY_H
#define TEST_HOST_MEMORY_H

#include <brazier/collapser.h>

#include <stdlib.h>

#include "unit.h"

typedef struct memory {
    void *blocks[100000];
    size_t n;
} memory;

/* Implements alloc of the host. The instance of the context is a memory. */
static inline void *allocate(brz_ctx *ctx, size_t size, size_t align)
{
    memory *m = ctx->inst;
    (void)align;
    assert_true(m->n < COUNT_OF(m->blocks));
    return m->blocks[m->n++] = calloc(1, size + 1);
}

static const brz_collapser_host host = {.struct_size = sizeof host, .alloc = allocate};

#endif
