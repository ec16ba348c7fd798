/* Counts the self time of events, without that of the events that they called.
 *
 * The events of a thread are sorted by the times at which they begin. Of those that begin at the
 * same time, the one that lasts longest is the outermost; those with a beginning of their own stay
 * in the order of the file. Events without duration take no time and are left out. An event that
 * ends while one is open that began within it lasts as long as that one. Events that do not end
 * last until their thread ends.
 */

#include <brazier/symbol.h>

#include <stdlib.h>

#include "../../common/json/text.h"
#include "trace.h"

/* ---- pairs ----------------------------------------------------------------------------------- */

/* An end that occurs before any beginning with its name. It may be that of an event without
 * duration whose beginning follows at the same time. */
typedef struct early_ends {
    int64_t time;
    uint64_t n;
} early_ends;

/* Tables for the events of one thread at a time. */
typedef struct pairs {
    trace *trace;
    uint32_t *innermost; /* by name: index of the innermost open event, from 1; 0: none */
    early_ends *early;   /* by name */
    uint32_t *open;      /* indices of events that have begun; some have ended */
    size_t n_open;
    uint64_t unmatched; /* ends without a beginning, of all threads */
} pairs;

/* Creates tables for threads of up to `most` events. */
static pairs pairs_of(trace *t, brz_ctx *ctx, size_t most)
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

/* Gives each beginning among the events of a thread its end, if it has one. The events are sorted
 * by time, and those of equal times in the order of the file. */
static void pairs_find(pairs *p, const uint32_t *events, size_t n)
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

/* ---- events of a thread ---------------------------------------------------------------------- */

/* An event to be sorted. */
typedef struct beginning {
    int64_t time;
    int64_t reach;  /* the end; of equal times, the furthest one comes first */
    bool complete;  /* comes after those with a beginning of their own */
    uint32_t index; /* of the event */
} beginning;

/* The events of all threads while they are counted. */
typedef struct reading {
    trace *t;
    brz_ctx *ctx;
    pairs pairs;
    beginning *starts; /* of one thread */
    size_t n_starts;
    uint32_t *open; /* indices of the open events, outermost first */
    size_t n_open;
    int64_t now, last; /* last: when the thread's last event begins or ends */
    column *column;
    brz_tag tag;
    bool timed;
    uint64_t endless, overlapping;
} reading;

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
        r->starts[i] = (beginning){r->t->events[events[i]].begin, 0, false, events[i]};
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
        const event *e = &r->t->events[events[i]];
        if (e->kind == EVENT_ENDS)
            continue;
        int64_t last = e->endless ? e->begin : e->end;
        r->last = last > r->last ? last : r->last;
        if (e->endless || e->end > e->begin)
            r->starts[r->n_starts++] = (beginning){e->begin, e->endless ? INT64_MAX : e->end,
                                                   e->kind == EVENT_COMPLETE, events[i]};
    }
    extend_reaches(r->starts, r->n_starts);
    sort(r->starts, r->n_starts);
}

/* ---- calls --------------------------------------------------------------------------------- */

/* Counts the time until `to` in the stack that is open. */
static brz_rc advance(reading *r, int64_t to)
{
    int64_t passed = time_passed(r->now, to), begin = r->now;
    brz_stacks *s = &r->t->tree.stacks;
    r->now = to;
    if (passed <= 0 || r->n_open == 0)
        return BRZ_OK;
    for (uint32_t d = r->t->decimals; d > r->column->decimals; d--)
        passed /= 10;
    brz_stacks_place(s, r->tag, r->timed ? BRZ_TIMED : 0, r->timed ? begin : 0);
    return brz_stacks_count(s, r->ctx, r->column->weight, passed);
}

static void push(reading *r, uint32_t index)
{
    r->open[r->n_open++] = index;
    brz_path_push(r->t->tree.stacks.path, r->ctx, r->t->events[index].frame);
}

