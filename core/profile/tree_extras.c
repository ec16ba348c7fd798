/* SPDX-License-Identifier: MIT */
/* Adds samples, tags and metadata to a tree.
 *
 * Tags are numbered in the order of their members, so that equal profiles give equal trees, however
 * many threads have filled them.
 */
#include "profile/tree_extras.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- metadata ------------------------------------------------------------------------------ */

static int64_t number_of(const brz_facts *f, brz_fact_subject subject)
{
    const brz_fact *found = brz_facts_find(f, subject);
    return found == NULL ? 0 : found->number;
}

static brz_str text_of(const brz_facts *f, const brz_profile *p, brz_fact_subject subject)
{
    const brz_fact *found = brz_facts_find(f, subject);
    return found == NULL ? BRZ_STR("") : brz_strings_at(&p->strings, found->text);
}

static void fill_lists(brz_tree_extras *v, const brz_profile *p, const brz_facts *f,
                       brz_metadata *to)
{
    const size_t comment = 0, pair = BRZ_FACT_PAIR - BRZ_FACT_COMMENT;
    brz_str *comments = brz_arena_alloc(&v->memory, f->n[comment] * sizeof *comments, 0);
    brz_pair *pairs = brz_arena_alloc(&v->memory, f->n[pair] * sizeof *pairs, 0);
    for (size_t i = 0; i < f->n[comment]; i++)
        comments[i] = brz_strings_at(&p->strings, f->lists[comment][i].text);
    for (size_t i = 0; i < f->n[pair]; i++)
        pairs[i] = (brz_pair){brz_strings_at(&p->strings, f->lists[pair][i].key),
                              brz_strings_at(&p->strings, f->lists[pair][i].text)};
    to->comments = comments;
    to->n_comments = f->n[comment];
    to->pairs = pairs;
    to->n_pairs = f->n[pair];
}

static brz_metadata metadata_of(brz_tree_extras *v, const brz_profile *p, brz_facts *f)
{
    brz_facts_sort(f);
    brz_metadata m = {
        .struct_size = sizeof m,
        .pair_size = sizeof(brz_pair),
        .start = number_of(f, BRZ_FACT_START),
        .clock_start = number_of(f, BRZ_FACT_CLOCK_START),
        .duration = number_of(f, BRZ_FACT_DURATION),
        .period = number_of(f, BRZ_FACT_PERIOD),
        .period_name = text_of(f, p, BRZ_FACT_PERIOD_NAME),
        .period_unit = text_of(f, p, BRZ_FACT_PERIOD_UNIT),
        .producer = text_of(f, p, BRZ_FACT_PRODUCER),
        .command = text_of(f, p, BRZ_FACT_COMMAND),
        .host = text_of(f, p, BRZ_FACT_HOST),
        .architecture = text_of(f, p, BRZ_FACT_ARCHITECTURE),
    };
    fill_lists(v, p, f, &m);
    return m;
}

/* ---- tags ---------------------------------------------------------------------------------- */

/* A tag to be sorted. */
typedef struct ordered_tag {
    const brz_tags *tags;
    const brz_strings *strings;
    brz_tag tag;
} ordered_tag;

static int compare_tags(const void *a, const void *b)
{
    const ordered_tag *x = a, *y = b;
    return x->tag == y->tag ? 0 : brz_tags_compare(x->tags, x->strings, x->tag, y->tag);
}

/* Marks the tags that samples have. */
static bool *find_used(const brz_profile *p)
{
    bool *used = brz_calloc(p->tags.n + 1, sizeof *used);
    used[BRZ_NO_TAG] = true;
    for (size_t i = 0; i < p->samples.n; i++)
        used[p->samples.items[i].tag] = true;
    return used;
}

/* Returns the tags that samples have, sorted after BRZ_NO_TAG, which is the first. */
static ordered_tag *sort_tags(const brz_profile *p, size_t *n)
{
    bool *used = find_used(p);
    ordered_tag *tags = brz_calloc(p->tags.n + 1, sizeof *tags);
    *n = 1;
    for (size_t i = 1; i < p->tags.n; i++)
        if (used[i])
            tags[(*n)++] = (ordered_tag){&p->tags, &p->strings, (brz_tag)i};
    qsort(tags + 1, *n - 1, sizeof *tags, compare_tags);
    free(used);
    return tags;
}

