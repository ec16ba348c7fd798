/* SPDX-License-Identifier: MIT */
/* Writes threads with their samples. */
#include "profile.h"

/* The samples of a thread being written. */
typedef struct samples {
    profile *profile;
    const track *track; /* NULL: the sums of all paths */
    uint32_t weight;
    axis axis;
    uint64_t at;   /* the next path, or the next piece of the track */
    uint64_t n;    /* number of samples read since the start */
    uint32_t path; /* of the sample read last, from 1; 0: no frames */
    int64_t value, time;
} samples;

/* Returns the profiler's display type for a weight. */
static const char *weight_type(const brz_column_info *info)
{
    if (axis_is_time(info->unit))
        return "tracing-ms";
    return brz_str_is(info->unit, "bytes") ? "bytes" : "samples";
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Starts with the first sample, and begins a column. */
static void start(samples *s, const char *name)
{
    brz_put_text(&s->profile->w, name);
    s->at = s->n = 0;
}

/* Reads the next path that has a sum. */
static bool next_sum(samples *s)
{
    const paths *all = &s->profile->paths;
    for (; s->at <= all->items.n; s->at++) {
        s->path = (uint32_t)s->at;
        s->value = path_self(all, s->path, s->weight);
        if (s->value == 0)
            continue;
        s->at++;
        return true;
    }
    return false;
}

static bool next_piece(samples *s)
{
    piece p;
    if (!tracks_next(&s->profile->tracks, s->track, &s->at, &p))
        return false;
    s->path = s->profile->paths.of_stack[p.stack];
    s->value = p.value;
    s->time = p.time;
    return true;
}

/* Reads the next sample, and writes the separator before a value of its column. Returns false at
 * the end. */
static bool next_sample(samples *s)
{
    if (s->profile->w.rc != BRZ_OK || !(s->track == NULL ? next_sum(s) : next_piece(s)))
        return false;
    if (s->n++ > 0)
        brz_put_char(&s->profile->w, ',');
    return true;
}

static void put_stacks(samples *s)
{
    start(s, "\"stack\":[");
    while (next_sample(s))
        if (s->path == 0)
            BRZ_PUT(&s->profile->w, "null");
        else
            brz_put_u64(&s->profile->w, s->path - 1);
}

static void put_weights(samples *s)
{
    brz_writer *w = &s->profile->w;
    start(s, "],\n\"weight\":[");
    while (next_sample(s)) {
        if (s->value < 0)
            brz_put_char(w, '-');
        put_on_axis(w, s->axis, s->value < 0 ? 0 - (uint64_t)s->value : (uint64_t)s->value);
    }
}

/* Writes the times of samples, from the beginning of the recording on. Without times, each sample
 * lasts as long as its weight, and the next one follows it. */
static void put_times(samples *s)
{
    int64_t clock = s->profile->tree->metadata->clock_start;
    uint64_t now = 0;
    start(s, "],\n\"time\":[");
    while (next_sample(s)) {
        if (s->track != NULL && s->track->timed)
            brz_put_scaled(&s->profile->w, (int64_t)((uint64_t)s->time - (uint64_t)clock),
                           NANOSECONDS);
        else
            put_on_axis(&s->profile->w, s->axis, now);
        now += axis_length(s->value);
    }
}

/* Writes the samples of a track, or the sums of a weight if it is NULL. */
static void put_samples(profile *p, uint32_t weight, const track *from)
{
    const brz_column_info *info = brz_column_at(p->tree, weight);
    samples s = {.profile = p, .track = from, .weight = weight};
    s.axis = axis_of_samples(info);
    BRZ_PUT(&p->w, "\"samples\":{\"weightType\":\"");
    brz_put_text(&p->w, weight_type(info));
    BRZ_PUT(&p->w, "\",\n");
    put_stacks(&s);
    put_weights(&s);
    put_times(&s);
    BRZ_PUT(&p->w, "],\"length\":");
    brz_put_u64(&p->w, s.n);
    brz_put_char(&p->w, '}');
}

/* ---- threads ------------------------------------------------------------------------------- */

/* Names a thread. */
typedef struct identity {
    brz_str name, process_name;
    int64_t process, thread;
    bool is_main;
} identity;

static void put_identity(profile *p, const identity *i)
{
    BRZ_PUT(&p->w, "\n{\"name\":");
    brz_put_json(&p->w, i->name);
    BRZ_PUT(&p->w, ",\"processName\":");
    brz_put_json(&p->w, i->process_name);
    BRZ_PUT(&p->w, ",\"pid\":\"");
    brz_put_i64(&p->w, i->process);
    BRZ_PUT(&p->w, "\",\"tid\":");
    brz_put_i64(&p->w, i->thread);
    brz_put_text(&p->w, i->is_main ? ",\"isMainThread\":true" : ",\"isMainThread\":false");
    BRZ_PUT(&p->w, ",\"processType\":\"default\",\"processStartupTime\":0,"
                   "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
                   "\"pausedRanges\":[],\"showMarkersInTimeline\":");
    brz_put_text(&p->w, p->labels.n > 1 ? "true,\n" : "false,\n");
}

/* Writes the facts for which the profiler has no place, for brazier's own reader. */
static void put_origin(profile *p, const track *from)
{
    const thread *owner = &p->tracks.threads[from->thread];
    const brz_column_info *info = brz_column_at(p->tree, from->weight);
    BRZ_PUT(&p->w, "\"brazier\":{\"weight\":");
    brz_put_json(&p->w, info->name);
    BRZ_PUT(&p->w, ",\"unit\":");
    brz_put_json(&p->w, info->unit);
    if (owner->tag->flags & BRZ_TAG_PROCESS) {
        BRZ_PUT(&p->w, ",\"pid\":");
        brz_put_i64(&p->w, owner->tag->process);
    }
    if (owner->tag->flags & BRZ_TAG_THREAD) {
        BRZ_PUT(&p->w, ",\"tid\":");
        brz_put_i64(&p->w, owner->tag->thread);
    }
    BRZ_PUT(&p->w, ",\"process\":");
    brz_put_json(&p->w, owner->tag->process_name);
    BRZ_PUT(&p->w, ",\"thread\":");
    brz_put_json(&p->w, owner->tag->thread_name);
    brz_put_text(&p->w, from->timed ? ",\"timed\":true},\n" : "},\n");
}

static void put_track(profile *p, const track *from)
{
    const thread *owner = &p->tracks.threads[from->thread];
    identity i = {.name = tracks_name(&p->tracks, p->ctx, from, false),
                  .process_name = owner->process_name.len > 0 ? owner->process_name : p->name,
                  .process = owner->process,
                  .thread = from->id,
                  .is_main = from->id == owner->process};
    put_identity(p, &i);
    put_markers(p, from);
    put_origin(p, from);
    put_samples(p, from->weight, from);
}

static void put_weight(profile *p, uint32_t weight)
{
    identity i = {.name = brz_column_at(p->tree, weight)->name,
                  .process_name = p->name,
                  .process = 1,
                  .thread = weight + INT64_C(1),
                  .is_main = weight == p->tree->main_column};
    put_identity(p, &i);
    put_markers(p, NULL);
    put_samples(p, weight, NULL);
}

void put_threads(profile *p)
{
    uint32_t n = p->by_thread ? p->tracks.n : p->tree->n_columns;
    BRZ_PUT(&p->w, ",\n\"pages\":[],\"threads\":[");
    for (uint32_t i = 0; i < n && p->w.rc == BRZ_OK; i++) {
        if (i > 0)
            brz_put_char(&p->w, ',');
        if (p->by_thread)
            put_track(p, &p->tracks.items[i]);
        else
            put_weight(p, i);
        brz_put_char(&p->w, '}');
    }
    BRZ_PUT(&p->w, "]}\n");
}
