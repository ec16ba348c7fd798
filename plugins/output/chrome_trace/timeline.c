/* SPDX-License-Identifier: MIT */
/* Writes the calls of threads as events that begin ("B") and end ("E").
 *
 *     event := {"ph": "B", "pid": n, "tid": n, "ts": µs, "name": …, "cat": kind, "args": {…}}
 *            | {"ph": "E", "pid": n, "tid": n, "ts": µs}
 *
 * A sample lasts as long as its value, from its time on. A frame stays open from one sample to the
 * next one of the thread if that follows at once and has the same labels, which are arguments of
 * the outermost frame. Each weight of a thread is a thread of its own.
 */
#include "../common/axis.h"
#include "../common/calls.h"
#include "../common/intervals.h"
#include "trace.h"

/* The track being written. */
typedef struct line {
    trace *trace;
    const tracks *tracks;
    const track *track;
    bool real;           /* positions are times in nanoseconds, rather than sums of values */
    intervals intervals; /* if they are times */
    axis axis;           /* if they are sums */
} line;

static void put_head(line *l, const char *phase, int64_t at)
{
    brz_writer *w = &l->trace->w;
    brz_put_text(w, phase);
    brz_put_i64(w, l->tracks->threads[l->track->thread].process);
    BRZ_PUT(w, ",\"tid\":");
    brz_put_i64(w, l->track->id);
    BRZ_PUT(w, ",\"ts\":");
    if (l->real)
        brz_put_scaled(w, at, 3);
    else
        put_on_axis(w, l->axis, (uint64_t)at);
}

/* Ends the frames of a stack but the first `shared` ones. */
static void put_ends(line *l, const brz_stack_info *s, uint32_t shared, int64_t at)
{
    for (uint32_t k = shared; s != NULL && k < s->n; k++) {
        put_head(l, ",\n{\"ph\":\"E\",\"pid\":", at);
        brz_put_char(&l->trace->w, '}');
    }
}

static void put_begins(line *l, const brz_stack_info *s, uint32_t shared, int64_t at,
                       const brz_tag_info *labels)
{
    for (uint32_t k = shared; k < s->n; k++) {
        put_head(l, ",\n{\"ph\":\"B\",\"pid\":", at);
        put_frame(l->trace, s->frames[k], k == 0 ? labels : NULL);
    }
}

/* Writes the calls of a track. A sample begins at its time, but not before the one before it ends.
 */
static void put_calls(line *l)
{
    const brz_stack_info *open = NULL;
    uint32_t labels = 0; /* of the open stack */
    int64_t end = l->real ? l->intervals.start : 0;
    piece p;
    for (uint64_t at = 0; l->trace->w.rc == BRZ_OK && tracks_next(l->tracks, l->track, &at, &p);) {
        const brz_stack_info *s = brz_stack_at(l->trace->tree, p.stack);
        int64_t length =
            l->real ? intervals_length(&l->intervals, p.value) : (int64_t)axis_length(p.value);
        int64_t begin = l->real && p.time > end ? p.time : end;
        if (length == 0)
            continue;
        bool continues = begin == end && p.labels == labels;
        uint32_t shared = continues ? intervals_shared(open, s) : 0;
        put_ends(l, open, shared, end);
        put_begins(l, s, shared, begin, tracks_labels_at(l->tracks, p.labels));
        open = s;
        labels = p.labels;
        end = add_saturated(begin, length);
    }
    put_ends(l, open, 0, end);
}

/* Returns whether samples can be where their times are: together they are not longer than the time
 * in which they were taken. */
static bool fits(const line *l)
{
    int64_t span;
    return l->track->timed && l->intervals.nanoseconds > 0 &&
           !__builtin_sub_overflow(l->intervals.end, l->intervals.start, &span) &&
           l->intervals.length <= span;
}

/* ---- names --------------------------------------------------------------------------------- */

