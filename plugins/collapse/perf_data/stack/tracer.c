/* SPDX-License-Identifier: MIT */
/* The stack of a sample as values of its addresses. */
#include "tracer.h"

#include "frames.h"

/* ---- addresses ------------------------------------------------------------------------------ */

const recent_code *trace_name(tracer *t, uint64_t address, uint64_t context)
{
    return t->reader == NULL ? NULL : frames_learn(t->reader, address, context);
}

traced_code trace_address(tracer *t, uint32_t mode, uint64_t ip, bool is_caller)
{
    code c = trace_code(t, mode);
    return trace_code_at(t, &c, ip, is_caller);
}

void trace_root(tracer *t, brz_frame root)
{
    trace *to = t->to;
    const brz_hash_keys keys = t->p->stacks.own.keys;
    uint64_t h = BRZ_HASH_EMPTY;
    uint32_t all = 0;
    if (to->n_unnamed > 0 || to->is_incomplete || to->is_deferred || t->room->n_values == 0)
        return;
    for (size_t i = 0; i < to->n; i++) {
        all |= to->values[i];
        h = brz_hash_step(&keys, h, to->values[i]);
    }
    if (all & FRAMES_LIST)
        return;
    to->values[to->n] = root;
    to->hash = brz_hash_step(&keys, h, root);
    to->is_hashed = true;
    t->room->values++;
    t->room->n_values--;
}
