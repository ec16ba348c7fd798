/* SPDX-License-Identifier: MIT */
/* Converts the events of tracers into stacks with sums. */
#include "host/trace.h"

#include "base/mem.h"
#include "base/saturated.h"
#include "profile/samples.h"
#include "profile/stack_tree.h"

#include <stdlib.h>
#include <string.h>

/* A period during which a call is on top, with the values of the columns in brz_trace.passed. */
typedef struct period {
    int64_t time; /* at its beginning, or BRZ_NO_TIME */
    uint32_t call;
    brz_tag tag;
} period;

typedef struct track {
    uint64_t id;
    uint32_t top;
    brz_tag tag;      /* of its last event */
    int64_t time;     /* of its last event, or BRZ_NO_TIME */
    int64_t *columns; /* what each column read at its last event */
} track;

struct brz_trace {
    brz_profile *profile;
    size_t n_columns;
    brz_stack_tree calls;
    int64_t *selfs; /* by call and column */
    size_t n_selfs, selfs_cap;
    track *tracks;
    size_t n_tracks, tracks_cap, last; /* last: the most recently used track */
    bool is_sparse;                    /* ids of tracks are not 0, 1, 2, ... in this order */
    bool keeps_samples;
    period *periods;
    size_t n_periods, periods_cap;
    int64_t *passed; /* by period and column */
    size_t n_passed, passed_cap;
};

/* Appends a value of 0 for each column to an array. Returns the first of them. */
static int64_t *add_columns(const brz_trace *t, int64_t **values, size_t *n, size_t *cap)
{
    size_t first = *n;
    while (*n < first + t->n_columns) {
        *values = brz_grow(*values, *n, cap, sizeof **values);
        (*values)[(*n)++] = 0;
    }
    return *values + first;
}

brz_trace *brz_trace_create(brz_profile *p)
{
    brz_trace *t = brz_calloc(1, sizeof *t);
    t->profile = p;
    t->n_columns = p->n_weights;
    t->keeps_samples = p->samples.which != BRZ_SAMPLES_NONE;
    brz_stack_tree_clear(&t->calls);
    add_columns(t, &t->selfs, &t->n_selfs, &t->selfs_cap);
    return t;
}

void brz_trace_destroy(brz_trace *t)
{
    if (t == NULL)
        return;
    brz_stack_tree_finish(&t->calls);
    for (size_t i = 0; i < t->n_tracks; i++)
        free(t->tracks[i].columns);
    free(t->selfs);
    free(t->tracks);
    free(t->periods);
    free(t->passed);
    free(t);
}

/* Returns a track; creates it if necessary. Mostly, ids are indices. For others a linear search
 * suffices: there are few tracks, and most events are on the same one as before. */
static track *find_track(brz_trace *t, uint64_t id)
{
    if (t->last < t->n_tracks && t->tracks[t->last].id == id)
        return &t->tracks[t->last];
    t->last = t->is_sparse ? 0 : id < t->n_tracks ? (size_t)id : t->n_tracks;
    for (; t->last < t->n_tracks; t->last++)
        if (t->tracks[t->last].id == id)
            return &t->tracks[t->last];
    t->is_sparse |= id != t->n_tracks;
    t->tracks = brz_grow(t->tracks, t->n_tracks, &t->tracks_cap, sizeof *t->tracks);
    t->tracks[t->n_tracks] = (track){.id = id, .time = BRZ_NO_TIME};
    return &t->tracks[t->n_tracks++];
}

/* ---- what passes ----------------------------------------------------------------------------- */

/* Returns by how much a column rises from *last to `now`, and stores the new reading. */
static int64_t rise(brz_profile *p, size_t column, int64_t *last, int64_t now)
{
    uint32_t flags = p->weights[column].flags;
    if ((flags & BRZ_COLUMN_CLOCK) && now < *last)
        now = *last;
    int64_t by;
    if (__builtin_sub_overflow(now, *last, &by)) {
        by = now > *last ? INT64_MAX : INT64_MIN;
        p->saturated = true;
    }
    *last = now;
    return (flags & BRZ_COLUMN_GROWTH) && by < 0 ? 0 : by;
}

/* Adds the values of a period to the call on top of a track. */
static void keep_period(brz_trace *t, const track *k, const int64_t *passed)
{
    int64_t *kept = add_columns(t, &t->passed, &t->n_passed, &t->passed_cap);
    memcpy(kept, passed, t->n_columns * sizeof *kept);
    t->periods = brz_grow(t->periods, t->n_periods, &t->periods_cap, sizeof *t->periods);
    t->periods[t->n_periods++] = (period){k->time, k->top, k->tag};
}

