/* SPDX-License-Identifier: MIT */
/* Interns tags. */
#include "profile/tags.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- labels -------------------------------------------------------------------------------- */

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_labels(const brz_strings *strings, const brz_tag_label *a,
                          const brz_tag_label *b)
{
    int d = brz_strings_compare(strings, a->key, b->key);
    if (d == 0)
        d = compare_numbers(a->flags, b->flags);
    if (d == 0)
        d = brz_strings_compare(strings, a->text, b->text);
    if (d == 0)
        d = compare_numbers(a->decimals, b->decimals);
    if (d == 0)
        d = compare_numbers(a->number, b->number);
    return d != 0 ? d : brz_strings_compare(strings, a->unit, b->unit);
}

/* Moves the label at `at` down to its place in a heap of `n` labels. */
static void sift(const brz_strings *strings, brz_tag_label *labels, size_t at, size_t n)
{
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && compare_labels(strings, &labels[child], &labels[child + 1]) < 0)
            child++;
        if (compare_labels(strings, &labels[at], &labels[child]) >= 0)
            return;
        brz_tag_label l = labels[at];
        labels[at] = labels[child];
        labels[child] = l;
    }
}

/* Sorts labels. A heap sort needs no global state for the comparison, and a hostile number of
 * labels costs little. */
static void sort_labels(const brz_strings *strings, brz_tag_label *labels, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        sift(strings, labels, i, n);
    for (size_t end = n; end-- > 1;) {
        brz_tag_label l = labels[0];
        labels[0] = labels[end];
        labels[end] = l;
        sift(strings, labels, 0, end);
    }
}

/* ---- tags ---------------------------------------------------------------------------------- */

static uint64_t hash_tag(const brz_tag_entry *e, const brz_tag_label *labels)
{
    const brz_hash_keys *k = brz_hash_host_keys();
    brz_words w = {{(uint64_t)e->process, (uint64_t)e->thread,
                    (uint64_t)e->process_name << 32 | e->thread_name,
                    (uint64_t)e->flags << 32 | e->cpu}};
    uint64_t h = brz_words_hash(k, &w, e->n_labels);
    for (size_t i = 0; i < e->n_labels; i++) {
        const brz_tag_label *l = &labels[i];
        uint32_t kind = (uint32_t)l->decimals << 16 | l->flags;
        w = (brz_words){{(uint64_t)l->key << 32 | l->text, (uint64_t)l->unit << 32 | kind,
                         (uint64_t)l->number, h}};
        h = brz_words_hash(k, &w, i);
    }
    return h;
}

static bool is_same_tag(const brz_tags *t, const brz_tag_entry *a, const brz_tag_entry *b,
                        const brz_tag_label *labels)
{
    return a->process == b->process && a->thread == b->thread && a->flags == b->flags &&
           a->cpu == b->cpu && a->process_name == b->process_name &&
           a->thread_name == b->thread_name && a->n_labels == b->n_labels &&
           (a->n_labels == 0 ||
            memcmp(t->labels + a->first_label, labels, a->n_labels * sizeof *labels) == 0);
}

static void rehash(brz_tags *t)
{
    t->n_slots = t->n_slots > 0 ? 2 * t->n_slots : 64;
    free(t->slots);
    t->slots = brz_calloc(t->n_slots, sizeof *t->slots);
    for (size_t i = 0; i < t->n; i++) {
        const brz_tag_entry *e = &t->items[i];
        size_t at = (size_t)hash_tag(e, t->labels + e->first_label) & (t->n_slots - 1);
        while (t->slots[at] != 0)
            at = (at + 1) & (t->n_slots - 1);
        t->slots[at] = (uint32_t)(i + 1);
    }
}

/* Stores a tag. `at` is its slot. */
static brz_tag store(brz_tags *t, size_t at, const brz_tag_entry *e, const brz_tag_label *labels)
{
    brz_tag_entry own = *e;
    own.first_label = t->n_labels;
    for (size_t i = 0; i < e->n_labels; i++) {
        t->labels = brz_grow(t->labels, t->n_labels, &t->labels_cap, sizeof *t->labels);
        t->labels[t->n_labels++] = labels[i];
    }
    t->items = brz_grow(t->items, t->n, &t->cap, sizeof *t->items);
    t->items[t->n++] = own;
    t->slots[at] = (uint32_t)t->n;
    return (brz_tag)(t->n - 1);
}

/* Returns the id of a tag whose labels are sorted. */
static brz_tag intern_sorted(brz_tags *t, const brz_tag_entry *e, const brz_tag_label *labels)
{
    if (2 * (t->n + 1) > t->n_slots)
        rehash(t);
    size_t mask = t->n_slots - 1, at = (size_t)hash_tag(e, labels) & mask;
    for (; t->slots[at] != 0; at = (at + 1) & mask)
        if (is_same_tag(t, &t->items[t->slots[at] - 1], e, labels))
            return t->slots[at] - 1;
    if (t->n >= (t->most > 0 ? t->most : BRZ_MAX_TAGS)) {
        t->left_out++;
        return BRZ_NO_TAG;
    }
    return store(t, at, e, labels);
}

