/* SPDX-License-Identifier: MIT */
/* Writes single samples of the run's weight, so that the page can sum up a part of them.
 *
 *     {"start": time of the first sample in nanoseconds,
 *      "tick": nanoseconds of a unit of "time"; 0: there are no times,
 *      "tags": [{"process", "thread", "cpu": [name] or [name, id],
 *                "labels": [[key, text] or [key, unit, number], …]}, …],
 *      "tag", "n": by run of samples with the same tag: this tag, and their number,
 *      "calls": the calls that end stacks, frequent ones first,
 *      "time": ticks since the sample before it in its run; the first one's since the start,
 *      "call": index into "calls", and the values: see values.c,
 *      "signs": if some values are losses, lengths of runs of gains and of losses, in turn}
 *
 * Samples are sorted by tag, then by time. A tick is as long as the recording permits, and values
 * get the characters that times and calls leave, so that a sample takes at most four.
 */
#include "document.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_TICKS   200000  /* in a recording, unless it is long */
#define LONGEST_TICK 1000000 /* nanoseconds */
#define SAMPLE_SIZE  4       /* characters, on average */

typedef struct single {
    int64_t time, value; /* the value has no sign */
    uint32_t tag, stack;
    bool is_loss;
} single;

typedef struct samples {
    html_page *page;
    single *items; /* sorted by tag */
    size_t n;
    uint32_t *ends;    /* indexed by stack: its last call */
    uint32_t *by_rank; /* calls that end stacks, by number of samples */
    uint32_t *rank_of; /* indexed by call */
    uint32_t n_ends;
    size_t n_losses;
    int64_t start, tick;
} samples;

/* ---- collection ---------------------------------------------------------------------------- */

/* Stores the samples that count, in the order of the tree. Finds when they start and how long they
 * last; without the time of one of them, there are no times. */
static void gather(samples *s)
{
    const brz_tree *tree = s->page->tree;
    int64_t end = INT64_MIN;
    bool is_timed = true;
    s->items =
        s->page->ctx->host->alloc(s->page->ctx, (size_t)tree->n_samples * sizeof *s->items, 0);
    s->start = INT64_MAX;
    for (uint64_t i = 0; i < tree->n_samples; i++) {
        const brz_sample_info *from = brz_sample_at(tree, i);
        int64_t value = from->values[tree->main_column];
        if (value == 0)
            continue;
        bool is_loss = value < 0;
        value = value == INT64_MIN ? INT64_MAX : is_loss ? -value : value;
        s->items[s->n++] = (single){from->time, value, from->tag, from->stack, is_loss};
        s->n_losses += is_loss;
        is_timed &= (from->flags & BRZ_TIMED) != 0;
        s->start = from->time < s->start ? from->time : s->start;
        end = from->time > end ? from->time : end;
    }
    if (!is_timed || s->n == 0)
        return;
    uint64_t length = (uint64_t)end - (uint64_t)s->start;
    for (s->tick = 1; s->tick < LONGEST_TICK && length / (uint64_t)s->tick >= MOST_TICKS;)
        s->tick = (int64_t)html_next_step((uint64_t)s->tick);
}

/* Sorts the samples by tag; those of a tag keep their order. */
static void sort_by_tag(samples *s)
{
    html_page *p = s->page;
    size_t n_tags = (size_t)p->tree->n_tags;
    size_t *next = p->ctx->host->alloc(p->ctx, (n_tags + 2) * sizeof *next, 0);
    single *sorted = p->ctx->host->alloc(p->ctx, s->n * sizeof *sorted, 0);
    for (size_t i = 0; i < s->n; i++)
        next[s->items[i].tag + 1]++;
    for (size_t tag = 1; tag <= n_tags; tag++)
        next[tag] += next[tag - 1];
    for (size_t i = 0; i < s->n; i++)
        sorted[next[s->items[i].tag]++] = s->items[i];
    s->items = sorted;
}

/* ---- calls --------------------------------------------------------------------------------- */

/* A call with its number of samples. */
typedef struct ranked {
    uint32_t call, samples;
} ranked;