/* Adds what has passed since the track's last event to the call on top. */
static void pass(brz_trace *t, track *k, const brz_values *at)
{
    int64_t passed[BRZ_PROFILE_MAX_WEIGHTS];
    int64_t *selfs = t->selfs + k->top * t->n_columns;
    bool any = false;
    for (size_t w = 0; w < t->n_columns; w++) {
        passed[w] = w < at->n_values ? rise(t->profile, w, &k->columns[w], at->values[w]) : 0;
        any |= passed[w] != 0;
    }
    for (size_t w = 0; w < t->n_columns; w++)
        selfs[w] = brz_add_saturated(selfs[w], passed[w], &t->profile->saturated);
    if (any && t->keeps_samples)
        keep_period(t, k, passed);
}

/* Counts what has passed on a track since its last event, if a call is open. Stores what the event
 * reads, which may be less than before if no call is open. Returns the track. */
static track *pass_until(brz_trace *t, uint64_t id, const brz_values *at)
{
    track *k = find_track(t, id);
    if (k->columns == NULL)
        k->columns = brz_calloc(t->n_columns, sizeof *k->columns);
    if (k->top != 0)
        pass(t, k, at);
    for (size_t w = 0; k->top == 0 && w < at->n_values && w < t->n_columns; w++)
        k->columns[w] = at->values[w];
    if (k->top == 0 || at->time > k->time)
        k->time = at->time;
    k->tag = at->tag;
    return k;
}

/* ---- events ---------------------------------------------------------------------------------- */

void brz_trace_enter(brz_trace *t, uint64_t id, brz_frame frame, const brz_values *at)
{
    track *k = pass_until(t, id, at);
    size_t n = t->calls.n;
    k->top = brz_stack_tree_child(&t->calls, k->top, frame);
    if (k->top == n)
        add_columns(t, &t->selfs, &t->n_selfs, &t->selfs_cap);
}

bool brz_trace_leave(brz_trace *t, uint64_t id, const brz_values *at)
{
    track *k = pass_until(t, id, at);
    if (k->top == 0)
        return false;
    k->top = t->calls.nodes[k->top].parent;
    return true;
}

/* ---- the profile ----------------------------------------------------------------------------- */

/* Adds the kept periods as samples. `stacks` are the stacks of the calls. */
static void add_samples(const brz_trace *t, const brz_stack *stacks)
{
    brz_profile *p = t->profile;
    for (size_t i = 0; i < t->n_periods; i++) {
        const period *k = &t->periods[i];
        bool is_more = false;
        for (size_t w = 0; w < t->n_columns; w++) {
            brz_profile_sample s = {.time = k->time,
                                    .value = t->passed[i * t->n_columns + w],
                                    .stack = stacks[k->call],
                                    .weight = w & 0xff,
                                    .tag = BRZ_SAMPLE_TAG(k->tag),
                                    .is_more = is_more};
            if (s.value != 0)
                brz_samples_add(&p->samples, &s, &p->saturated);
            is_more |= s.value != 0;
        }
    }
}

/* Returns whether any column of a call is not 0. */
static bool has_value(const brz_trace *t, size_t call)
{
    const int64_t *selfs = t->selfs + call * t->n_columns;
    bool any = false;
    for (size_t w = 0; w < t->n_columns; w++)
        any |= selfs[w] != 0;
    return any;
}

/* Marks the calls whose stacks are stored. Gains and losses of periods may add up to 0. */
static void mark_calls(brz_trace *t)
{
    for (size_t i = 1; i < t->calls.n; i++)
        t->calls.nodes[i].mark = has_value(t, i);
    for (size_t i = 0; i < t->n_periods; i++)
        t->calls.nodes[t->periods[i].call].mark = true;
}

void brz_trace_finish(brz_trace *t)
{
    brz_profile *p = t->profile;
    size_t n = t->calls.n;
    brz_stack *stacks = brz_calloc(n, sizeof *stacks);
    brz_frame **paths = brz_calloc(n, sizeof *paths);
    mark_calls(t);
    brz_stack_tree_store(&t->calls, p, paths);
    for (size_t i = 1; i < n; i++) {
        if (!t->calls.nodes[i].mark)
            continue;
        stacks[i] = brz_profile_add_stored(p, paths[i], t->calls.nodes[i].depth, 0);
        for (uint32_t w = 0; w < t->n_columns; w++)
            if (t->selfs[i * t->n_columns + w] != 0)
                brz_profile_add_value(p, stacks[i], w, t->selfs[i * t->n_columns + w]);
    }
    add_samples(t, stacks);
    free(stacks);
    free(paths);
}
