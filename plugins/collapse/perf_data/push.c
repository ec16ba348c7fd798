/* Pushes the frames of traces. */
#include "push.h"

#include "chain.h"
#include "frames.h"
#include "unwind.h"

/* Number of addresses beside those of the call chain that a trace may have. */
#define MORE_VALUES (UNWIND_DEPTH_MAX + 2)

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
    for (size_t i = 0; i < t->n; i++) {
        uint32_t value = t->values[i];
        if (value == TRACE_UNNAMED)
            value = value_of(p, unnamed++);
        frames_push_value(p, value);
    }
}

/* ---- tracing -------------------------------------------------------------------------------- */

/* Returns room for `n` values. All addresses are named, so there are no unnamed ones. */
static trace_room room_for(recording *p, size_t n)
{
    trace_room *room = p->room;
    if (room == NULL)
        room = p->room = p->ctx->host->alloc(p->ctx, sizeof *room, 0);
    if (room->n_values < n) {
        room->n_values = 2 * n;
        room->values = p->ctx->host->alloc(p->ctx, room->n_values * sizeof *room->values, 0);
    }
    return *room;
}

/* Returns a tracer that reads what is not known yet. */
static tracer reading_tracer(recording *p, maps *user, bool is_java, trace_room *room, trace *to)
{
    tracer t = {.p = p, .reader = p, .is_java = is_java, .can_wait = !p->off.is_on};
    t.user = maps_own_view(user);
    t.kernel = maps_own_view(p->kernel);
    t.recent = p->frames.recent;
    t.room = room;
    t.to = to;
    return t;
}

void push_read_trace(recording *p, const event *v, const sample *s, uint32_t mode, maps *user,
                     bool is_java, trace *to)
{
    trace_room room = room_for(p, s->n_chain + s->n_branches + MORE_VALUES);
    tracer t = reading_tracer(p, user, is_java, &room, to);
    trace_sample(&t, v, s, mode);
}

void push_user(recording *p, const thread *of, const uint8_t *words, uint64_t n)
{
    trace_room room = room_for(p, n);
    trace to = {.values = room.values};
    tracer t = reading_tracer(p, threads_maps(&p->threads, of), of->is_java, &room, &to);
    chain_trace_user(&t, words, n);
    p->sampling.is_unmapped |= to.is_unmapped;
    push_trace(p, &to);
}

void push_address(recording *p, const thread *of, uint64_t ip)
{
    trace_room room = room_for(p, 1);
    trace to = {.values = room.values};
    tracer t = reading_tracer(p, threads_maps(&p->threads, of), of->is_java, &room, &to);
    trace_address(&t, MODE_USER, ip, false);
    push_trace(p, &to);
}
