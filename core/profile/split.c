/* SPDX-License-Identifier: MIT */
/* Divides a profile by a part of its samples' tags. */
#include "profile/split.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define UNUSED UINT32_MAX

static size_t count_tags(const brz_profile *p)
{
    return p->tags.n > 0 ? p->tags.n : 1;
}

/* ---- finding values ------------------------------------------------------------------------ */

/* Stores for each tag that a sample has the id of its text. Sets *any_empty if a text is empty, and
 * returns whether any tag has a value. */
static bool name_tags(brz_split *s, const brz_profile *p, const brz_tag_part *by, bool *any_empty)
{
    brz_tag_texts texts;
    brz_buf b = {0};
    bool known = false;
    *any_empty = false;
    brz_tag_texts_init(&texts, p);
    for (size_t i = 0; i < p->samples.n; i++) {
        brz_tag tag = p->samples.items[i].tag;
        if (s->of_tag[tag] != UNUSED)
            continue;
        brz_buf_clear(&b);
        if (brz_tag_texts_add(&texts, &b, tag, by))
            known = true;
        else
            brz_tag_part_add_none(&b, by);
        *any_empty |= b.len == 0;
        s->of_tag[tag] = brz_strings_intern(&s->strings, brz_buf_str(&b));
    }
    brz_buf_finish(&b);
    brz_tag_texts_finish(&texts);
    return known;
}

static int compare_texts(const void *a, const void *b)
{
    return brz_str_compare(*(const brz_str *)a, *(const brz_str *)b);
}

static uint32_t find_text(const brz_split *s, brz_str text)
{
    const brz_str *found = bsearch(&text, s->texts, s->n, sizeof text, compare_texts);
    return (uint32_t)(found - s->texts);
}

/* Sorts the texts from id `first` on, and replaces the ids of the tags' texts by their positions.
 */
static void sort_texts(brz_split *s, size_t n_tags, uint32_t first)
{
    s->n = s->strings.n - first;
    s->texts = brz_calloc(s->n, sizeof *s->texts);
    for (size_t i = 0; i < s->n; i++)
        s->texts[i] = brz_strings_at(&s->strings, (uint32_t)i + first);
    qsort(s->texts, s->n, sizeof *s->texts, compare_texts);
    for (size_t tag = 0; tag < n_tags; tag++)
        if (s->of_tag[tag] != UNUSED)
            s->of_tag[tag] = find_text(s, brz_strings_at(&s->strings, s->of_tag[tag]));
}

bool brz_split_init(brz_split *s, const brz_profile *p, const brz_tag_part *by, size_t most,
                    brz_buf *error)
{
    size_t n_tags = count_tags(p);
    bool any_empty;
    memset(s, 0, sizeof *s);
    s->of_tag = brz_calloc(n_tags, sizeof *s->of_tag);
    memset(s->of_tag, 0xff, n_tags * sizeof *s->of_tag);
    if (!name_tags(s, p, by, &any_empty)) {
        brz_tag_part_explain(error, by, p);
        return false;
    }
    sort_texts(s, n_tags, any_empty ? 0 : 1); /* id 0 is the empty text */
    if (s->n <= most)
        return true;
    brz_buf_printf(error,
                   "'split-by: %.*s' would write %zu files, more than %zu; choose some with 'only'",
                   (int)by->name.len, by->name.data, s->n, most);
    return false;
}

/* ---- taking parts -------------------------------------------------------------------------- */

/* A subset of the ids of a table, renumbered in their order. It is reused for each part, so that
 * the cost of a part depends on its own size, not on that of the profile. */
typedef struct brz_split_ids {
    uint32_t *moved; /* by id: its number in the subset, or UNUSED */
    uint32_t *items; /* the ids of the subset */
    size_t n, cap;
} brz_split_ids;

struct brz_split_parts {
    size_t *order; /* the samples, by value and then by position */
    size_t *first; /* by value: its first sample in `order`; one more value marks the end */
    brz_split_ids stacks, frames, tags;
};

