/* Counts the time that events take themselves, without those that they called.
 *
 * Beginnings and ends of a thread's events are sorted, each by time. At equal times, ends come
 * first, except for events without duration; longer events begin before shorter ones. A complete
 * event ends by itself, any other when an end with its name comes. An event that ends while one is
 * open that began within it stays open as long as that one, so nothing is searched for. Events that
 * do not end last as long as their thread.
 */
#include "calls.h"

#include <brazier/symbol.h>

#include <stdlib.h>

#include "../json/text.h"

/* The beginning or the end of an event. */
typedef struct point {
    int64_t time,
        rank;       /* points of equal times are in the order of their ranks, then of the file */
    uint32_t index; /* of the event */
} point;

/* The events of all threads while they are counted. */
typedef struct reading {
    trace *t;
    brz_ctx *ctx;
    point *begins, *ends; /* of one thread */
    size_t n_begins, n_ends;
    uint32_t *open; /* indices of the open events, outermost first */
    size_t n_open;
    uint32_t *opened, *closing; /* indexed by name: how many are open, and how many of them ended */
    int64_t *closed_at;         /* indexed by name: when the last of these ended */
    uint64_t n_unnamed, unnamed_closing; /* open events that begin and end, ends without a name */
    int64_t now;
    column *column;
    brz_tag tag;
    bool timed;
    uint64_t unmatched, unclosed, overlapping;
} reading;

/* ---- order --------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const point *p = a, *q = b;
    if (p->time != q->time)
        return p->time < q->time ? -1 : 1;
    if (p->rank != q->rank)
        return p->rank < q->rank ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

static void sort(point *points, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (compare(&points[i - 1], &points[i]) > 0) {
            qsort(points, n, sizeof *points, compare);
            return;
        }
}

/* Lists beginnings and ends of the `n` events of a thread. */
static void list_points(reading *r, const uint32_t *events, size_t n)
{
    r->n_begins = r->n_ends = 0;
    for (size_t i = 0; i < n; i++) {
        const event *e = &r->t->events[events[i]];
        int64_t longest_first = e->kind == EVENT_COMPLETE ? e->begin - e->end : INT64_MIN;
        if (e->kind != EVENT_ENDS)
            r->begins[r->n_begins++] = (point){e->begin, longest_first, events[i]};
        if (e->kind != EVENT_BEGINS)
            r->ends[r->n_ends++] = (point){e->end, 0, events[i]};
    }
    sort(r->begins, r->n_begins);
    sort(r->ends, r->n_ends);
}

/* ---- calls --------------------------------------------------------------------------------- */

/* Counts the time until now in the stack that is open. */
static brz_rc advance(reading *r, int64_t to)
{
    int64_t passed = time_passed(r->now, to), start = r->now;
    brz_stacks *s = &r->t->tree.stacks;
    r->now = to;
    if (passed <= 0 || r->n_open == 0)
        return BRZ_OK;
    for (uint32_t d = r->t->decimals; d > r->column->decimals; d--)
        passed /= 10;
    brz_stacks_place(s, r->tag, r->timed ? BRZ_TIMED : 0, r->timed ? start : 0);
    return brz_stacks_count(s, r->ctx, r->column->weight, passed);
}

static void push(reading *r, uint32_t index)
{
    event *e = &r->t->events[index];
    e->open = true;
    if (e->kind == EVENT_BEGINS && e->name != NO_NAME)
        r->opened[e->name]++;
    r->n_unnamed += e->kind == EVENT_BEGINS;
    r->open[r->n_open++] = index;
    brz_path_push(r->t->tree.stacks.path, r->ctx, e->frame);
}

static void pop(reading *r)
{
    event *e = &r->t->events[r->open[--r->n_open]];
    e->open = false;
    if (e->kind == EVENT_BEGINS && e->name != NO_NAME)
        r->opened[e->name]--;
    r->n_unnamed -= e->kind == EVENT_BEGINS;
    brz_path_cut(r->t->tree.stacks.path, r->n_open);
}

/* Returns whether the innermost event has ended. If it has, its end is used up. */
static bool take_closing(reading *r)
{
    const event *e = &r->t->events[r->open[r->n_open - 1]];
    if (e->kind == EVENT_COMPLETE) {
        r->overlapping += e->ended && e->end < r->now;
        return e->ended;
    }
    if (e->name != NO_NAME && r->closing[e->name] > 0) {
        r->overlapping += r->closed_at[e->name] < r->now;
        r->closing[e->name]--;
        return true;
    }
    bool unnamed = r->unnamed_closing > 0;
    r->unnamed_closing -= unnamed;
    return unnamed;
}

static void pop_ended(reading *r)
{
    while (r->n_open > 0 && take_closing(r))
        pop(r);
}

