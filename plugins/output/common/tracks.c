/* SPDX-License-Identifier: MIT */
/* Finds threads, and sorts samples by them. */
#include "tracks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

/* Ids from here on are not followed by those of threads without an id: readers in JavaScript know
 * no larger integers. */
#define LARGE_ID (INT64_C(1) << 52)

/* ---- threads ------------------------------------------------------------------------------- */

/* Tables that identify threads step by step. */
typedef struct identities {
    texts names;
    keys processes, threads, ids, name_pairs, named, flagged, all;
} identities;

static void identities_init(identities *known, brz_output_ctx *ctx)
{
    keys *tables[] = {&known->processes, &known->threads, &known->ids, &known->name_pairs,
                      &known->named,     &known->flagged, &known->all};
    for (size_t i = 0; i < BRZ_COUNT_OF(tables); i++)
        keys_init(tables[i], ctx);
    texts_init(&known->names, ctx);
}

/* Returns the number of a thread, from 0, that a tag and the number of a set of labels identify.
 * Processors do not matter. */
static uint32_t identify(identities *known, const brz_tag_info *tag, uint32_t labels)
{
    uint32_t process = keys_add(&known->processes, (uint64_t)tag->process);
    uint32_t id = keys_add(&known->threads, (uint64_t)tag->thread);
    uint32_t ids = keys_add(&known->ids, key_of_two(process, id));
    uint32_t process_name = texts_add(&known->names, tag->process_name);
    uint32_t name = texts_add(&known->names, tag->thread_name);
    uint32_t names = keys_add(&known->name_pairs, key_of_two(process_name, name));
    uint32_t named = keys_add(&known->named, key_of_two(ids, names));
    uint32_t flags = tag->flags & (BRZ_TAG_PROCESS | BRZ_TAG_THREAD);
    uint32_t flagged = keys_add(&known->flagged, key_of_two(named, flags));
    return keys_add(&known->all, key_of_two(flagged, labels));
}

/* Finds the threads of all tags. Tags are sorted by their ids and names, and so are threads. */
static void find_threads(tracks *t, brz_output_ctx *ctx)
{
    identities known;
    size_t n = (size_t)t->tree->n_tags + 1;
    identities_init(&known, ctx);
    t->threads = ctx->host->alloc(ctx, n * sizeof *t->threads, 0);
    t->threads_of_tags = ctx->host->alloc(ctx, n * sizeof *t->threads_of_tags, 0);
    for (uint32_t i = 0; i < t->tree->n_tags; i++) {
        const brz_tag_info *tag = brz_tag_at(t->tree, i);
        uint32_t number = identify(&known, tag, t->is_by_labels ? t->labels->of_tags[i] : 0);
        t->threads_of_tags[i] = number;
        if (number == t->n_threads)
            t->threads[t->n_threads++] = (thread){.tag = tag, .process_name = tag->process_name};
    }
}

static bool has_process(const thread *a)
{
    return (a->tag->flags & BRZ_TAG_PROCESS) != 0;
}

/* Returns a number above all ids that are known, except for very large ones; 1 if none is. */
static int64_t unused_process(const tracks *t)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < t->n_threads; i++)
        if (has_process(&t->threads[i]) && t->threads[i].tag->process < LARGE_ID &&
            t->threads[i].tag->process > most)
            most = t->threads[i].tag->process;
    return most + 1;
}

/* Gives threads the ids of their processes, and the names of these. Threads of a process follow one
 * another. */
static void name_processes(tracks *t)
{
    int64_t unused = unused_process(t);
    for (uint32_t i = 0, end = 0; i < t->n_threads; i = end) {
        brz_str name = {"", 0};
        bool known = has_process(&t->threads[i]);
        for (end = i; end < t->n_threads && has_process(&t->threads[end]) == known &&
                      t->threads[end].tag->process == t->threads[i].tag->process;
             end++)
            if (name.len == 0)
                name = t->threads[end].process_name;
        for (uint32_t k = i; k < end; k++) {
            thread *one = &t->threads[k];
            one->process = known ? one->tag->process : unused;
            if (one->process_name.len == 0 && known)
                one->process_name = name;
        }
    }
}

/* ---- tracks -------------------------------------------------------------------------------- */

