/* SPDX-License-Identifier: MIT */
/* Writes the output "speedscope": stacks and weights in speedscope's file format, with a profile
 * for each weight; or for each thread, set of labels and weight if the profile has threads, times
 * or labels.
 *
 *     profile := {"type": "sampled", "name": …, "unit": …, "startValue": n, "endValue": n,
 *                 "samples": [[frame, …], …], "weights": [n, …]}
 *              | {"type": "evented", …, "events": [{"type": "O"|"C", "frame": n, "at": n}, …]}
 *
 * A profile of the second form keeps the gaps between samples whose values are times. All others
 * are of the first form, in which each sample begins where the one before it ends. The member
 * "brazier" of a profile, which speedscope ignores, tells brazier's own reader the weight and the
 * thread, and scripts the labels.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/write.h>

#include "common/calls.h"
#include "../common/shipped.h"
#include "common/axis.h"
#include "common/intervals.h"
#include "common/tracks.h"

/* Maximum number of sets of labels. A reader chooses among the profiles from a list. */
#define MOST_LABELS 256

typedef struct options {
    brz_str name;
} options;

/* State of one file being written. */
typedef struct file {
    brz_writer w;
    brz_output_ctx *ctx;
    const brz_tree *tree;
    label_sets labels;
    tracks tracks;
    bool first; /* nothing of the current list has been written yet */
} file;

/* ---- frames -------------------------------------------------------------------------------- */

static void put_frames(file *f)
{
    brz_writer *w = &f->w;
    BRZ_PUT(w, "\"shared\":{\"frames\":[");
    for (uint32_t i = 0; i < f->tree->n_frames && w->rc == BRZ_OK; i++) {
        const brz_frame_info *info = brz_frame_at(f->tree, i);
        brz_put_text(w, i > 0 ? ",\n{\"name\":" : "\n{\"name\":");
        brz_put_json(w, brz_display_name(info));
        if (info->file.len > 0 || info->module.len > 0) {
            BRZ_PUT(w, ",\"file\":");
            brz_put_json(w, info->file.len > 0 ? info->file : info->module);
        }
        if (info->line > 0) {
            BRZ_PUT(w, ",\"line\":");
            brz_put_u64(w, info->line);
        }
        if (info->column > 0) {
            BRZ_PUT(w, ",\"col\":");
            brz_put_u64(w, info->column);
        }
        brz_put_char(w, '}');
    }
    BRZ_PUT(w, "]}");
}

/* Returns speedscope's name for a unit, or "none" for other units. */
static const char *unit_word(brz_str unit)
{
    static const char *const known[] = {"nanoseconds", "microseconds", "milliseconds", "seconds",
                                        "bytes"};
    size_t i = brz_str_index(unit, known, BRZ_COUNT_OF(known));
    return i < BRZ_COUNT_OF(known) ? known[i] : "none";
}

/* Writes the separator before an item of a list. */
static void separate(file *f, const char *separator)
{
    brz_put_text(&f->w, f->first ? separator + 1 : separator);
    f->first = false;
}

static void put_stack(file *f, const brz_stack_info *s)
{
    separate(f, ",\n[");
    for (uint32_t k = 0; k < s->n; k++) {
        if (k > 0)
            brz_put_char(&f->w, ',');
        brz_put_u64(&f->w, s->frames[k]);
    }
    brz_put_char(&f->w, ']');
}

/* ---- sums ---------------------------------------------------------------------------------- */

static void put_samples(file *f, uint32_t weight)
{
    f->first = true;
    BRZ_PUT(&f->w, ",\n\"samples\":[");
    for (uint32_t i = 0; i < f->tree->n_stacks && f->w.rc == BRZ_OK; i++)
        if (brz_stack_at(f->tree, i)->values[weight] != 0)
            put_stack(f, brz_stack_at(f->tree, i));
    brz_put_char(&f->w, ']');
}

static void put_weights(file *f, uint32_t weight, uint32_t decimals)
{
    f->first = true;
    BRZ_PUT(&f->w, ",\n\"weights\":[");
    for (uint32_t i = 0; i < f->tree->n_stacks && f->w.rc == BRZ_OK; i++) {
        int64_t value = brz_stack_at(f->tree, i)->values[weight];
        if (value == 0)
            continue;
        separate(f, ",");
        brz_put_scaled(&f->w, value, decimals);
    }
    brz_put_char(&f->w, ']');
}