static brz_label *labels_of(brz_tree_extras *v, const brz_profile *p, const brz_tags *tags,
                            const brz_tag_entry *e)
{
    brz_label *labels = brz_arena_alloc(&v->memory, e->n_labels * sizeof *labels, 0);
    for (size_t i = 0; i < e->n_labels; i++) {
        const brz_tag_label *l = &tags->labels[e->first_label + i];
        labels[i] = (brz_label){.key = brz_strings_at(&p->strings, l->key),
                                .text = brz_strings_at(&p->strings, l->text),
                                .unit = brz_strings_at(&p->strings, l->unit),
                                .number = l->number,
                                .flags = l->flags,
                                .decimals = l->decimals};
    }
    return labels;
}

static void fill_tag(brz_tree_extras *v, const brz_profile *p, const brz_tags *tags, brz_tag tag,
                     brz_tag_info *to)
{
    const brz_tag_entry *e = &tags->items[tag];
    *to = (brz_tag_info){.flags = e->flags,
                         .cpu = e->cpu,
                         .process = e->process,
                         .thread = e->thread,
                         .process_name = brz_strings_at(&p->strings, e->process_name),
                         .thread_name = brz_strings_at(&p->strings, e->thread_name),
                         .labels = labels_of(v, p, tags, e),
                         .n_labels = (uint32_t)e->n_labels,
                         .label_size = sizeof(brz_label)};
}

/* Fills in the tags. Returns an array that maps those of the profile to those of the tree. */
static uint32_t *fill_tags(brz_tree_extras *v, const brz_profile *p)
{
    size_t n;
    ordered_tag *tags = sort_tags(p, &n);
    uint32_t *numbers = brz_calloc(p->tags.n + 1, sizeof *numbers);
    v->tags = brz_arena_alloc(&v->memory, n * sizeof *v->tags, 0);
    v->tags[0] = (brz_tag_info){.label_size = sizeof(brz_label)};
    for (size_t i = 1; i < n; i++) {
        fill_tag(v, p, &p->tags, tags[i].tag, &v->tags[i]);
        numbers[tags[i].tag] = (uint32_t)i;
    }
    v->n_tags = n;
    free(tags);
    return numbers;
}

/* ---- parts --------------------------------------------------------------------------------- */

/* The samples of a profile that belong to a part. */
typedef enum samples_in { IN_NONE, IN_SOME, IN_ALL } samples_in;

/* Tags of samples. */
typedef struct used_tags {
    brz_tag *items;
    size_t n;
} used_tags;

static used_tags list_used(const brz_profile *p)
{
    used_tags used = {.items = brz_calloc(p->tags.n + 1, sizeof *used.items)};
    bool *is_used = find_used(p);
    is_used[BRZ_NO_TAG] = false;
    for (size_t i = 0; i < p->samples.n && !is_used[BRZ_NO_TAG]; i++)
        is_used[BRZ_NO_TAG] = p->samples.items[i].tag == BRZ_NO_TAG;
    for (size_t i = 0; i <= p->tags.n; i++)
        if (is_used[i])
            used.items[used.n++] = (brz_tag)i;
    free(is_used);
    return used;
}

/* Returns how many samples are in a part. Without samples, some may be. */
static samples_in count_in_part(const brz_profile *p, brz_tag part, const used_tags *used)
{
    size_t n = 0;
    for (size_t i = 0; i < used->n; i++)
        n += brz_parts_have(&p->parts, part, &p->tags, used->items[i]);
    if (used->n == 0)
        return IN_SOME;
    return n == 0 ? IN_NONE : n == used->n ? IN_ALL : IN_SOME;
}

/* Copies the single facts of `from` that `to` lacks. If it has one about its time, it is not that
 * of `from`. */
static void complete(brz_facts *to, const brz_facts *from)
{
    const uint32_t times =
        1u << BRZ_FACT_START | 1u << BRZ_FACT_CLOCK_START | 1u << BRZ_FACT_DURATION;
    bool has_times = (to->known & times) != 0;
    for (uint32_t s = 0; s < BRZ_FACT_SINGLE; s++) {
        uint32_t bit = 1u << s;
        if (!(from->known & bit) || (to->known & bit) || (has_times && (bit & times)))
            continue;
        to->single[s] = from->single[s];
        to->known |= bit;
    }
}