static uint64_t key_of(const tracks *t, const brz_sample_info *s, uint32_t weight)
{
    return key_of_two(t->threads_of_tags[s->tag], weight);
}

/* Returns the next weight, from `weight` on, in which a sample has a value, or n_weights. A sample
 * without any value has 0 in the first weight. */
static uint32_t next_weight(const brz_tree *tree, const brz_sample_info *s, uint32_t weight)
{
    bool is_first = weight == 0;
    while (weight < tree->n_columns && s->values[weight] == 0)
        weight++;
    return is_first && weight == tree->n_columns ? 0 : weight;
}

/* Sorts by thread; the run's weight precedes other weights. */
static int compare_tracks(const void *a, const void *b)
{
    const track *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->shown != y->shown)
        return x->shown ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

/* Adds a sample to the facts about its track. */
static void count_sample(track *to, const brz_sample_info *s)
{
    if ((s->flags & BRZ_TIMED) && !to->timed)
        to->start = s->time;
    to->timed |= (s->flags & BRZ_TIMED) != 0;
    to->end = s->time;
    to->total = add_saturated(to->total, s->values[to->weight]);
    to->n++;
}

/* Makes room for another track. */
static void grow(tracks *t, brz_output_ctx *ctx)
{
    track *old = t->items;
    if (t->n < t->cap)
        return;
    t->cap = t->cap == 0 ? 64 : 2 * t->cap;
    t->items = ctx->host->alloc(ctx, t->cap * sizeof *t->items, 0);
    if (t->n > 0)
        memcpy(t->items, old, t->n * sizeof *t->items);
}

/* Returns the track of a sample and a weight; adds it if necessary. */
static track *track_of(tracks *t, brz_output_ctx *ctx, keys *known, const brz_sample_info *s,
                       uint32_t weight)
{
    uint32_t number = keys_add(known, key_of(t, s, weight));
    if (number == t->n) {
        grow(t, ctx);
        t->items[t->n++] = (track){.thread = t->threads_of_tags[s->tag],
                                   .weight = weight,
                                   .shown = weight == t->tree->main_column};
    }
    return &t->items[number];
}

/* Finds the tracks, in the order of their first samples. */
static void find_tracks(tracks *t, brz_output_ctx *ctx, keys *known)
{
    for (uint64_t i = 0; i < t->tree->n_samples; i++) {
        const brz_sample_info *s = brz_sample_at(t->tree, i);
        for (uint32_t w = next_weight(t->tree, s, 0); w < t->tree->n_columns;
             w = next_weight(t->tree, s, w + 1))
            count_sample(track_of(t, ctx, known, s, w), s);
    }
}

/* Returns whether any track has a thread or times. */
static bool has_threads(const tracks *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const brz_tag_info *tag = t->threads[t->items[i].thread].tag;
        if (t->items[i].timed || (tag->flags & (BRZ_TAG_PROCESS | BRZ_TAG_THREAD)) != 0 ||
            tag->process_name.len > 0 || tag->thread_name.len > 0)
            return true;
    }
    return false;
}

/* ---- ids ----------------------------------------------------------------------------------- */

static bool has_id(const tracks *t, const track *of)
{
    return (t->threads[of->thread].tag->flags & BRZ_TAG_THREAD) != 0;
}

static int64_t unused_id(const tracks *t)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        int64_t id = t->threads[t->items[i].thread].tag->thread;
        if (has_id(t, &t->items[i]) && id < LARGE_ID && id > most)
            most = id;
    }
    return most + 1;
}

/* Gives tracks the ids of their threads. Further tracks of a thread, and threads that share their
 * id with one before, get ids that no thread has. */
static void number_tracks(tracks *t, brz_output_ctx *ctx)
{
    keys processes, threads, taken;
    int64_t unused = unused_id(t);
    keys_init(&processes, ctx);
    keys_init(&threads, ctx);
    keys_init(&taken, ctx);
    for (uint32_t i = 0; i < t->n; i++) {
        thread *owner = &t->threads[t->items[i].thread];
        bool is_free = false;
        if (owner->n_tracks++ == 0 && has_id(t, &t->items[i])) {
            uint32_t process = keys_add(&processes, (uint64_t)owner->process), before = taken.n;
            uint32_t id = keys_add(&threads, (uint64_t)owner->tag->thread);
            keys_add(&taken, key_of_two(process, id));
            is_free = taken.n > before;
        }
        t->items[i].id = is_free ? owner->tag->thread : unused++;
    }
}

