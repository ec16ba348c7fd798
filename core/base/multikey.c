/* SPDX-License-Identifier: MIT */
/* Multikey quicksort (Bentley, Sedgewick 1997): partitions items into three parts by one key, and
 * continues with the next key for equal items. Fetches the key of each item once per depth.
 *
 * The loop continues with the largest of the three parts and recurses for the other two, so the
 * depth of the recursion is at most logarithmic in n, however long the sequences are.
 *
 * Data that was sorted before several threads shared it consists of a few sorted runs that do not
 * overlap; these are only rearranged.
 */
#include "base/multikey.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FEW 12

/* Limits the number of runs so that comparing their first items, however long the common prefixes
 * are, takes no longer than reading all items. */
#define MOST_RUNS    512
#define SHORTEST_RUN 64 /* on average */

typedef struct part {
    brz_multikey_item *items;
    size_t n, depth;
} part;

static void fetch_keys(const part *p, brz_multikey_fn *key, const void *what)
{
    for (size_t i = 0; i < p->n; i++)
        p->items[i].key = key(what, p->items[i].item, p->depth);
}

static bool is_last(uint64_t key)
{
    return (key & 1) == 0;
}

static bool is_before(const brz_multikey_item *a, const brz_multikey_item *b, size_t depth,
                      brz_multikey_fn *key, const void *what)
{
    uint64_t x = a->key, y = b->key;
    while (x == y && !is_last(x)) {
        depth++;
        x = key(what, a->item, depth);
        y = key(what, b->item, depth);
    }
    return x < y;
}

static void insertion_sort(const part *p, brz_multikey_fn *key, const void *what)
{
    for (size_t i = 1; i < p->n; i++) {
        brz_multikey_item item = p->items[i];
        size_t j = i;
        for (; j > 0 && is_before(&item, &p->items[j - 1], p->depth, key, what); j--)
            p->items[j] = p->items[j - 1];
        p->items[j] = item;
    }
}

/* Splits the items into sorted runs. Returns the number of runs, or 0 if there are more than
 * `most`. */
static size_t find_runs(const part *p, part *runs, size_t most, brz_multikey_fn *key,
                        const void *what)
{
    size_t n = 1;
    runs[0] = (part){p->items, 1, 0};
    for (size_t i = 1; i < p->n; i++) {
        if (!is_before(&p->items[i], &p->items[i - 1], 0, key, what)) {
            runs[n - 1].n++;
            continue;
        }
        if (n == most)
            return 0;
        runs[n++] = (part){&p->items[i], 1, 0};
    }
    return n;
}

/* Sorts runs by their first items. */
static void sort_runs(part *runs, size_t n, brz_multikey_fn *key, const void *what)
{
    for (size_t i = 1; i < n; i++) {
        part run = runs[i];
        size_t from = 0, to = i;
        while (from < to) {
            size_t middle = (from + to) / 2;
            if (is_before(run.items, runs[middle].items, 0, key, what))
                to = middle;
            else
                from = middle + 1;
        }
        memmove(runs + from + 1, runs + from, (i - from) * sizeof *runs);
        runs[from] = run;
    }
}

/* Joins runs that are sorted and do not overlap. */
static void join_runs(const part *p, const part *runs, size_t n)
{
    brz_multikey_item *sorted = brz_realloc(NULL, p->n, sizeof *sorted);
    size_t at = 0;
    for (size_t i = 0; i < n; at += runs[i++].n)
        memcpy(sorted + at, runs[i].items, runs[i].n * sizeof *sorted);
    memcpy(p->items, sorted, p->n * sizeof *sorted);
    free(sorted);
}

/* Sorts items that consist of a few sorted runs that do not overlap. Returns false, without
 * changing anything, if they do not. The first keys must have been fetched. */
static bool rearrange_runs(const part *p, brz_multikey_fn *key, const void *what)
{
    size_t most = 1 + p->n / SHORTEST_RUN;
    most = most < MOST_RUNS ? most : MOST_RUNS;
    part *runs = brz_realloc(NULL, most, sizeof *runs);
    size_t n = find_runs(p, runs, most, key, what);
    bool good = n > 0;
    sort_runs(runs, n, key, what);
    for (size_t i = 1; i < n && good; i++)
        good = !is_before(runs[i].items, &runs[i - 1].items[runs[i - 1].n - 1], 0, key, what);
    if (good && n > 1)
        join_runs(p, runs, n);
    free(runs);
    return good;
}

static uint64_t median(uint64_t a, uint64_t b, uint64_t c)
{
    if (a > b) {
        uint64_t t = a;
        a = b;
        b = t;
    }
    return c < a ? a : c > b ? b : c;
}

static void swap(brz_multikey_item *a, brz_multikey_item *b)
{
    brz_multikey_item t = *a;
    *a = *b;
    *b = t;
}

/* Partitions by a median key into lesser, equal (one key deeper, or empty after the last key) and
 * greater items. The keys must have been fetched. */
static void divide(const part *p, part out[3])
{
    brz_multikey_item *v = p->items;
    uint64_t pivot = median(v[0].key, v[p->n / 2].key, v[p->n - 1].key);
    size_t less = 0, i = 0, greater = p->n;
    while (i < greater) {
        if (v[i].key < pivot)
            swap(&v[less++], &v[i++]);
        else if (v[i].key > pivot)
            swap(&v[i], &v[--greater]);
        else
            i++;
    }
    out[0] = (part){v, less, p->depth};
    out[1] = (part){v + less, is_last(pivot) ? 0 : greater - less, p->depth + 1};
    out[2] = (part){v + greater, p->n - greater, p->depth};
}

static void sort(part p, bool fetched, brz_multikey_fn *key, const void *what)
{
    for (;;) {
        if (!fetched)
            fetch_keys(&p, key, what);
        if (p.n <= FEW) {
            insertion_sort(&p, key, what);
            return;
        }
        part parts[3];
        divide(&p, parts);
        size_t largest = parts[1].n >= parts[0].n ? 1 : 0;
        largest = parts[2].n > parts[largest].n ? 2 : largest;
        for (size_t i = 0; i < 3; i++)
            if (i != largest && parts[i].n > 1)
                sort(parts[i], i != 1, key, what);
        if (parts[largest].n < 2)
            return;
        p = parts[largest];
        fetched = largest != 1;
    }
}

void brz_multikey_sort(brz_multikey_item *items, size_t n, brz_multikey_fn *key, const void *what)
{
    part all = {items, n, 0};
    if (n < 2)
        return;
    fetch_keys(&all, key, what);
    if (!rearrange_runs(&all, key, what))
        sort(all, true, key, what);
}
