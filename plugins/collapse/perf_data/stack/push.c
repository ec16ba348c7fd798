/* SPDX-License-Identifier: MIT */
/* Pushes the frames of traces. */
#include "push.h"

#include "chain.h"
#include "frames.h"

/* ---- traces --------------------------------------------------------------------------------- */

/* Returns the value of an address that was not known when it was traced. */
static uint32_t value_of(recording *p, const unnamed_code *at)
{
    frames *f = &p->frames;
    const recent_code *r = code_table_find(&f->known, f->recent, at->address, at->context);
    return r != NULL ? r->value : frames_learn(p, at->address, at->context)->value;
}

void push_trace(recording *p, const trace *t)
{
    const unnamed_code *unnamed = t->unnamed;
    brz_path *path = p->stacks.path;
    for (size_t i = 0; i < t->n; i++) {
        uint32_t value = t->values[i];
        if (!(value & FRAMES_LIST))
            brz_path_push(path, p->ctx, value);
        else
            frames_push(p, value == TRACE_UNNAMED ? value_of(p, unnamed++) : value);
    }
}

/* ---- tracing -------------------------------------------------------------------------------- */

/* Returns a tracer that reads symbols and rules on demand, and pushes frames. */
static tracer reading_tracer(recording *p, const traced_thread *of, trace *to)
{
    tracer t = {.p = p, .reader = p, .can_wait = !p->off.is_on};
    t.is_java = of->is_java;
    t.is_starting = of->is_starting;
    t.user = maps_own_view(of->maps);
    t.kernel = maps_own_view(p->kernel);
    t.recent = p->frames.recent;
    t.to = to;
    return t;
}

void push_sample(recording *p, const event *v, const sample *s, uint32_t mode,
                 const traced_thread *of, trace *to)
{
    tracer t = reading_tracer(p, of, to);
    brz_path_cut(p->stacks.path, 0);
    trace_sample(&t, v, s, mode);
    to->is_pushed = true;
}

void push_user(recording *p, const thread *of, const uint8_t *words, uint64_t n)
{
    trace to = {.n = 0};
    const traced_thread from = {.maps = threads_maps(&p->threads, of), .is_java = of->is_java};
    tracer t = reading_tracer(p, &from, &to);
    chain_trace_user(&t, words, n);
    p->sampling.is_unmapped |= to.is_unmapped;
}

void push_address(recording *p, const thread *of, uint64_t ip)
{
    trace to = {.n = 0};
    const traced_thread from = {.maps = threads_maps(&p->threads, of), .is_java = of->is_java};
    tracer t = reading_tracer(p, &from, &to);
    trace_address(&t, MODE_USER, ip, false);
}