/* ---- order of samples ---------------------------------------------------------------------- */

/* Returns the number of samples without a time, which precede all others. */
static uint64_t count_untimed(const brz_tree *tree)
{
    uint64_t n = 0;
    while (n < tree->n_samples && !(brz_sample_at(tree, n)->flags & BRZ_TIMED))
        n++;
    return n;
}

static uint32_t labels_of(const tracks *t, const brz_sample_info *s)
{
    return t->labels == NULL ? 0 : t->labels->of_tags[s->tag];
}

static uint32_t stack_of(const tracks *t, const brz_sample_info *s)
{
    (void)t;
    return s->stack;
}

/* Returns samples sorted by a number below `most`, in this order if it is equal. */
static uint64_t *sort_by(const tracks *t, brz_output_ctx *ctx, const uint64_t *samples, uint64_t n,
                         uint32_t (*number)(const tracks *, const brz_sample_info *), uint32_t most)
{
    uint64_t *order = ctx->host->alloc(ctx, (size_t)(n + 1) * sizeof *order, 0);
    uint64_t *starts = ctx->host->alloc(ctx, ((size_t)most + 1) * sizeof *starts, 0);
    for (uint64_t i = 0; i < n; i++)
        starts[number(t, brz_sample_at(t->tree, samples[i])) + 1]++;
    for (uint32_t i = 0; i < most; i++)
        starts[i + 1] += starts[i];
    for (uint64_t i = 0; i < n; i++)
        order[starts[number(t, brz_sample_at(t->tree, samples[i]))]++] = samples[i];
    return order;
}

/* Returns the samples without a time, sorted by labels, then by stack. */
static uint64_t *sort_untimed(const tracks *t, brz_output_ctx *ctx, uint64_t n)
{
    uint64_t *all = ctx->host->alloc(ctx, (size_t)(n + 1) * sizeof *all, 0);
    for (uint64_t i = 0; i < n; i++)
        all[i] = i;
    all = sort_by(t, ctx, all, n, stack_of, t->tree->n_stacks);
    if (t->labels == NULL || t->labels->n == 1)
        return all;
    return sort_by(t, ctx, all, n, labels_of, t->labels->n);
}

/* Adds a sample to the tracks of its weights. */
static void place_sample(tracks *t, uint64_t at, keys *known, const uint32_t *now, uint64_t *next)
{
    const brz_sample_info *s = brz_sample_at(t->tree, at);
    for (uint32_t w = next_weight(t->tree, s, 0); w < t->tree->n_columns;
         w = next_weight(t->tree, s, w + 1))
        t->order[next[now[keys_add(known, key_of(t, s, w))]]++] = at;
}

/* Sorts samples by track. `known` has the numbers that tracks had when they were found, and
 * `now` the present ones. */
static void sort_samples(tracks *t, brz_output_ctx *ctx, keys *known, const uint32_t *now)
{
    uint64_t n = t->tree->n_samples, untimed = count_untimed(t->tree), used = 0;
    const uint64_t *first = sort_untimed(t, ctx, untimed);
    uint64_t *next = ctx->host->alloc(ctx, t->n * sizeof *next, 0);
    for (uint32_t i = 0; i < t->n; i++) {
        t->items[i].first = next[i] = used;
        used += t->items[i].n;
    }
    t->order = ctx->host->alloc(ctx, (size_t)used * sizeof *t->order, 0);
    for (uint64_t i = 0; i < n; i++)
        place_sample(t, i < untimed ? first[i] : i, known, now, next);
}

/* Sorts the tracks. Returns their new numbers by the old ones. */
static uint32_t *sort_tracks(tracks *t, brz_output_ctx *ctx, keys *known)
{
    uint32_t *now = ctx->host->alloc(ctx, t->n * sizeof *now, 0);
    qsort(t->items, t->n, sizeof *t->items, compare_tracks);
    for (uint32_t i = 0; i < t->n; i++)
        now[keys_add(known, key_of_two(t->items[i].thread, t->items[i].weight))] = i;
    return now;
}

