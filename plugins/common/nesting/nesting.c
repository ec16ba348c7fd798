/* SPDX-License-Identifier: MIT */
/* Counts the self time of events of threads, without that of the events that they called. */
#include "nesting.h"

#include <stdlib.h>

#include "../json/column.h"

/* ---- pairs ----------------------------------------------------------------------------------- */

/* An end that occurs before any beginning with its name. It may be that of an event without
 * duration whose beginning follows at the same time. */
typedef struct early_ends {
    int64_t time;
    uint64_t n;
} early_ends;

/* Tables for the events of one thread at a time. */
typedef struct pairs {
    nested_event *events;
    uint32_t *innermost; /* by name: index of the innermost open event, from 1; 0: none */
    early_ends *early;   /* by name */
    uint32_t *open;      /* indices of events that have begun; some have ended */
    size_t n_open;
    uint64_t unmatched; /* ends without a beginning, of all threads */
} pairs;

static void end_event(pairs *p, uint32_t index, int64_t time)
{
    nested_event *e = &p->events[index];
    e->end = time;
    e->endless = false;
    if (e->name != NESTED_NO_NAME)
        p->innermost[e->name] = e->outer;
}

/* Ends the innermost open event. Returns false if no event is open. */
static bool end_innermost(pairs *p, int64_t time)
{
    while (p->n_open > 0 && !p->events[p->open[p->n_open - 1]].endless)
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
    nested_event *e = &p->events[index];
    e->endless = true;
    p->open[p->n_open++] = index;
    if (e->name == NESTED_NO_NAME)
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
        nested_event *e = &p->events[p->open[--p->n_open]];
        if (e->name != NESTED_NO_NAME)
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
        const nested_event *e = &p->events[events[i]];
        if (e->name != NESTED_NO_NAME)
            p->early[e->name].n = 0;
    }
}

/* Gives each beginning among the events of a thread its end, if it has one. The events are sorted
 * by time, and those of equal times in the order of the file. */
static void pairs_find(pairs *p, const uint32_t *events, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const nested_event *e = &p->events[events[i]];
        if (e->kind == NESTED_BEGINS)
            begin(p, events[i]);
        else if (e->kind == NESTED_ENDS)
            p->unmatched += e->name == NESTED_NO_NAME ? !end_innermost(p, e->begin)
                                                      : !end_named(p, e->name, e->begin);
    }
    finish(p);
    clear_early(p, events, n);
}

/* An event to be sorted. */
typedef struct beginning {
    int64_t time;
    int64_t reach;  /* the end; of equal times, the furthest one comes first */
    bool complete;  /* comes after those with a beginning of their own */
    uint32_t index; /* of the event */
} beginning;

/* The events of all threads while they are counted. */
struct nesting_reader {
    nesting *of;
    brz_ctx *ctx;
    pairs pairs;
    beginning *starts; /* of one thread */
    size_t n_starts;
    uint32_t *open; /* indices of the open events, outermost first */
    size_t n_open;
    int64_t now, last; /* last: when the thread's last event begins or ends */
    const nested_track *track;
};
typedef struct nesting_reader reading;

/* ---- order --------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const beginning *p = a, *q = b;
    if (p->time != q->time)
        return p->time < q->time ? -1 : 1;
    if (p->reach != q->reach)
        return p->reach > q->reach ? -1 : 1;
    if (p->complete != q->complete)
        return p->complete ? 1 : -1;
    return p->index < q->index ? -1 : p->index > q->index;
}

static void sort(beginning *starts, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (compare(&starts[i - 1], &starts[i]) > 0) {
            qsort(starts, n, sizeof *starts, compare);
            return;
        }
}

/* Sorts the `n` events of a thread by time; those of equal times stay in the order of the file. */
static void sort_events(reading *r, uint32_t *events, size_t n)
{
    for (size_t i = 0; i < n; i++)
        r->starts[i] = (beginning){r->of->events[events[i]].begin, 0, false, events[i]};
    sort(r->starts, n);
    for (size_t i = 0; i < n; i++)
        events[i] = r->starts[i].index;
}

/* Extends the reach of beginnings to that of those at the same time that follow: they are within
 * each other. */
static void extend_reaches(beginning *starts, size_t n)
{
    const beginning *inner = NULL;
    for (size_t i = n; i > 0; i--) {
        beginning *s = &starts[i - 1];
        if (s->complete)
            continue;
        if (inner != NULL && inner->time == s->time && inner->reach > s->reach)
            s->reach = inner->reach;
        inner = s;
    }
}

/* Lists the events of a thread that last, in the order in which they begin. */
static void list_starts(reading *r, const uint32_t *events, size_t n)
{
    r->n_starts = 0;
    r->last = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        const nested_event *e = &r->of->events[events[i]];
        if (e->kind == NESTED_ENDS)
            continue;
        int64_t last = e->endless ? e->begin : e->end;
        r->last = last > r->last ? last : r->last;
        if (e->endless || e->end > e->begin)
            r->starts[r->n_starts++] = (beginning){e->begin, e->endless ? INT64_MAX : e->end,
                                                   e->kind == NESTED_COMPLETE, events[i]};
    }
    extend_reaches(r->starts, r->n_starts);
    sort(r->starts, r->n_starts);
}