brz_tag brz_tags_intern(brz_tags *t, const brz_strings *strings, const brz_tag_entry *e,
                        brz_tag_label *labels, size_t n_labels)
{
    brz_tag_entry own = *e;
    own.n_labels = n_labels;
    if (t->n == 0)
        intern_sorted(t, &(brz_tag_entry){0}, NULL);
    sort_labels(strings, labels, n_labels);
    return intern_sorted(t, &own, labels);
}

/* Returns a label whose texts are in the table. Equal numbers are equal labels. */
static brz_tag_label intern_label(brz_strings *strings, const brz_label *l)
{
    if (!(l->flags & BRZ_LABEL_NUMBER))
        return (brz_tag_label){.key = brz_strings_intern(strings, l->key),
                               .text = brz_strings_intern(strings, l->text)};
    brz_tag_label label = {.key = brz_strings_intern(strings, l->key),
                           .unit = brz_strings_intern(strings, l->unit),
                           .flags = BRZ_LABEL_NUMBER,
                           .decimals = (uint16_t)l->decimals,
                           .number = l->number};
    for (; label.decimals > 0 && label.number % 10 == 0; label.decimals--)
        label.number /= 10;
    return label;
}

brz_tag brz_tags_add(brz_tags *t, brz_strings *strings, const brz_tag_desc *d)
{
    size_t n = (size_t)d->n_labels;
    brz_tag_label few[16], *labels = n <= 16 ? few : brz_calloc(n, sizeof *labels);
    brz_tag_entry e = {
        .process = d->flags & BRZ_TAG_PROCESS ? d->process : 0,
        .thread = d->flags & BRZ_TAG_THREAD ? d->thread : 0,
        .flags = d->flags & (BRZ_TAG_PROCESS | BRZ_TAG_THREAD | BRZ_TAG_CPU),
        .cpu = d->flags & BRZ_TAG_CPU ? d->cpu : 0,
        .process_name = brz_strings_intern(strings, d->process_name),
        .thread_name = brz_strings_intern(strings, d->thread_name),
    };
    for (size_t i = 0; i < n; i++)
        labels[i] =
            intern_label(strings, (const brz_label *)(const void *)((const char *)d->labels +
                                                                    i * d->label_size));
    brz_tag tag = brz_tags_intern(t, strings, &e, labels, n);
    if (labels != few)
        free(labels);
    return tag;
}

brz_tag *brz_tags_absorb(brz_tags *into, brz_strings *strings, const brz_tags *from,
                         const brz_strings *from_strings)
{
    brz_tag *map = from->n == 0 ? NULL : brz_calloc(from->n, sizeof *map);
    for (size_t i = 0; i < from->n; i++) {
        const brz_tag_entry *e = &from->items[i];
        brz_tag_entry own = *e;
        brz_tag_label *labels = brz_calloc(e->n_labels + 1, sizeof *labels);
        own.process_name =
            brz_strings_intern(strings, brz_strings_at(from_strings, e->process_name));
        own.thread_name = brz_strings_intern(strings, brz_strings_at(from_strings, e->thread_name));
        for (size_t k = 0; k < e->n_labels; k++) {
            labels[k] = from->labels[e->first_label + k];
            labels[k].key =
                brz_strings_intern(strings, brz_strings_at(from_strings, labels[k].key));
            labels[k].text =
                brz_strings_intern(strings, brz_strings_at(from_strings, labels[k].text));
            labels[k].unit =
                brz_strings_intern(strings, brz_strings_at(from_strings, labels[k].unit));
        }
        map[i] = brz_tags_intern(into, strings, &own, labels, (size_t)e->n_labels);
        free(labels);
    }
    into->left_out += from->left_out;
    return map;
}

int brz_tags_compare(const brz_tags *t, const brz_strings *strings, brz_tag a, brz_tag b)
{
    const brz_tag_entry *x = &t->items[a], *y = &t->items[b];
    int d = compare_numbers(x->process, y->process);
    if (d == 0)
        d = brz_strings_compare(strings, x->process_name, y->process_name);
    if (d == 0)
        d = compare_numbers(x->thread, y->thread);
    if (d == 0)
        d = brz_strings_compare(strings, x->thread_name, y->thread_name);
    if (d == 0)
        d = compare_numbers(x->flags, y->flags);
    if (d == 0)
        d = compare_numbers(x->cpu, y->cpu);
    for (size_t i = 0; d == 0 && i < x->n_labels && i < y->n_labels; i++)
        d = compare_labels(strings, &t->labels[x->first_label + i], &t->labels[y->first_label + i]);
    return d != 0 ? d : compare_numbers((int64_t)x->n_labels, (int64_t)y->n_labels);
}

void brz_tags_finish(brz_tags *t)
{
    free(t->items);
    free(t->labels);
    free(t->slots);
}
