/* Converts the events of tracers into stacks with self times. */
#include "host/trace.h"

#include "base/mem.h"
#include "profile/samples.h"
#include "profile/stack_tree.h"

#include <stdlib.h>

/* A period during which a call is on top. */
typedef struct period {
    int64_t time, passed;
    uint32_t call;
    brz_tag tag;
} period;

typedef struct track {
    uint64_t id;
    uint32_t top;
    int64_t time; /* time of its last event; valid if it has begun */
    bool has_begun;
    brz_tag tag;
} track;

struct brz_trace {
    brz_stack_tree calls;
    int64_t *selfs; /* by call */
    size_t selfs_cap;
    track *tracks;
    size_t n_tracks, tracks_cap, last; /* last: the most recently used track */
    bool saturated;
    bool keeps_samples;
    period *periods;
    size_t n_periods, periods_cap;
};

brz_trace *brz_trace_create(void)
{
    brz_trace *t = brz_calloc(1, sizeof *t);
    brz_stack_tree_clear(&t->calls);
    t->selfs = brz_grow(NULL, 0, &t->selfs_cap, sizeof *t->selfs);
    t->selfs[0] = 0;
    return t;
}

void brz_trace_destroy(brz_trace *t)
{
    if (t == NULL)
        return;
    brz_stack_tree_finish(&t->calls);
    free(t->selfs);
    free(t->tracks);
    free(t->periods);
    free(t);
}

/* Returns a track; creates it if necessary. A linear search suffices: there are few tracks, and
 * most events are on the same one as before. */
static track *find_track(brz_trace *t, uint64_t id)
{
    if (t->last < t->n_tracks && t->tracks[t->last].id == id)
        return &t->tracks[t->last];
    for (t->last = 0; t->last < t->n_tracks; t->last++)
        if (t->tracks[t->last].id == id)
            return &t->tracks[t->last];
    t->tracks = brz_grow(t->tracks, t->n_tracks, &t->tracks_cap, sizeof *t->tracks);
    t->tracks[t->n_tracks] = (track){.id = id};
    return &t->tracks[t->n_tracks++];
}

/* Returns a track on which an event occurs. */
static track *track_at(brz_trace *t, uint64_t id, int64_t time)
{
    track *k = find_track(t, id);
    if (!k->has_begun)
        k->time = time;
    k->has_begun = true;
    return k;
}

void brz_trace_keep_samples(brz_trace *t)
{
    t->keeps_samples = true;
}

void brz_trace_tag(brz_trace *t, uint64_t id, brz_tag tag)
{
    find_track(t, id)->tag = tag;
}

static void keep_period(brz_trace *t, const track *k, int64_t passed)
{
    t->periods = brz_grow(t->periods, t->n_periods, &t->periods_cap, sizeof *t->periods);
    t->periods[t->n_periods++] = (period){k->time, passed, k->top, k->tag};
}

/* Adds the time since the track's last event to the call on top. */
static void pass_time(brz_trace *t, track *k, int64_t time)
{
    if (time <= k->time)
        return;
    int64_t passed;
    if (__builtin_sub_overflow(time, k->time, &passed)) {
        passed = INT64_MAX;
        t->saturated = true;
    }
    int64_t *self = &t->selfs[k->top];
    if (k->top != 0)
        *self = brz_add_saturated(*self, passed, &t->saturated);
    if (k->top != 0 && t->keeps_samples)
        keep_period(t, k, passed);
    k->time = time;
}

void brz_trace_enter(brz_trace *t, uint64_t id, brz_frame frame, int64_t time)
{
    track *k = track_at(t, id, time);
    pass_time(t, k, time);
    size_t n = t->calls.n;
    k->top = brz_stack_tree_child(&t->calls, k->top, frame);
    if (k->top < n)
        return;
    t->selfs = brz_grow(t->selfs, n, &t->selfs_cap, sizeof *t->selfs);
    t->selfs[n] = 0;
}

bool brz_trace_leave(brz_trace *t, uint64_t id, int64_t time)
{
    track *k = track_at(t, id, time);
    pass_time(t, k, time);
    if (k->top == 0)
        return false;
    k->top = t->calls.nodes[k->top].parent;
    return true;
}

/* Adds the kept periods as samples. `stacks` are the stacks of the calls. */
static void add_samples(const brz_trace *t, brz_profile *p, uint32_t weight,
                        const brz_stack *stacks)
{
    for (size_t i = 0; i < t->n_periods; i++) {
        const period *k = &t->periods[i];
        brz_profile_sample s = {.time = k->time,
                                .value = k->passed,
                                .stack = stacks[k->call],
                                .weight = weight & 0xff,
                                .tag = k->tag & 0xffffff};
        brz_samples_add(&p->samples, &s, &p->saturated);
    }
}

void brz_trace_finish(brz_trace *t, brz_profile *p, uint32_t weight)
{
    size_t n = t->calls.n;
    brz_stack *stacks = brz_calloc(n, sizeof *stacks);
    brz_frame **paths = brz_calloc(n, sizeof *paths);
    for (size_t i = 1; i < n; i++)
        t->calls.nodes[i].mark = t->selfs[i] != 0;
    brz_stack_tree_store(&t->calls, p, paths);
    for (size_t i = 1; i < n; i++) {
        if (t->selfs[i] == 0)
            continue;
        stacks[i] = brz_profile_add_stored(p, paths[i], t->calls.nodes[i].depth, 0);
        brz_profile_add_value(p, stacks[i], weight, t->selfs[i]);
    }
    add_samples(t, p, weight, stacks);
    free(stacks);
    free(paths);
    p->saturated |= t->saturated;
}