static void find_heaviest(tracks *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const track *best = &t->items[t->heaviest];
        if (t->items[i].shown && (!best->shown || t->items[i].total > best->total))
            t->heaviest = i;
    }
}

bool tracks_init(tracks *t, brz_output_ctx *ctx, const brz_tree *tree, const label_sets *labels,
                 tracks_labels role)
{
    keys known;
    memset(t, 0, sizeof *t);
    t->tree = tree;
    t->labels = labels;
    t->is_by_labels = labels != NULL && role == TRACKS_BY_LABELS;
    if (tree->n_samples == 0 || tree->before != BRZ_NO_COLUMN)
        return false;
    keys_init(&known, ctx);
    find_threads(t, ctx);
    find_tracks(t, ctx, &known);
    t->has_threads = has_threads(t);
    if (!t->has_threads && (labels == NULL || labels->n == 1))
        return false;
    name_processes(t);
    sort_samples(t, ctx, &known, sort_tracks(t, ctx, &known));
    number_tracks(t, ctx);
    find_heaviest(t);
    return true;
}

/* ---- use ----------------------------------------------------------------------------------- */

bool tracks_next(const tracks *t, const track *of, uint64_t *at, piece *p)
{
    if (*at == of->n)
        return false;
    const brz_sample_info *s = brz_sample_at(t->tree, t->order[of->first + (*at)++]);
    *p = (piece){s->stack, s->values[of->weight], s->flags & BRZ_TIMED ? s->time : of->start,
                 labels_of(t, s)};
    for (; !of->timed && *at < of->n; ++*at) {
        s = brz_sample_at(t->tree, t->order[of->first + *at]);
        if (s->stack != p->stack || labels_of(t, s) != p->labels)
            break;
        p->value = add_saturated(p->value, s->values[of->weight]);
    }
    return true;
}

/* Returns the ids of a thread that are known, in brackets: " [12/13]". */
static brz_str ids_of(const brz_tag_info *tag, char to[64])
{
    int n = 0;
    if ((tag->flags & BRZ_TAG_PROCESS) && (tag->flags & BRZ_TAG_THREAD))
        n = snprintf(to, 64, " [%" PRId64 "/%" PRId64 "]", tag->process, tag->thread);
    else if (tag->flags & (BRZ_TAG_PROCESS | BRZ_TAG_THREAD))
        n = snprintf(to, 64, " [%" PRId64 "]",
                     tag->flags & BRZ_TAG_PROCESS ? tag->process : tag->thread);
    return brz_str_of(to, (size_t)n);
}

static void append(char **to, brz_str text)
{
    if (text.len > 0)
        memcpy(*to, text.data, text.len);
    *to += text.len;
}

brz_str tracks_name(const tracks *t, brz_output_ctx *ctx, const track *of, bool numbers)
{
    const thread *owner = &t->threads[of->thread];
    char ids[64];
    brz_str name = owner->tag->thread_name, more = {"", 0}, labels = {"", 0}, weight = {"", 0};
    if (numbers && t->is_by_labels)
        labels = label_set_text(ctx, owner->tag);
    if (name.len == 0)
        name = owner->process_name;
    if (name.len == 0 && !t->has_threads && labels.len == 0)
        return brz_column_at(t->tree, of->weight)->name;
    if (name.len == 0 && t->has_threads)
        name = BRZ_STR("thread");
    if (numbers)
        more = ids_of(owner->tag, ids);
    if (owner->n_tracks > 1)
        weight = brz_column_at(t->tree, of->weight)->name;
    size_t most = name.len + more.len + labels.len + weight.len + 4;
    char *text = ctx->host->alloc(ctx, most, 1), *end = text;
    append(&end, name);
    append(&end, more);
    append(&end, name.len > 0 && labels.len > 0 ? BRZ_STR(" ") : BRZ_STR(""));
    append(&end, labels);
    append(&end, weight.len > 0 ? BRZ_STR(" (") : BRZ_STR(""));
    append(&end, weight);
    append(&end, weight.len > 0 ? BRZ_STR(")") : BRZ_STR(""));
    return brz_str_of(text, (size_t)(end - text));
}
