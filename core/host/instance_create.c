/* SPDX-License-Identifier: MIT */
/* Implements the creation and destruction of instances. */
#include "host/instance_create.h"

#include "base/hash.h"
#include "base/mem.h"
#include "host/services.h"

#include <stdlib.h>

/* Fills in the context of the component's role. */
static void init_context(brz_instance *i, const void *shared)
{
    switch (i->loaded->component->kind) {
    case BRZ_PALETTE:
        i->palette_ctx.struct_size = sizeof i->palette_ctx;
        i->palette_ctx.host = brz_host_for_palettes();
        break;
    case BRZ_OUTPUT:
        i->output_ctx.struct_size = sizeof i->output_ctx;
        i->output_ctx.host = brz_host_for_outputs();
        break;
    case BRZ_TRANSFORM:
        i->transform_ctx.struct_size = sizeof i->transform_ctx;
        i->transform_ctx.host = brz_host_for_transforms();
        break;
    default:
        i->ctx.struct_size = sizeof i->ctx;
        i->ctx.host = brz_host_for_collapsers();
        i->ctx.prelude_data = shared;
    }
}

brz_instance *brz_instance_create(const brz_loaded *loaded, brz_run *run, const void *cfg,
                                  const void *shared, size_t inst_size, uint32_t index)
{
    brz_instance *i = brz_calloc(1, sizeof *i);
    i->loaded = loaded;
    i->run = run;
    init_context(i, shared);
    i->ctx.index = index;
    i->ctx.cfg = cfg;
    i->ctx.seed = brz_hash_seed();
    i->ctx.inst = brz_arena_alloc(&i->memory, inst_size, 64);
    i->profile = brz_profile_create();
    return i;
}

void brz_instance_destroy(brz_instance *i)
{
    if (i == NULL)
        return;
    brz_parallel_destroy(i->parallel);
    brz_profile_destroy(i->profile);
    brz_trace_destroy(i->trace);
    brz_notices_finish(&i->reports);
    brz_arena_finish(&i->memory);
    brz_buf_finish(&i->demangled);
    free(i);
}
