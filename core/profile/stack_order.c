/* SPDX-License-Identifier: MIT */
/* Sorts stacks by merging runs that are sorted already.
 *
 * Collapsers write sorted stacks, so a profile mostly consists of a run per input and thread. Each
 * stack knows how many frames it shares with the previous one of its run. When two runs are merged,
 * the head that shares more frames with the last stack taken comes next; only heads that share the
 * same number are compared, from that frame on. Each frame is therefore read about once (Ng,
 * Kakehi: Merging string sequences by longest common prefixes, 2008).
 *
 * Stacks with too many runs are sorted by multikey quicksort.
 */
#include "profile/stack_order.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* The number of runs is limited so that merging takes no longer than sorting, which reads every
 * stack from its first frame on. Merging does not read again what stacks share. */
#define MOST_RUNS    256
#define SHORTEST_RUN 64 /* on average */

/* Most ranks in a sort key: most stacks that differ do so before more. */
#define MOST_IN_KEY 8

typedef struct sorting {
    const brz_profile *profile;
    const brz_frame_rank *ranks;
    uint32_t bits;   /* of a rank in a sort key */
    uint32_t in_key; /* ranks in a key */
} sorting;

typedef struct runs {
    size_t *start; /* of each run, and the end of the last one */
    size_t n;
} runs;

/* ---- comparing ----------------------------------------------------------------------------- */

/* Returns the rank of frame `i` of a stack, or 0 after its end. */
static uint64_t rank_at(const sorting *s, const brz_profile_stack *stack, size_t i)
{
    if (i >= stack->n)
        return 0;
    const brz_frame_rank *r = &s->ranks[stack->frames[i]];
    return i + 1 < stack->n ? r->inner : r->leaf;
}

/* Returns a sort key: some ranks, and a bit that says whether more follow. */
static uint64_t key_of(const void *what, uint32_t item, size_t depth)
{
    const sorting *s = what;
    const brz_profile_stack *stack = &s->profile->stacks[item];
    size_t at = depth * s->in_key, end = at + s->in_key;
    uint64_t key = 0;
    if (end < stack->n) {
        for (; at < end; at++)
            key = key << s->bits | s->ranks[stack->frames[at]].inner;
        return key << 1 | 1;
    }
    for (; at < end; at++)
        key = key << s->bits | rank_at(s, stack, at);
    return key << 1;
}

/* Chooses how many ranks a key has: as many as fit. */
static void choose_keys(sorting *s)
{
    uint32_t most = 1;
    for (size_t i = 0; i < s->profile->n_frames; i++) {
        const brz_frame_rank *r = &s->ranks[i];
        most = r->inner > most ? r->inner : most;
        most = r->leaf > most ? r->leaf : most;
    }
    s->bits = 32 - (uint32_t)__builtin_clz(most);
    s->in_key = 63 / s->bits < MOST_IN_KEY ? 63 / s->bits : MOST_IN_KEY;
}

/* Returns the number of leading frames of two stacks that have equal ranks, which are `shared` or
 * more. Sets *before to whether the first stack sorts before the second one or equals it. */
static uint32_t compare(const sorting *s, uint32_t x, uint32_t y, uint32_t shared, bool *before)
{
    const brz_profile_stack *a = &s->profile->stacks[x], *b = &s->profile->stacks[y];
    uint32_t n = a->n < b->n ? a->n : b->n, i = a->frames == b->frames ? n : shared;
    for (;; i++) {
        while (i < n && a->frames[i] == b->frames[i])
            i++;
        if (i == n && i > 0)
            i--; /* the last frame of one stack may be followed by others in the other stack */
        uint64_t rank = rank_at(s, a, i), other = rank_at(s, b, i);
        *before = rank <= other;
        if (rank != other)
            return i;
        if (i + 1 >= n)
            return n;
    }
}

/* ---- runs ---------------------------------------------------------------------------------- */