/* Writes the origin of a track, which viewers ignore, for brazier's own reader. */
static void put_origin(line *l)
{
    brz_writer *w = &l->trace->w;
    const thread *owner = &l->tracks->threads[l->track->thread];
    const brz_column_info *info = brz_column_at(l->trace->tree, l->track->weight);
    BRZ_PUT(w, ",\n{\"ph\":\"M\",\"pid\":");
    brz_put_i64(w, owner->process);
    BRZ_PUT(w, ",\"tid\":");
    brz_put_i64(w, l->track->id);
    BRZ_PUT(w, ",\"name\":\"brazier\",\"args\":{\"weight\":");
    brz_put_json(w, info->name);
    if (owner->tag->flags & BRZ_TAG_PROCESS) {
        BRZ_PUT(w, ",\"pid\":");
        brz_put_i64(w, owner->tag->process);
    }
    if (owner->tag->flags & BRZ_TAG_THREAD) {
        BRZ_PUT(w, ",\"tid\":");
        brz_put_i64(w, owner->tag->thread);
    }
    BRZ_PUT(w, ",\"process\":");
    brz_put_json(w, owner->tag->process_name);
    BRZ_PUT(w, ",\"thread\":");
    brz_put_json(w, owner->tag->thread_name);
    brz_put_text(w, l->real ? ",\"timed\":true" : "");
    brz_put_text(w, l->track->shown ? ",\"shown\":true}}" : "}}");
}

/* Writes the names of a track and, with `process`, of its process. */
static void put_names(line *l, bool process)
{
    trace *t = l->trace;
    const thread *owner = &l->tracks->threads[l->track->thread];
    bool known = (owner->tag->flags & BRZ_TAG_PROCESS) != 0;
    brz_str name = owner->process_name;
    if (name.len == 0 && !known)
        name = t->options->name;
    if (l->track > l->tracks->items)
        brz_put_char(&t->w, ',');
    if (process && name.len > 0) {
        put_name(t, "process_name", owner->process, l->track->id, name);
        brz_put_char(&t->w, ',');
    }
    put_name(t, "thread_name", owner->process, l->track->id,
             tracks_name(l->tracks, t->ctx, l->track, false));
    put_origin(l);
}

/* ---- all ----------------------------------------------------------------------------------- */

static line line_of(trace *t, const tracks *all, const track *of)
{
    const options *o = t->options;
    line l = {.trace = t, .tracks = all, .track = of};
    l.axis = axis_of(brz_column_at(t->tree, of->weight), o->count_as, MICROSECONDS);
    if (of->timed)
        l.intervals = intervals_of(all, of, o->count_as);
    l.real = fits(&l);
    return l;
}

/* Warns if a track has a negative weight. */
static void check_weights(const trace *t, const tracks *all)
{
    bool is_negative = false;
    piece p;
    for (uint32_t i = 0; i < all->n; i++)
        for (uint64_t at = 0; tracks_next(all, &all->items[i], &at, &p);)
            is_negative |= p.value < 0;
    if (is_negative)
        axis_report_negative(t->ctx);
}

void put_timeline(trace *t, const tracks *all)
{
    int64_t process = 0;
    bool squeezed = false;
    check_weights(t, all);
    for (uint32_t i = 0; i < all->n; i++) {
        line l = line_of(t, all, &all->items[i]);
        int64_t own = all->threads[l.track->thread].process;
        put_names(&l, i == 0 || own != process);
        process = own;
        squeezed |= l.track->timed && l.track->shown && !l.real;
    }
    if (squeezed)
        brz_output_report(
            t->ctx, BRZ_NOTE, "chrome-trace.times",
            BRZ_STR("the samples of a thread are longer than the time in which they were taken: "
                    "they follow one another, without their times (see count-as)"));
    for (uint32_t i = 0; i < all->n && t->w.rc == BRZ_OK; i++) {
        line l = line_of(t, all, &all->items[i]);
        put_calls(&l);
    }
}