/* Notes that an event has ended. Returns false if none has. */
static bool note_end(reading *r, event *e)
{
    if (e->kind == EVENT_COMPLETE) {
        e->ended = true;
        return e->open;
    }
    if (e->name == NO_NAME) {
        bool any = r->unnamed_closing < r->n_unnamed;
        r->unnamed_closing += any;
        return any;
    }
    if (r->closing[e->name] == r->opened[e->name])
        return false;
    r->closing[e->name]++;
    r->closed_at[e->name] = e->end;
    return true;
}

static brz_rc take_end(reading *r, const point *p)
{
    event *e = &r->t->events[p->index];
    if (!note_end(r, e)) {
        r->unmatched += e->kind == EVENT_ENDS;
        return BRZ_OK;
    }
    brz_rc rc = advance(r, p->time);
    pop_ended(r);
    return rc;
}

static brz_rc take_begin(reading *r, const point *p)
{
    const event *e = &r->t->events[p->index];
    if (e->ended) /* without duration */
        return BRZ_OK;
    brz_rc rc = advance(r, p->time);
    push(r, p->index);
    return rc;
}

/* Returns whether the end belongs to an event without duration that has yet to begin. */
static bool ends_at_once(const reading *r, const point *begin, const point *end)
{
    const event *b = &r->t->events[begin->index], *e = &r->t->events[end->index];
    if (b->kind == EVENT_COMPLETE)
        return begin->index == end->index;
    return e->kind == EVENT_ENDS && begin->index < end->index && b->name == e->name;
}

/* ---- threads ------------------------------------------------------------------------------- */

/* Ends what is still open. */
static void close_all(reading *r)
{
    r->unclosed += r->n_open;
    while (r->n_open > 0) {
        r->unclosed -= take_closing(r);
        pop(r);
    }
    r->unnamed_closing = 0;
}

static brz_rc count_points(reading *r)
{
    size_t b = 0, e = 0;
    brz_rc rc = BRZ_OK;
    brz_path_cut(r->t->tree.stacks.path, 0);
    while ((b < r->n_begins || e < r->n_ends) && rc == BRZ_OK) {
        bool begin = e == r->n_ends;
        if (b < r->n_begins && !begin)
            begin = r->begins[b].time != r->ends[e].time
                        ? r->begins[b].time < r->ends[e].time
                        : ends_at_once(r, &r->begins[b], &r->ends[e]);
        rc = begin ? take_begin(r, &r->begins[b++]) : take_end(r, &r->ends[e++]);
    }
    close_all(r);
    return rc;
}

static brz_rc count_track(reading *r, uint32_t of, const uint32_t *events)
{
    const track *from = &r->t->tracks[of];
    bool stated = from->origin != NULL && from->origin[ORIGIN_TIMED].kind == BRZ_JSON_TRUE;
    r->tag = trace_tag(r->t, r->ctx, of);
    r->timed = (!r->t->own || stated) && r->t->decimals == NANOSECONDS;
    r->column = r->t->own                          ? &r->t->columns[from->column]
                : r->t->calls.weight == UINT32_MAX ? &r->t->time
                                                   : &r->t->calls;
    list_points(r, events, from->n_events);
    return count_points(r);
}

static void report(const reading *r)
{
    json_warn_count(r->ctx, "chrome-trace.unmatched", r->unmatched, 0,
                    BRZ_STR("ends of events that have not begun are left out ({count})"));
    json_warn_count(r->ctx, "chrome-trace.unclosed", r->unclosed, 0,
                    BRZ_STR("events without an end last as long as their thread ({count})"));
    json_warn_count(
        r->ctx, "chrome-trace.overlap", r->overlapping, 0,
        BRZ_STR("events that end before one that began within them last as long as that "
                "one ({count})"));
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
    r.begins = ctx->host->alloc(ctx, n * sizeof *r.begins + 1, 0);
    r.ends = ctx->host->alloc(ctx, n * sizeof *r.ends + 1, 0);
    r.open = ctx->host->alloc(ctx, n * sizeof *r.open + 1, 0);
    r.opened = ctx->host->alloc(ctx, t->n_names * sizeof *r.opened + 1, 0);
    r.closing = ctx->host->alloc(ctx, t->n_names * sizeof *r.closing + 1, 0);
    r.closed_at = ctx->host->alloc(ctx, t->n_names * sizeof *r.closed_at + 1, 0);
    return r;
}

brz_rc calls_count(trace *t, brz_ctx *ctx, bool async)
{
    reading r = reading_of(t, ctx);
    size_t *starts;
    brz_rc rc = BRZ_OK;
    const uint32_t *events = by_track(t, ctx, &starts);
    for (size_t i = 0; i < t->n_tracks && rc == BRZ_OK; i++)
        if (t->tracks[i].n_events > 0 && (async || !t->tracks[i].async))
            rc = count_track(&r, (uint32_t)i, &events[starts[i]]);
    report(&r);
    return rc;
}
