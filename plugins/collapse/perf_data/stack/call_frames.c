/* SPDX-License-Identifier: MIT */
/* Reads the call-frame information of modules. */
#include "call_frames.h"

static void *allocate(void *context, size_t size)
{
    brz_ctx *ctx = context;
    return ctx->host->alloc(ctx, size, 0);
}

frame_source *call_frames_of(recording *p, module *m)
{
    symbol_source *of = symbols_of(&p->symbols, m);
    if (of->frames == NULL) {
        of->frames = p->ctx->host->alloc(p->ctx, sizeof *of->frames, 0);
        frame_source_open(of->frames, &of->loaded, &of->symbols, &p->symbols.packed);
    }
    return of->frames;
}

frame_rule call_frames_read(recording *p, frame_source *f, uint64_t address)
{
    return frame_source_read(f, address, allocate, p->ctx);
}

bool call_frames_begin_after(recording *p, module *m, uint64_t offset)
{
    uint64_t address;
    if (m->kind != MODULE_FILE && m->kind != MODULE_VDSO)
        return false;
    frame_source *f = call_frames_of(p, m);
    if (!elf_image_address(&m->symbols->loaded, offset, &address))
        return false;
    frame_rule before = call_frames_read(p, f, address);
    return before.is_signal || (!before.is_known && call_frames_read(p, f, address + 1).is_known);
}
