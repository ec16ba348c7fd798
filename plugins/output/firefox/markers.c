/* SPDX-License-Identifier: MIT */
/* Writes the labels of samples as markers.
 *
 *     markers := {"data": [{"type": "label", "label": text "key=value"}*],
 *                 "name": [text of key*], "startTime": [ms*], "endTime": [ms*],
 *                 "phase": [1*], "category": [0*], "length": n}
 *
 * A run of samples with the same labels has a marker for each of them, from its first sample to the
 * first one of the next run, or to a millisecond after its last one. The profiler counts the
 * samples from the start of a marker on that are before its end, so that it can show those with a
 * label.
 */
#include "../common/axis.h"
#include "profile.h"

#define MILLISECOND INT64_C(1000000) /* in nanoseconds */

/* Consecutive samples with the same labels. */
typedef struct run {
    uint32_t labels;
    int64_t start, end; /* in nanoseconds, or as a sum of weights */
} run;

typedef struct runs {
    profile *profile;
    const track *track;
    run *items;
    size_t n;
} runs;

/* Finds the runs of a track. Stores them in `items` unless that is NULL. */
static void find_runs(runs *r)
{
    const tracks *t = &r->profile->tracks;
    uint64_t clock = (uint64_t)r->profile->tree->metadata->clock_start, now = 0;
    uint32_t labels = 0;
    piece x;
    r->n = 0;
    for (uint64_t at = 0; tracks_next(t, r->track, &at, &x);) {
        uint64_t start = r->track->timed ? (uint64_t)x.time - clock : now;
        now = r->track->timed ? start + MILLISECOND : start + axis_length(x.value);
        bool is_new = r->n == 0 || x.labels != labels;
        if (is_new && r->n++ > 0 && r->items != NULL)
            r->items[r->n - 2].end = (int64_t)start;
        labels = x.labels;
        if (r->items == NULL)
            continue;
        if (is_new)
            r->items[r->n - 1] = (run){.labels = labels, .start = (int64_t)start};
        r->items[r->n - 1].end = (int64_t)now;
    }
}

static const brz_tag_info *tag_of(const runs *r, const run *of)
{
    return tracks_labels_at(&r->profile->tracks, of->labels);
}

void add_texts_of_labels(profile *p)
{
    brz_output_ctx *ctx = p->ctx;
    p->texts_of_labels = ctx->host->alloc(ctx, p->labels.n * sizeof *p->texts_of_labels, 0);
    for (uint32_t i = 1; i < p->labels.n; i++) {
        const brz_tag_info *tag = p->labels.items[i];
        uint32_t *numbers = ctx->host->alloc(ctx, tag->n_labels * sizeof *numbers, 0);
        for (uint32_t k = 0; k < tag->n_labels; k++) {
            texts_add(&p->functions.texts, brz_label_at(tag, k)->key);
            numbers[k] = texts_add(&p->functions.texts, label_text(ctx, brz_label_at(tag, k)));
        }
        p->texts_of_labels[i] = numbers;
    }
}

/* ---- columns ------------------------------------------------------------------------------- */

/* Writes the value of a marker in a column, which is that of label `i` of a run. */
typedef void put_value(const runs *r, const run *of, uint32_t i);

static void put_data(const runs *r, const run *of, uint32_t i)
{
    BRZ_PUT(&r->profile->w, "{\"type\":\"label\",\"label\":");
    brz_put_u64(&r->profile->w, r->profile->texts_of_labels[of->labels][i]);
    brz_put_char(&r->profile->w, '}');
}

static void put_name(const runs *r, const run *of, uint32_t i)
{
    brz_str key = brz_label_at(tag_of(r, of), i)->key;
    brz_put_u64(&r->profile->w, texts_add(&r->profile->functions.texts, key));
}

static void put_time(const runs *r, int64_t time)
{
    profile *p = r->profile;
    if (r->track->timed)
        brz_put_scaled(&p->w, time, NANOSECONDS);
    else
        put_on_axis(&p->w, axis_of_samples(brz_column_at(p->tree, r->track->weight)),
                    (uint64_t)time);
}

static void put_start(const runs *r, const run *of, uint32_t i)
{
    (void)i;
    put_time(r, of->start);
}

static void put_end(const runs *r, const run *of, uint32_t i)
{
    (void)i;
    put_time(r, of->end);
}

/* Writes the phase of markers that have a start and an end. */
static void put_phase(const runs *r, const run *of, uint32_t i)
{
    (void)of;
    (void)i;
    brz_put_char(&r->profile->w, '1');
}

static void put_category(const runs *r, const run *of, uint32_t i)
{
    (void)of;
    (void)i;
    brz_put_char(&r->profile->w, '0');
}

/* Writes a column. Returns the number of markers. */
static uint64_t put_column(const runs *r, const char *name, put_value *value)
{
    brz_writer *w = &r->profile->w;
    uint64_t n = 0;
    brz_put_text(w, name);
    BRZ_PUT(w, ":[");
    for (size_t i = 0; i < r->n && w->rc == BRZ_OK; i++) {
        const brz_tag_info *tag = tag_of(r, &r->items[i]);
        for (uint32_t k = 0; tag != NULL && k < tag->n_labels; k++) {
            if (n++ > 0)
                brz_put_char(w, ',');
            value(r, &r->items[i], k);
        }
    }
    BRZ_PUT(w, "],");
    return n;
}

void put_markers(profile *p, const track *from)
{
    runs r = {.profile = p, .track = from};
    if (from != NULL && p->labels.n > 1) {
        find_runs(&r);
        r.items = p->ctx->host->alloc(p->ctx, r.n * sizeof *r.items, 0);
        find_runs(&r);
    }
    BRZ_PUT(&p->w, "\"markers\":{");
    put_column(&r, "\"data\"", put_data);
    put_column(&r, "\"name\"", put_name);
    put_column(&r, "\"startTime\"", put_start);
    put_column(&r, "\"endTime\"", put_end);
    put_column(&r, "\"phase\"", put_phase);
    uint64_t n = put_column(&r, "\"category\"", put_category);
    BRZ_PUT(&p->w, "\"length\":");
    brz_put_u64(&p->w, n);
    BRZ_PUT(&p->w, "},\n");
}