/* Adds a part to the tree. */
static void add_part(brz_tree_extras *v, brz_profile *p, brz_tag part)
{
    brz_tag_info *tag = brz_arena_alloc(&v->memory, sizeof *tag, 0);
    brz_metadata *m = brz_arena_alloc(&v->memory, sizeof *m, 0);
    complete(&p->parts.facts[part], &p->facts);
    fill_tag(v, p, &p->parts.tags, part, tag);
    *m = metadata_of(v, p, &p->parts.facts[part]);
    v->parts[v->n_parts++] = (brz_part_info){.tag = tag, .metadata = m};
}

/* Makes the facts about a part those about the whole. */
static void become_part(brz_profile *p, brz_tag part)
{
    brz_facts all = {0};
    brz_facts_absorb(&all, &p->strings, &p->parts.facts[part], &p->strings);
    complete(&all, &p->facts);
    for (size_t list = 0; list < BRZ_COUNT_OF(p->facts.n); list++)
        for (size_t i = 0; i < p->facts.n[list]; i++)
            brz_facts_add(&all, (brz_fact_subject)(BRZ_FACT_SINGLE + list),
                          &p->facts.lists[list][i]);
    brz_facts_finish(&p->facts);
    p->facts = all;
}

/* Returns the tags of the parts, sorted. */
static ordered_tag *sort_parts(const brz_profile *p, size_t n)
{
    ordered_tag *order = brz_calloc(n, sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = (ordered_tag){&p->parts.tags, &p->strings, (brz_tag)(i + 1)};
    qsort(order, n, sizeof *order, compare_tags);
    return order;
}

/* Lists the parts that have samples. One that has all of them is the whole. */
static void fill_parts(brz_tree_extras *v, brz_profile *p)
{
    if (p->parts.tags.n < 2)
        return;
    size_t n = p->parts.tags.n - 1;
    used_tags used = list_used(p);
    ordered_tag *order = sort_parts(p, n);
    samples_in *which = brz_calloc(n, sizeof *which);
    v->parts = brz_arena_alloc(&v->memory, n * sizeof *v->parts, 0);
    for (size_t i = 0; i < n; i++) {
        which[i] = count_in_part(p, order[i].tag, &used);
        if (which[i] == IN_ALL)
            become_part(p, order[i].tag);
    }
    for (size_t i = 0; i < n; i++)
        if (which[i] == IN_SOME)
            add_part(v, p, order[i].tag);
    free(which);
    free(order);
    free(used.items);
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Compares values by stack and tag. */
static int by_place(const void *a, const void *b)
{
    const brz_profile_sample *x = a, *y = b;
    if (x->stack != y->stack)
        return x->stack < y->stack ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

/* Returns the values of the profile with the numbers of the tree. The caller releases them. */
static brz_profile_sample *number_values(brz_tree_extras *v, const brz_profile *p,
                                         const uint32_t *places)
{
    uint32_t *tags = fill_tags(v, p);
    brz_profile_sample *values = brz_calloc(p->samples.n, sizeof *values);
    for (size_t i = 0; i < p->samples.n; i++) {
        values[i] = p->samples.items[i];
        values[i].stack = places[values[i].stack];
        values[i].tag = BRZ_SAMPLE_TAG(tags[values[i].tag]);
    }
    free(tags);
    return values;
}

/* Returns whether value `i` belongs to the sample of the value before it. */
static bool is_more(const brz_profile_sample *values, size_t i, brz_which_samples which)
{
    if (i == 0)
        return false;
    return which == BRZ_SAMPLES_SUMMED ? by_place(&values[i - 1], &values[i]) == 0
                                       : values[i].is_more != 0;
}

/* Adds a sample that begins with this value. */
static void add_sample(brz_tree_extras *v, const brz_profile_sample *first, size_t n_weights)
{
    bool is_timed = v->in_time && first->time != BRZ_NO_TIME;
    v->samples[v->n_samples] = (brz_sample_info){.time = v->in_time ? first->time : 0,
                                                 .values = v->values + v->n_samples * n_weights,
                                                 .stack = first->stack,
                                                 .tag = first->tag,
                                                 .flags = is_timed ? BRZ_TIMED : 0};
    v->n_samples++;
}

/* Lists the samples of the profile with the numbers of the tree. */
static void fill_samples(brz_tree_extras *v, brz_profile *p, const uint32_t *places,
                         brz_which_samples which)
{
    brz_profile_sample *values = number_values(v, p, places);
    size_t n = 0;
    if (which == BRZ_SAMPLES_SUMMED && p->samples.n > 0)
        qsort(values, p->samples.n, sizeof *values, by_place);
    for (size_t i = 0; i < p->samples.n; i++)
        n += !is_more(values, i, which);
    v->in_time = which == BRZ_SAMPLES_SINGLE;
    v->samples = brz_calloc(n, sizeof *v->samples);
    v->values = brz_calloc(n * p->n_weights, sizeof *v->values);
    for (size_t i = 0; i < p->samples.n; i++) {
        if (!is_more(values, i, which))
            add_sample(v, &values[i], p->n_weights);
        int64_t *to = &v->values[(v->n_samples - 1) * p->n_weights + values[i].weight];
        *to = brz_add_saturated(*to, values[i].value, &p->saturated);
    }
    free(values);
}

static bool is_in_order(const brz_tree_extras *v)
{
    for (size_t i = 1; i < v->n_samples; i++)
        if (v->samples[i - 1].time > v->samples[i].time)
            return false;
    return true;
}

/* Merges the sorted runs [from, middle) and [middle, to) into `into`. */
static void merge_runs(const brz_sample_info *s, size_t from, size_t middle, size_t to,
                       brz_sample_info *into)
{
    size_t left = from, right = middle;
    for (size_t i = from; i < to; i++) {
        bool take_left = left < middle && (right >= to || s[left].time <= s[right].time);
        into[i] = take_left ? s[left++] : s[right++];
    }
}

static size_t at_most(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Sorts samples by time; those of the same time stay in their order. */
static void sort_by_time(brz_tree_extras *v)
{
    size_t n = (size_t)v->n_samples;
    if (is_in_order(v))
        return;
    brz_sample_info *other = brz_calloc(n, sizeof *other), *from = v->samples, *to = other;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t at = 0; at < n; at += 2 * run)
            merge_runs(from, at, at_most(at + run, n), at_most(at + 2 * run, n), to);
        brz_sample_info *done = to;
        to = from;
        from = done;
    }
    if (from != v->samples)
        memcpy(v->samples, from, n * sizeof *from);
    free(other);
}

/* Makes the times of samples without one 0, after they have been sorted. */
static void clear_missing_times(brz_tree_extras *v)
{
    for (size_t i = 0; i < v->n_samples && !(v->samples[i].flags & BRZ_TIMED); i++)
        v->samples[i].time = 0;
}

static void attach(const brz_tree_extras *v, brz_tree *tree)
{
    tree->tag_size = sizeof *v->tags;
    tree->sample_size = sizeof *v->samples;
    tree->n_tags = (uint32_t)v->n_tags;
    tree->n_samples = v->n_samples;
    tree->tags = v->tags;
    tree->samples = v->samples;
    tree->metadata = &v->metadata;
    tree->parts = v->parts;
    tree->n_parts = v->n_parts;
    tree->part_size = sizeof *v->parts;
}

void brz_tree_extras_init(brz_tree_extras *v, brz_profile *p, const uint32_t *places,
                          brz_which_samples which, brz_tree *tree)
{
    memset(v, 0, sizeof *v);
    fill_parts(v, p);
    v->metadata = metadata_of(v, p, &p->facts);
    if (which != BRZ_SAMPLES_NONE)
        fill_samples(v, p, places, which);
    if (which == BRZ_SAMPLES_SINGLE) {
        sort_by_time(v);
        clear_missing_times(v);
        tree->flags |= BRZ_TREE_SAMPLES_IN_TIME;
    }
    attach(v, tree);
}

void brz_tree_extras_finish(brz_tree_extras *v)
{
    free(v->samples);
    free(v->values);
    brz_arena_finish(&v->memory);
}