/* Finds the runs. Returns false if there are too many; stacks that share frames are compared
 * without reading these, so that any number is good. */
static bool find_runs(const sorting *s, brz_multikey_item *items, size_t n, runs *r)
{
    size_t most = 1 + n / SHORTEST_RUN;
    most = s->profile->is_shared ? n : most < MOST_RUNS ? most : MOST_RUNS;
    r->start = brz_calloc(most + 1, sizeof *r->start);
    r->n = 1;
    r->start[0] = 0;
    for (size_t i = 1; i < n; i++) {
        bool sorted;
        items[i].key = compare(s, items[i - 1].item, items[i].item, 0, &sorted);
        if (sorted)
            continue;
        if (r->n == most)
            return false;
        items[i].key = 0;
        r->start[r->n++] = i;
    }
    r->start[r->n] = n;
    return true;
}

/* Merges the runs in[from .. middle) and in[middle .. end). */
static void merge(const sorting *s, const brz_multikey_item *in, size_t from, size_t middle,
                  size_t end, brz_multikey_item *out)
{
    size_t i = from, k = middle, n = from;
    uint32_t left = 0, right = 0; /* frames that the heads share with the last stack taken */
    while (i < middle && k < end) {
        bool is_left = left > right;
        uint32_t key = is_left ? left : right;
        if (left == right) {
            uint32_t shared = compare(s, in[i].item, in[k].item, left, &is_left);
            *(is_left ? &right : &left) = shared;
        }
        out[n++] = (brz_multikey_item){key, in[is_left ? i : k].item, 0};
        if (is_left)
            left = (uint32_t)in[++i < middle ? i : from].key;
        else
            right = (uint32_t)in[++k < end ? k : middle].key;
    }
    size_t rest = i < middle ? i : k;
    memcpy(&out[n], &in[rest], (end - n) * sizeof *out);
    if (n < end)
        out[n].key = i < middle ? left : right;
}

/* Merges each run with the next one, from `in` to `out`. */
static void merge_pairs(const sorting *s, runs *r, const brz_multikey_item *in,
                        brz_multikey_item *out)
{
    size_t n = 0, end = r->start[r->n];
    for (size_t i = 0; i < r->n; i += 2) {
        size_t middle = r->start[i + 1], to = i + 2 < r->n ? r->start[i + 2] : end;
        merge(s, in, r->start[i], middle, to, out);
        r->start[n++] = r->start[i];
    }
    r->start[n] = end;
    r->n = n;
}

/* Merges runs until one is left. */
static void merge_all(const sorting *s, runs *r, brz_multikey_item *items)
{
    size_t n = r->start[r->n];
    brz_multikey_item *other = brz_realloc(NULL, n, sizeof *other), *in = items, *out = other;
    while (r->n > 1) {
        merge_pairs(s, r, in, out);
        brz_multikey_item *t = in;
        in = out;
        out = t;
    }
    if (in != items)
        memcpy(items, in, n * sizeof *items);
    free(other);
}

/* Sorts stacks that are in no order. */
static void sort(const sorting *s, brz_multikey_item *items, size_t n)
{
    brz_multikey_sort(items, n, key_of, s);
    for (size_t i = 0; i < n; i++)
        items[i].key = 0;
}

bool brz_stack_order_sort(const brz_profile *p, const brz_frame_rank *ranks,
                          brz_multikey_item *order)
{
    sorting s = {p, ranks, 0, 0};
    size_t n = p->n_stacks;
    runs r;
    for (size_t i = 0; i < n; i++)
        order[i] = (brz_multikey_item){0, (uint32_t)i, 0};
    if (n < 2)
        return true;
    bool few = find_runs(&s, order, n, &r);
    if (!few) {
        choose_keys(&s);
        sort(&s, order, n);
    }
    if (few && r.n > 1)
        merge_all(&s, &r, order);
    free(r.start);
    return few;
}
