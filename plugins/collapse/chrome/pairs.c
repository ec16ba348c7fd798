/* Finds the ends of events that begin and end separately.
 *
 * An end belongs to the innermost open event of its name. An end without a name belongs to the
 * innermost open event. Among events of equal times, the order of the file decides which are open.
 * An event that does not end otherwise has no duration if an end without a beginning, of the same
 * name and time, stands before it.
 */
#include "pairs.h"

pairs pairs_of(trace *t, brz_ctx *ctx, size_t most)
{
    pairs p = {.trace = t};
    p.innermost = ctx->host->alloc(ctx, t->n_names * sizeof *p.innermost + 1, 0);
    p.early = ctx->host->alloc(ctx, t->n_names * sizeof *p.early + 1, 0);
    p.open = ctx->host->alloc(ctx, most * sizeof *p.open + 1, 0);
    return p;
}

static void end_event(pairs *p, uint32_t index, int64_t time)
{
    event *e = &p->trace->events[index];
    e->end = time;
    e->endless = false;
    if (e->name != NO_NAME)
        p->innermost[e->name] = e->outer;
}

/* Ends the innermost open event. Returns false if no event is open. */
static bool end_innermost(pairs *p, int64_t time)
{
    while (p->n_open > 0 && !p->trace->events[p->open[p->n_open - 1]].endless)
        p->n_open--;
    if (p->n_open == 0)
        return false;
    end_event(p, p->open[--p->n_open], time);
    return true;
}

/* Ends the innermost open event of this name. Returns false if no such event is open. */
static bool end_named(pairs *p, uint32_t name, int64_t time)
{
    early_ends *early = &p->early[name];
    if (p->innermost[name] > 0) {
        end_event(p, p->innermost[name] - 1, time);
        return true;
    }
    if (early->time != time)
        *early = (early_ends){.time = time};
    early->n++;
    return false;
}

static void begin(pairs *p, uint32_t index)
{
    event *e = &p->trace->events[index];
    e->endless = true;
    p->open[p->n_open++] = index;
    if (e->name == NO_NAME)
        return;
    early_ends *early = &p->early[e->name];
    e->outer = p->innermost[e->name];
    p->innermost[e->name] = index + 1;
    e->early = early->n > 0 && early->time == e->begin;
    early->n -= e->early;
}

/* Leaves no event open. */
static void finish(pairs *p)
{
    while (p->n_open > 0) {
        event *e = &p->trace->events[p->open[--p->n_open]];
        if (e->name != NO_NAME)
            p->innermost[e->name] = 0;
        if (!e->endless || !e->early)
            continue;
        e->end = e->begin;
        e->endless = false;
        p->unmatched--;
    }
}

/* Forgets the early ends of a thread. */
static void clear_early(pairs *p, const uint32_t *events, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const event *e = &p->trace->events[events[i]];
        if (e->name != NO_NAME)
            p->early[e->name].n = 0;
    }
}

void pairs_find(pairs *p, const uint32_t *events, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const event *e = &p->trace->events[events[i]];
        if (e->kind == EVENT_BEGINS)
            begin(p, events[i]);
        else if (e->kind == EVENT_ENDS)
            p->unmatched +=
                e->name == NO_NAME ? !end_innermost(p, e->begin) : !end_named(p, e->name, e->begin);
    }
    finish(p);
    clear_early(p, events, n);
}
