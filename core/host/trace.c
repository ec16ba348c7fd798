/* Converts the events of tracers into stacks with self times. */
#include "host/trace.h"

#include <brazier/text/hash.h>

#include "base/hash.h"
#include "base/mem.h"
#include "profile/samples.h"

#include <stdlib.h>

/* A node of the call tree; node 0 is the root. */
typedef struct call {
    uint32_t parent, depth; /* depth: number of frames in its stack */
    brz_frame frame;
    int64_t self;
} call;

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
    call *calls;
    size_t n_calls, calls_cap;
    uint32_t *slots; /* index of the call; 0: free */
    size_t n_slots;
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
    t->calls = brz_grow(NULL, 0, &t->calls_cap, sizeof *t->calls);
    t->calls[t->n_calls++] = (call){0};
    t->n_slots = 256;
    t->slots = brz_calloc(t->n_slots, sizeof *t->slots);
    return t;
}

void brz_trace_destroy(brz_trace *t)
{
    if (t == NULL)
        return;
    free(t->calls);
    free(t->slots);
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

static size_t slot_of(const brz_trace *t, uint32_t parent, brz_frame frame)
{
    uint64_t h = brz_hash_pair(brz_hash_host_keys(), parent, frame);
    size_t mask = t->n_slots - 1, at = (size_t)h & mask;
    for (; t->slots[at] != 0; at = (at + 1) & mask) {
        const call *c = &t->calls[t->slots[at]];
        if (c->parent == parent && c->frame == frame)
            break;
    }
    return at;
}

static void rehash(brz_trace *t)
{
    free(t->slots);
    t->n_slots *= 2;
    t->slots = brz_calloc(t->n_slots, sizeof *t->slots);
    for (size_t i = 1; i < t->n_calls; i++)
        t->slots[slot_of(t, t->calls[i].parent, t->calls[i].frame)] = (uint32_t)i;
}

static uint32_t call_of(brz_trace *t, uint32_t parent, brz_frame frame)
{
    size_t at = slot_of(t, parent, frame);
    if (t->slots[at] != 0)
        return t->slots[at];
    t->calls = brz_grow(t->calls, t->n_calls, &t->calls_cap, sizeof *t->calls);
    t->calls[t->n_calls] =
        (call){.parent = parent, .depth = t->calls[parent].depth + 1, .frame = frame};
    t->slots[at] = (uint32_t)t->n_calls++;
    uint32_t made = t->slots[at];
    if (2 * t->n_calls > t->n_slots)
        rehash(t);
    return made;
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
    call *c = &t->calls[k->top];
    if (k->top != 0)
        c->self = brz_add_saturated(c->self, passed, &t->saturated);
    if (k->top != 0 && t->keeps_samples)
        keep_period(t, k, passed);
    k->time = time;
}

void brz_trace_enter(brz_trace *t, uint64_t id, brz_frame frame, int64_t time)
{
    track *k = track_at(t, id, time);
    pass_time(t, k, time);
    k->top = call_of(t, k->top, frame);
}

bool brz_trace_leave(brz_trace *t, uint64_t id, int64_t time)
{
    track *k = track_at(t, id, time);
    pass_time(t, k, time);
    if (k->top == 0)
        return false;
    k->top = t->calls[k->top].parent;
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

/* The frames of a call, and those of the call whose stack was stored last. */
typedef struct call_path {
    brz_frame *frames;
    size_t n, cap;
    uint32_t stored; /* call; 0: none */
} call_path;

/* Makes `path` that of a call, whose depth is known. Returns BRZ_NESTED if it begins with the path
 * that was stored last, or 0. */
static uint32_t set_path(const brz_trace *t, call_path *to, uint32_t number)
{
    uint32_t at = number;
    to->n = t->calls[number].depth;
    while (to->cap < to->n)
        to->frames = brz_grow(to->frames, to->cap, &to->cap, sizeof *to->frames);
    for (; at != to->stored && at != 0; at = t->calls[at].parent)
        to->frames[t->calls[at].depth - 1] = t->calls[at].frame;
    return at != 0 ? BRZ_NESTED : 0;
}

void brz_trace_finish(brz_trace *t, brz_profile *p, uint32_t weight)
{
    brz_stack *stacks = brz_calloc(t->n_calls, sizeof *stacks);
    call_path path = {0};
    for (size_t i = 1; i < t->n_calls; i++) {
        if (t->calls[i].self == 0)
            continue;
        uint32_t flags = set_path(t, &path, (uint32_t)i);
        stacks[i] = brz_profile_add_stack(p, path.frames, path.n, flags);
        path.stored = (uint32_t)i;
        brz_profile_add_value(p, stacks[i], weight, t->calls[i].self);
    }
    add_samples(t, p, weight, stacks);
    free(stacks);
    p->saturated |= t->saturated;
    free(path.frames);
}
