/* Traces the stacks of samples. */
#include "trace.h"

#include "chain.h"
#include "unwind.h"

/* Begins a trace in the room, if there is one. */
static void begin(tracer *t)
{
    *t->to = (trace){.n = 0};
    if (t->room == NULL)
        return;
    t->to->values = t->room->values;
    t->to->unnamed = t->room->unnamed;
}

/* Takes the memory of a trace out of the room. */
static void take_room(tracer *t)
{
    trace_room *room = t->room;
    if (room == NULL)
        return;
    room->values += t->to->n;
    room->n_values -= t->to->n;
    room->unnamed += t->to->n_unnamed;
    room->n_unnamed -= t->to->n_unnamed;
}

void trace_sample(tracer *t, const event *v, const sample *s, uint32_t mode)
{
    trace *to = t->to;
    begin(t);
    chain_trace(t, v, s, mode);
    to->is_incomplete |= to->is_bad && t->reader == NULL; /* the reader names its addresses */
    if (s->registers != NULL && (v->sample_type & SAMPLE_STACK_USER) && to->n_user == 0) {
        to->end = (uint8_t)unwind_sample(t, v, s);
        to->is_unwound = true;
    }
    bool has_leaf = to->n > 0 || (to->is_deferred && t->can_wait);
    bool is_dropped = to->is_bad && t->p->frames.by_perf_script;
    if (!has_leaf && !is_dropped && (v->sample_type & SAMPLE_IP))
        trace_address(t, mode, s->ip, false);
    take_room(t);
}