/* ---- calls --------------------------------------------------------------------------------- */

/* Counts the time until `to` in the stack that is open. */
static brz_rc advance(reading *r, int64_t to)
{
    int64_t passed = time_passed(r->now, to), begin = r->now;
    const nested_track *t = r->track;
    r->now = to;
    if (passed <= 0 || r->n_open == 0)
        return BRZ_OK;
    brz_stacks_place(r->of->stacks, t->tag, t->timed ? BRZ_TIMED : 0, t->timed ? begin : 0);
    return brz_stacks_count(r->of->stacks, r->ctx, t->column, passed / t->divisor);
}

static void push(reading *r, uint32_t index)
{
    r->open[r->n_open++] = index;
    brz_path_push(r->of->stacks->path, r->ctx, r->of->events[index].frame);
}

static void pop(reading *r)
{
    const nested_event *e = &r->of->events[r->open[--r->n_open]];
    r->of->endless += e->endless;
    r->of->overlapping += !e->endless && e->end < r->now;
    brz_path_cut(r->of->stacks->path, r->n_open);
}

/* Closes the innermost events that end until a time. */
static brz_rc close_until(reading *r, int64_t time)
{
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && r->n_open > 0) {
        const nested_event *e = &r->of->events[r->open[r->n_open - 1]];
        if (e->endless || e->end > time)
            break;
        rc = advance(r, e->end > r->now ? e->end : r->now);
        pop(r);
    }
    return rc;
}

static brz_rc count_starts(reading *r)
{
    brz_rc rc = BRZ_OK;
    brz_path_cut(r->of->stacks->path, 0);
    for (size_t i = 0; i < r->n_starts && rc == BRZ_OK; i++) {
        const beginning *s = &r->starts[i];
        rc = close_until(r, s->time);
        if (rc == BRZ_OK)
            rc = advance(r, s->time);
        push(r, s->index);
    }
    if (rc == BRZ_OK)
        rc = close_until(r, r->last);
    if (rc == BRZ_OK && r->n_open > 0)
        rc = advance(r, r->last);
    while (r->n_open > 0)
        pop(r);
    return rc;
}

/* ---- threads ------------------------------------------------------------------------------- */

/* Creates tables for threads of up to `most` events. */
static struct nesting_reader *reader_of(nesting *n, brz_ctx *ctx, size_t most)
{
    struct nesting_reader *r = ctx->host->alloc(ctx, sizeof *r, 0);
    r->of = n;
    r->ctx = ctx;
    r->pairs.events = n->events;
    r->pairs.innermost = ctx->host->alloc(ctx, n->n_names * sizeof *r->pairs.innermost + 1, 0);
    r->pairs.early = ctx->host->alloc(ctx, n->n_names * sizeof *r->pairs.early + 1, 0);
    r->pairs.open = ctx->host->alloc(ctx, most * sizeof *r->pairs.open + 1, 0);
    r->starts = ctx->host->alloc(ctx, most * sizeof *r->starts + 1, 0);
    r->open = ctx->host->alloc(ctx, most * sizeof *r->open + 1, 0);
    return r;
}

/* Sorts the indices of all events by their threads. */
static void sort_by_track(nesting *n, brz_ctx *ctx)
{
    size_t *next = ctx->host->alloc(ctx, n->n_tracks * sizeof *next + 1, 0);
    for (size_t i = 0; i < n->n_events; i++)
        n->first[n->events[i].track + 1]++;
    for (size_t i = 0; i < n->n_tracks; i++)
        n->first[i + 1] += next[i] = n->first[i];
    for (size_t i = 0; i < n->n_events; i++)
        n->order[next[n->events[i].track]++] = (uint32_t)i;
}

void nesting_sort(nesting *n, brz_ctx *ctx)
{
    size_t most = 0;
    n->order = ctx->host->alloc(ctx, n->n_events * sizeof *n->order + 1, 0);
    n->first = ctx->host->alloc(ctx, (n->n_tracks + 1) * sizeof *n->first, 0);
    sort_by_track(n, ctx);
    for (uint32_t i = 0; i < n->n_tracks; i++)
        most = nesting_track_length(n, i) > most ? nesting_track_length(n, i) : most;
    n->reader = reader_of(n, ctx, most);
}

brz_rc nesting_count(nesting *n, uint32_t track, const nested_track *how)
{
    reading *r = n->reader;
    uint32_t *events = &n->order[n->first[track]];
    size_t length = nesting_track_length(n, track);
    if (length == 0)
        return BRZ_OK;
    r->track = how;
    sort_events(r, events, length);
    pairs_find(&r->pairs, events, length);
    list_starts(r, events, length);
    n->unmatched = r->pairs.unmatched;
    return count_starts(r);
}