static int by_samples(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->samples != y->samples)
        return x->samples > y->samples ? -1 : 1;
    return (x->call > y->call) - (x->call < y->call);
}

/* Ranks the calls that end stacks by their number of samples. */
static void rank_calls(samples *s)
{
    html_page *p = s->page;
    ranked *all = p->ctx->host->alloc(p->ctx, p->calls.n * sizeof *all, 0);
    s->by_rank = p->ctx->host->alloc(p->ctx, p->calls.n * sizeof *s->by_rank, 0);
    s->rank_of = p->ctx->host->alloc(p->ctx, p->calls.n * sizeof *s->rank_of, 0);
    for (uint32_t i = 0; i < p->calls.n; i++)
        all[i].call = i;
    for (size_t i = 0; i < s->n; i++)
        all[s->ends[s->items[i].stack]].samples++;
    qsort(all, p->calls.n, sizeof *all, by_samples);
    for (; s->n_ends < p->calls.n && all[s->n_ends].samples > 0; s->n_ends++) {
        s->by_rank[s->n_ends] = all[s->n_ends].call;
        s->rank_of[all[s->n_ends].call] = s->n_ends;
    }
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Writes [name, id], or [name]; nothing if both are unknown. */
static void put_named(html_page *p, const char *key, brz_str name, bool has_id, int64_t id)
{
    char text[32];
    if (name.len == 0 && !has_id)
        return;
    brz_put_text(&p->w, key);
    html_put_json(&p->w, name);
    int n = has_id ? snprintf(text, sizeof text, ",\"%lld\"],", (long long)id) : 0;
    brz_put(&p->w, text, (size_t)n);
    if (!has_id)
        BRZ_PUT(&p->w, "],");
}

static void put_label(html_page *p, const brz_label *label)
{
    brz_put_char(&p->w, '[');
    html_put_json(&p->w, label->key);
    brz_put_char(&p->w, ',');
    html_put_json(&p->w, label->flags & BRZ_LABEL_NUMBER ? label->unit : label->text);
    if (label->flags & BRZ_LABEL_NUMBER) {
        BRZ_PUT(&p->w, ",\"");
        brz_put_scaled(&p->w, label->number, label->decimals);
        brz_put_char(&p->w, '"');
    }
    brz_put_char(&p->w, ']');
}

static void put_tag(html_page *p, const brz_tag_info *tag)
{
    brz_put_char(&p->w, '{');
    put_named(p, "\"process\":[", tag->process_name, (tag->flags & BRZ_TAG_PROCESS) != 0,
              tag->process);
    put_named(p, "\"thread\":[", tag->thread_name, (tag->flags & BRZ_TAG_THREAD) != 0, tag->thread);
    put_named(p, "\"cpu\":[", BRZ_STR(""), (tag->flags & BRZ_TAG_CPU) != 0, tag->cpu);
    BRZ_PUT(&p->w, "\"labels\":[");
    for (uint32_t i = 0; i < tag->n_labels; i++) {
        if (i > 0)
            brz_put_char(&p->w, ',');
        put_label(p, brz_label_at(tag, i));
    }
    BRZ_PUT(&p->w, "]}");
}

static void put_tags(html_page *p)
{
    BRZ_PUT(&p->w, ",\"tags\":[");
    for (uint32_t i = 0; i < p->tree->n_tags; i++) {
        brz_put_text(&p->w, i > 0 ? ",\n" : "\n");
        put_tag(p, brz_tag_at(p->tree, i));
    }
    brz_put_char(&p->w, ']');
}

/* Writes the runs of samples with one tag: their tags, or else their lengths. */
static void put_runs(const samples *s, const char *key, bool lengths)
{
    brz_writer *w = &s->page->w;
    brz_put_text(w, key);
    html_open_column(w);
    for (size_t i = 0, end; i < s->n; i = end) {
        for (end = i + 1; end < s->n && s->items[end].tag == s->items[i].tag;)
            end++;
        html_put_number(w, lengths ? end - i : s->items[i].tag);
    }
    html_close_column(w);
}

/* A number that a column has for each sample. */
typedef uint64_t sample_number(const samples *s, size_t i);

static uint64_t ticks_at(const samples *s, size_t i)
{
    return ((uint64_t)s->items[i].time - (uint64_t)s->start) / (uint64_t)s->tick;
}

static uint64_t ticks_since_last(const samples *s, size_t i)
{
    bool is_first = i == 0 || s->items[i].tag != s->items[i - 1].tag;
    return ticks_at(s, i) - (is_first ? 0 : ticks_at(s, i - 1));
}

static uint64_t rank_of_call(const samples *s, size_t i)
{
    return s->rank_of[s->ends[s->items[i].stack]];
}

/* Writes a column of `n` numbers. Returns the number of its characters. */
static uint64_t put_column(const samples *s, const char *key, size_t n, sample_number *number)
{
    brz_writer *w = &s->page->w;
    uint64_t size = 0;
    brz_put_text(w, key);
    html_open_column(w);
    for (size_t i = 0; i < n; i++) {
        uint64_t value = number(s, i);
        html_put_number(w, value);
        size += html_number_size(value);
    }
    html_close_column(w);
    return size;
}

static void put_calls(const samples *s)
{
    brz_writer *w = &s->page->w;
    BRZ_PUT(w, ",\n\"calls\":");
    html_open_column(w);
    for (uint32_t i = 0; i < s->n_ends; i++)
        html_put_number(w, s->by_rank[i]);
    html_close_column(w);
}

/* Writes the values. Samples leave `room` characters for them. Gains and losses of a call are
 * rounded apart, as if they were those of two calls. */
static void put_values(const samples *s, uint64_t room)
{
    brz_output_ctx *ctx = s->page->ctx;
    html_values v = {.n = s->n, .n_calls = 2 * s->n_ends, .room = room};
    v.items = ctx->host->alloc(ctx, s->n * sizeof *v.items, 0);
    v.calls = ctx->host->alloc(ctx, s->n * sizeof *v.calls, 0);
    for (size_t i = 0; i < s->n; i++) {
        v.items[i] = s->items[i].value;
        v.calls[i] = (uint32_t)(2 * rank_of_call(s, i) + s->items[i].is_loss);
    }
    html_put_values(s->page, &v);
}

/* Writes which samples are losses. */
static void put_signs(const samples *s)
{
    brz_writer *w = &s->page->w;
    bool is_loss = false;
    size_t start = 0;
    if (s->n_losses == 0)
        return;
    BRZ_PUT(w, ",\n\"signs\":");
    html_open_column(w);
    for (size_t i = 0; i <= s->n; i++) {
        if (i < s->n && s->items[i].is_loss == is_loss)
            continue;
        html_put_number(w, i - start);
        start = i;
        is_loss = !is_loss;
    }
    html_close_column(w);
}

void html_put_samples(html_page *p)
{
    samples s = {.page = p};
    if (p->tree->n_samples == 0 || p->tree->before != BRZ_NO_COLUMN)
        return; /* the samples of a comparison are those of one of its sides */
    gather(&s);
    if (s.n == 0)
        return;
    sort_by_tag(&s);
    if (s.tick == 0 && s.items[0].tag == s.items[s.n - 1].tag)
        return; /* there is nothing to choose from */
    s.ends = calls_ends(p->ctx, p->tree);
    rank_calls(&s);
    BRZ_PUT(&p->w, ",\n\"samples\":{\"start\":");
    brz_put_i64(&p->w, s.tick > 0 ? s.start : 0);
    BRZ_PUT(&p->w, ",\"tick\":");
    brz_put_i64(&p->w, s.tick);
    put_tags(p);
    put_runs(&s, ",\n\"tag\":", false);
    put_runs(&s, ",\n\"n\":", true);
    uint64_t size = put_column(&s, ",\n\"time\":", s.tick > 0 ? s.n : 0, ticks_since_last);
    put_calls(&s);
    size += put_column(&s, ",\n\"call\":", s.n, rank_of_call);
    put_values(&s, SAMPLE_SIZE * s.n > size ? SAMPLE_SIZE * s.n - size : 0);
    put_signs(&s);
    brz_put_char(&p->w, '}');
}