static void put_profile(file *f, uint32_t weight)
{
    const brz_column_info *info = brz_column_at(f->tree, weight);
    brz_put_text(&f->w, weight > 0 ? ",\n{\"type\":\"sampled\",\"name\":"
                                   : "\n{\"type\":\"sampled\",\"name\":");
    brz_put_json(&f->w, info->name);
    BRZ_PUT(&f->w, ",\"unit\":\"");
    brz_put_text(&f->w, unit_word(info->unit));
    BRZ_PUT(&f->w, "\",\"startValue\":0,\"endValue\":");
    brz_put_scaled(&f->w, info->total, info->decimals);
    put_samples(f, weight);
    put_weights(f, weight, info->decimals);
    brz_put_char(&f->w, '}');
}

/* ---- tracks -------------------------------------------------------------------------------- */

static void put_id(file *f, const char *key, bool known, int64_t id)
{
    if (!known)
        return;
    brz_put_text(&f->w, key);
    brz_put_i64(&f->w, id);
}

/* Writes the facts for which speedscope's format has no place. */
static void put_origin(file *f, const track *t, bool timed)
{
    const brz_tag_info *tag = f->tracks.threads[t->thread].tag;
    const brz_column_info *info = brz_column_at(f->tree, t->weight);
    BRZ_PUT(&f->w, "\"brazier\":{\"weight\":");
    brz_put_json(&f->w, info->name);
    brz_put_member(&f->w, ",\"unit\":", info->unit);
    put_id(f, ",\"pid\":", (tag->flags & BRZ_TAG_PROCESS) != 0, tag->process);
    brz_put_member(&f->w, ",\"process\":", tag->process_name);
    put_id(f, ",\"tid\":", (tag->flags & BRZ_TAG_THREAD) != 0, tag->thread);
    brz_put_member(&f->w, ",\"thread\":", tag->thread_name);
    if (f->tracks.is_by_labels && tag->n_labels > 0) {
        BRZ_PUT(&f->w, ",\"labels\":");
        label_set_put(&f->w, tag);
    }
    brz_put_text(&f->w, timed ? ",\"timed\":true},\n" : "},\n");
}

/* Writes a time in the unit of a weight. */
static void put_time(file *f, const track *t, int64_t time)
{
    int32_t digits = axis_digits(brz_column_at(f->tree, t->weight)->unit);
    brz_put_scaled(&f->w, time, (uint32_t)(9 - digits));
}

static void put_head(file *f, const track *t, const char *type, bool timed)
{
    const brz_column_info *info = brz_column_at(f->tree, t->weight);
    brz_put_text(&f->w, t > f->tracks.items ? ",\n{\"type\":\"" : "\n{\"type\":\"");
    brz_put_text(&f->w, type);
    BRZ_PUT(&f->w, "\",\"name\":");
    brz_put_json(&f->w, tracks_name(&f->tracks, f->ctx, t, true));
    BRZ_PUT(&f->w, ",\"unit\":\"");
    brz_put_text(&f->w, unit_word(info->unit));
    BRZ_PUT(&f->w, "\",");
    put_origin(f, t, timed);
}

/* Writes a track as samples. `v` are the intervals of its times, or NULL if their times are unknown
 * or cannot be kept. */
static void put_sampled(file *f, const track *t, const intervals *v)
{
    uint32_t decimals = brz_column_at(f->tree, t->weight)->decimals;
    piece p;
    put_head(f, t, "sampled", v != NULL);
    BRZ_PUT(&f->w, "\"startValue\":");
    put_time(f, t, v == NULL ? 0 : v->start);
    BRZ_PUT(&f->w, ",\"endValue\":");
    if (v == NULL)
        brz_put_scaled(&f->w, t->total, decimals);
    else
        put_time(f, t, v->end);
    BRZ_PUT(&f->w, ",\n\"samples\":[");
    f->first = true;
    for (uint64_t at = 0; f->w.rc == BRZ_OK && tracks_next(&f->tracks, t, &at, &p);)
        put_stack(f, brz_stack_at(f->tree, p.stack));
    BRZ_PUT(&f->w, "],\n\"weights\":[");
    f->first = true;
    for (uint64_t at = 0; f->w.rc == BRZ_OK && tracks_next(&f->tracks, t, &at, &p);) {
        separate(f, ",");
        brz_put_scaled(&f->w, p.value, decimals);
    }
    BRZ_PUT(&f->w, "]}");
}

/* Writes events that end the frames of a stack from the innermost one to number `from`, or begin
 * them from there. */
static void put_events(file *f, const track *t, const brz_stack_info *s, uint32_t from, bool begin,
                       int64_t time)
{
    for (uint32_t k = from; s != NULL && k < s->n; k++) {
        separate(f, ",\n{\"type\":\"");
        brz_put_text(&f->w, begin ? "O\",\"frame\":" : "C\",\"frame\":");
        brz_put_u64(&f->w, s->frames[begin ? k : s->n - 1 - (k - from)]);
        BRZ_PUT(&f->w, ",\"at\":");
        put_time(f, t, time);
        brz_put_char(&f->w, '}');
    }
}