static void ids_init(brz_split_ids *ids, size_t n)
{
    ids->moved = brz_calloc(n, sizeof *ids->moved);
    memset(ids->moved, 0xff, n * sizeof *ids->moved);
}

static void ids_finish(brz_split_ids *ids)
{
    free(ids->moved);
    free(ids->items);
}

static void ids_add(brz_split_ids *ids, uint32_t id)
{
    if (ids->moved[id] != UNUSED)
        return;
    ids->moved[id] = 0;
    ids->items = brz_grow(ids->items, ids->n, &ids->cap, sizeof *ids->items);
    ids->items[ids->n++] = id;
}

static int compare_ids(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void ids_number(brz_split_ids *ids)
{
    if (ids->n > 0)
        qsort(ids->items, ids->n, sizeof *ids->items, compare_ids);
    for (size_t i = 0; i < ids->n; i++)
        ids->moved[ids->items[i]] = (uint32_t)i;
}

static void ids_clear(brz_split_ids *ids)
{
    for (size_t i = 0; i < ids->n; i++)
        ids->moved[ids->items[i]] = UNUSED;
    ids->n = 0;
}

/* Returns the elements of a table that are in the subset. */
static void *ids_take(const brz_split_ids *ids, const void *table, size_t size)
{
    char *taken = brz_calloc(ids->n, size);
    for (size_t i = 0; i < ids->n; i++)
        memcpy(taken + i * size, (const char *)table + ids->items[i] * size, size);
    return taken;
}

/* Sorts the samples by value, in one pass for all values. */
static void sort_samples(brz_split *s, brz_split_parts *parts, const brz_profile *p)
{
    size_t *next = brz_calloc(s->n + 2, sizeof *next);
    for (size_t k = 0; k < p->samples.n; k++)
        next[s->of_tag[p->samples.items[k].tag] + 2]++;
    for (size_t i = 2; i < s->n + 2; i++)
        next[i] += next[i - 1];
    parts->order = brz_calloc(p->samples.n, sizeof *parts->order);
    for (size_t k = 0; k < p->samples.n; k++)
        parts->order[next[s->of_tag[p->samples.items[k].tag] + 1]++] = k;
    parts->first = next; /* next[i + 1] is now the end of value i */
}

static void prepare(brz_split *s, const brz_profile *p)
{
    brz_split_parts *parts = brz_calloc(1, sizeof *parts);
    sort_samples(s, parts, p);
    ids_init(&parts->stacks, p->n_stacks);
    ids_init(&parts->frames, p->n_frames);
    ids_init(&parts->tags, count_tags(p));
    s->parts = parts;
}

/* Finds the stacks, frames and tags of the samples with the i-th value. */
static void find_ids(brz_split_parts *parts, const brz_profile *p, size_t i)
{
    ids_add(&parts->tags, BRZ_NO_TAG); /* the first tag of every profile */
    for (size_t k = parts->first[i]; k < parts->first[i + 1]; k++) {
        const brz_profile_sample *sample = &p->samples.items[parts->order[k]];
        ids_add(&parts->stacks, sample->stack);
        ids_add(&parts->tags, sample->tag);
    }
    ids_number(&parts->stacks);
    const brz_frame *last = NULL;
    for (size_t k = 0, f = 0; k < parts->stacks.n; k++) {
        const brz_profile_stack *stack = &p->stacks[parts->stacks.items[k]];
        bool goes_on = last != NULL && stack->frames == last;
        for (f = goes_on ? f : 0; f < stack->n; f++)
            ids_add(&parts->frames, stack->frames[f]);
        last = stack->frames;
    }
    ids_number(&parts->frames);
    ids_number(&parts->tags);
}

/* Copies the samples with the i-th value. */
static void take_samples(const brz_split_parts *parts, const brz_profile *p, size_t i,
                         brz_profile *part)
{
    const size_t *order = parts->order + parts->first[i];
    part->samples.n = parts->first[i + 1] - parts->first[i];
    part->samples.items = brz_calloc(part->samples.n, sizeof *part->samples.items);
    for (size_t k = 0; k < part->samples.n; k++) {
        brz_profile_sample *sample = &part->samples.items[k];
        *sample = p->samples.items[order[k]];
        sample->stack = parts->stacks.moved[sample->stack];
        sample->tag = BRZ_SAMPLE_TAG(parts->tags.moved[sample->tag]);
    }
}

/* Returns the end of the stacks from `k` on that share frames. Sets *longest to the number of these
 * frames. */
static size_t end_of_shared(const brz_profile *part, size_t k, uint32_t *longest)
{
    const brz_frame *frames = part->stacks[k].frames;
    for (*longest = 0; k < part->n_stacks && part->stacks[k].frames == frames; k++)
        *longest = part->stacks[k].n > *longest ? part->stacks[k].n : *longest;
    return k;
}

/* Copies the stacks of the samples. Returns their frames, which the caller releases. Stacks that
 * share frames still do so. */
static brz_frame *take_stacks(const brz_split_parts *parts, const brz_profile *p, brz_profile *part)
{
    size_t n = 0;
    uint32_t longest;
    part->stacks = ids_take(&parts->stacks, p->stacks, sizeof *p->stacks);
    part->n_stacks = parts->stacks.n;
    for (size_t k = 0; k < part->n_stacks; n += longest)
        k = end_of_shared(part, k, &longest);
    brz_frame *frames = brz_calloc(n, sizeof *frames), *at = frames;
    for (size_t k = 0, end; k < part->n_stacks; at += longest) {
        const brz_frame *old = part->stacks[k].frames;
        end = end_of_shared(part, k, &longest);
        for (uint32_t f = 0; f < longest; f++)
            at[f] = parts->frames.moved[old[f]];
        while (k < end)
            part->stacks[k++].frames = at;
    }
    return frames;
}

/* Copies the columns without their values. */
static brz_profile_weight *copy_columns(const brz_profile *p)
{
    brz_profile_weight *columns = brz_calloc(p->n_weights, sizeof *columns);
    for (size_t k = 0; k < p->n_weights; k++) {
        columns[k] = p->weights[k];
        columns[k].values = NULL;
        columns[k].n_values = 0;
    }
    return columns;
}

brz_profile *brz_split_take(brz_split *s, const brz_profile *p, size_t i)
{
    if (s->parts == NULL)
        prepare(s, p);
    brz_split_parts *parts = s->parts;
    find_ids(parts, p, i);
    brz_profile part = *p; /* shares everything but the arrays below */
    take_samples(parts, p, i, &part);
    brz_frame *frames_of_stacks = take_stacks(parts, p, &part);
    part.frames = ids_take(&parts->frames, p->frames, sizeof *p->frames);
    part.n_frames = parts->frames.n;
    part.tags.items =
        p->tags.n > 0 ? ids_take(&parts->tags, p->tags.items, sizeof *p->tags.items) : NULL;
    part.tags.n = p->tags.n > 0 ? parts->tags.n : 0;
    part.weights = copy_columns(p);
    brz_profile *taken = brz_profile_create();
    brz_profile_absorb(taken, &part);
    brz_profile_sum_samples(taken);
    ids_clear(&parts->stacks);
    ids_clear(&parts->frames);
    ids_clear(&parts->tags);
    free(part.samples.items);
    free(part.stacks);
    free(frames_of_stacks);
    free(part.frames);
    free(part.tags.items);
    free(part.weights);
    return taken;
}

void brz_split_finish(brz_split *s)
{
    if (s->parts != NULL) {
        free(s->parts->order);
        free(s->parts->first);
        ids_finish(&s->parts->stacks);
        ids_finish(&s->parts->frames);
        ids_finish(&s->parts->tags);
        free(s->parts);
    }
    brz_strings_finish(&s->strings);
    free(s->texts);
    free(s->of_tag);
    memset(s, 0, sizeof *s);
}