static void pop(reading *r)
{
    const event *e = &r->t->events[r->open[--r->n_open]];
    r->endless += e->endless;
    r->overlapping += !e->endless && e->end < r->now;
    brz_path_cut(r->t->tree.stacks.path, r->n_open);
}

/* Closes the innermost events that end until a time. */
static brz_rc close_until(reading *r, int64_t time)
{
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && r->n_open > 0) {
        const event *e = &r->t->events[r->open[r->n_open - 1]];
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
    brz_path_cut(r->t->tree.stacks.path, 0);
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

static brz_rc count_track(reading *r, uint32_t of, uint32_t *events)
{
    const track *from = &r->t->tracks[of];
    bool stated = from->origin != NULL && from->origin[ORIGIN_TIMED].kind == BRZ_JSON_TRUE;
    r->tag = trace_tag(r->t, r->ctx, of);
    r->timed = (!r->t->own || stated) && r->t->decimals == NANOSECONDS;
    r->column = r->t->own                          ? &r->t->columns[from->column]
                : r->t->calls.weight == UINT32_MAX ? &r->t->time
                                                   : &r->t->calls;
    sort_events(r, events, from->n_events);
    pairs_find(&r->pairs, events, from->n_events);
    list_starts(r, events, from->n_events);
    return count_starts(r);
}

static void report(const reading *r)
{
    brz_report_count(r->ctx, BRZ_WARNING, "chrome-trace.unmatched", r->pairs.unmatched, 0,
                     BRZ_STR("ends of events that have not begun are left out ({count})"));
    brz_report_count(r->ctx, BRZ_WARNING, "chrome-trace.unclosed", r->endless, 0,
                     BRZ_STR("events without an end last until their thread ends ({count})"));
    brz_report_count(
        r->ctx, BRZ_WARNING, "chrome-trace.overlap", r->overlapping, 0,
        BRZ_STR("events that end before an event within them last until that one ends ({count})"));
}

/* Returns the indices of all events, sorted by their threads. *starts receives where those of each
 * thread begin. */
static uint32_t *by_track(trace *t, brz_ctx *ctx, size_t **starts)
{
    uint32_t *order = ctx->host->alloc(ctx, t->n_events * sizeof *order + 1, 0);
    size_t *next = ctx->host->alloc(ctx, t->n_tracks * sizeof *next + 1, 0), start = 0;
    *starts = ctx->host->alloc(ctx, t->n_tracks * sizeof **starts + 1, 0);
    for (size_t i = 0; i < t->n_tracks; i++) {
        (*starts)[i] = next[i] = start;
        start += t->tracks[i].n_events;
    }
    for (size_t i = 0; i < t->n_events; i++)
        order[next[t->events[i].track]++] = (uint32_t)i;
    return order;
}

static reading reading_of(trace *t, brz_ctx *ctx)
{
    reading r = {.t = t, .ctx = ctx};
    size_t n = 0;
    for (size_t i = 0; i < t->n_tracks; i++)
        n = t->tracks[i].n_events > n ? t->tracks[i].n_events : n;
    r.pairs = pairs_of(t, ctx, n);
    r.starts = ctx->host->alloc(ctx, n * sizeof *r.starts + 1, 0);
    r.open = ctx->host->alloc(ctx, n * sizeof *r.open + 1, 0);
    return r;
}

brz_rc calls_count(trace *t, brz_ctx *ctx, bool async)
{
    reading r = reading_of(t, ctx);
    size_t *starts;
    brz_rc rc = BRZ_OK;
    uint32_t *events = by_track(t, ctx, &starts);
    for (size_t i = 0; i < t->n_tracks && rc == BRZ_OK; i++)
        if (t->tracks[i].n_events > 0 && (async || !t->tracks[i].async))
            rc = count_track(&r, (uint32_t)i, &events[starts[i]]);
    report(&r);
    return rc;
}