/* Writes a track as events: frames stay open from one sample to the next one if it follows at once.
 */
static void put_evented(file *f, const track *t, const intervals *v)
{
    const brz_stack_info *open = NULL;
    int64_t end = v->start;
    piece p;
    put_head(f, t, "evented", true);
    BRZ_PUT(&f->w, "\"startValue\":");
    put_time(f, t, v->start);
    BRZ_PUT(&f->w, ",\"endValue\":");
    put_time(f, t, v->end);
    BRZ_PUT(&f->w, ",\n\"events\":[");
    f->first = true;
    for (uint64_t at = 0; f->w.rc == BRZ_OK && tracks_next(&f->tracks, t, &at, &p);) {
        const brz_stack_info *s = brz_stack_at(f->tree, p.stack);
        uint32_t shared = p.time == end ? intervals_shared(open, s) : 0;
        put_events(f, t, open, shared, false, end);
        put_events(f, t, s, shared, true, p.time);
        open = s;
        end = add_saturated(p.time, intervals_length(v, p.value));
    }
    put_events(f, t, open, 0, false, end);
    BRZ_PUT(&f->w, "]}");
}

/* Writes a track. Times are kept if values are times, too, and no sample begins before the one
 * before it ends. */
static void put_track(file *f, const track *t)
{
    bool is_time = axis_is_time(brz_column_at(f->tree, t->weight)->unit);
    if (!t->timed || !is_time) {
        put_sampled(f, t, NULL);
        return;
    }
    intervals v = intervals_of(&f->tracks, t, 0);
    if (v.nanoseconds == 0 || v.overlap || v.negative)
        put_sampled(f, t, NULL);
    else if (v.apart && !v.rootless)
        put_evented(f, t, &v);
    else
        put_sampled(f, t, v.apart ? NULL : &v);
}

/* ---- file ---------------------------------------------------------------------------------- */

/* Finds the tracks, by labels unless there are too many. Returns whether it found one. */
static bool find_tracks(file *f)
{
    label_sets_init(&f->labels, f->ctx, f->tree);
    bool has_room = f->labels.n - 1 <= MOST_LABELS;
    if (!has_room)
        brz_output_report(f->ctx, BRZ_NOTE, "speedscope.labels",
                          BRZ_STR("the samples have more than 256 different sets of labels, which "
                                  "are left out (--group-by makes one of the labels frames)"));
    return tracks_init(&f->tracks, f->ctx, f->tree, has_room ? &f->labels : NULL, TRACKS_BY_LABELS);
}

static brz_rc write_speedscope(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    file f = {.ctx = ctx, .tree = tree};
    const options *o = ctx->cfg;
    bool by_thread = find_tracks(&f);
    if (axis_has_negative(tree))
        brz_output_report(ctx, BRZ_NOTE, "output.negative",
                          BRZ_STR("negative weights are kept, but the program speedscope refuses "
                                  "them; svg and html draw gains and losses"));
    brz_writer_init(&f.w, ctx, sink);
    BRZ_PUT(&f.w, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                  "\"exporter\":\"brazier@" BRZ_SHIPPED_VERSION "\",\n\"name\":");
    brz_put_json(&f.w, o->name);
    BRZ_PUT(&f.w, ",\n\"activeProfileIndex\":");
    brz_put_u64(&f.w, by_thread ? f.tracks.heaviest : tree->main_column);
    BRZ_PUT(&f.w, ",\n");
    put_frames(&f);
    BRZ_PUT(&f.w, ",\n\"profiles\":[");
    for (uint32_t i = 0; !by_thread && i < tree->n_columns; i++)
        put_profile(&f, i);
    for (uint32_t i = 0; by_thread && i < f.tracks.n; i++)
        put_track(&f, &f.tracks.items[i]);
    BRZ_PUT(&f.w, "]}\n");
    return brz_writer_finish(&f.w);
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "name", STR, name, "profile", "name of the profile in speedscope"),
};

static const char *const endings[] = {"speedscope.json", "speedscope", NULL};

SHIPPED_WRITER(write_speedscope, "application/json",
               BRZ_OUTPUT_STACKS | BRZ_OUTPUT_TIME | BRZ_OUTPUT_FRAMES)

SHIPPED_PLUGIN("speedscope", BRZ_OUTPUT, &output,
               .summary = "a profile for speedscope, with every weight and thread of the input",
               BRZ_OPTIONS(option_table, options))
