/* SPDX-License-Identifier: MIT */
/* Holds back samples whose code gets its name later. */
#include "pending.h"

#include "frames.h"

#include <time.h>

/* Least time between two looks for names, in nanoseconds. They take at most one part in LOOK_SHARE
 * of the time. */
#define LOOK_PAUSE UINT64_C(1000000000)
#define LOOK_SHARE 100

/* ---- holding -------------------------------------------------------------------------------- */

static bool has_pending(const brz_path *path)
{
    for (size_t i = 0; i < path->n; i++)
        if (path->ids[i] & FRAMES_PENDING)
            return true;
    return false;
}

/* Returns whether the current path has to wait. Where the order of samples matters, those after
 * one that waits do, too. */
static bool has_to_wait(const recording *p)
{
    if (p->frames.n_pending == 0)
        return false;
    return (p->stacks.ordered && p->pending.n > 0) || has_pending(p->stacks.path);
}

/* Returns whether a count has this path. */
static bool has_path(const pending *w, const held_count *held, const brz_path *path)
{
    return held->n == path->n &&
           memcmp(w->ids.ids + held->first, path->ids, path->n * sizeof *path->ids) == 0;
}

/* Returns the count that is held for the path, column and tag, or NULL. */
static held_count *find(const recording *p, uint64_t hash, uint32_t column)
{
    const pending *w = &p->pending;
    const brz_path *path = p->stacks.path;
    uint32_t i = p->stacks.ordered ? PAIR_MISS : pair_map_find(&w->by_path, hash, column);
    return i != PAIR_MISS && has_path(w, &w->items[i], path) ? &w->items[i] : NULL;
}

/* Returns the position of a copy of the current path. The counters of a sample share one. */
static size_t keep_path(recording *p)
{
    pending *w = &p->pending;
    const brz_path *path = p->stacks.path;
    if (w->n > 0 && has_path(w, &w->items[w->n - 1], path))
        return w->items[w->n - 1].first;
    size_t first = w->ids.n;
    for (size_t i = 0; i < path->n; i++)
        brz_frame_list_push(&w->ids, p->ctx, path->ids[i]);
    return first;
}

/* Holds a count of the current path. */
static void hold(recording *p, uint64_t hash, uint32_t column, int64_t value)
{
    pending *w = &p->pending;
    const brz_stacks *s = &p->stacks;
    size_t first = keep_path(p);
    w->items = brz_list_room(p->ctx, w->items, w->n, &w->cap, sizeof *w->items);
    held_count *to = &w->items[w->n];
    *to = (held_count){.first = first, .n = (uint32_t)s->path->n, .column = column};
    to->tag = s->tag;
    to->timed = s->timed;
    to->time = s->time;
    to->value = value;
    if (!s->ordered)
        pair_map_put(&w->by_path, p->ctx, hash, column, (uint32_t)w->n);
    w->n++;
}

/* Counts the current path, now or at the end. Implements off_cpu_count. */
static brz_rc count_path(void *context, uint32_t column, int64_t value)
{
    recording *p = context;
    brz_stacks *s = &p->stacks;
    if (!has_to_wait(p))
        return brz_stacks_count(s, p->ctx, column, value);
    uint64_t hash = s->path->hashes[s->path->n];
    held_count *held = find(p, hash, column);
    if (held != NULL)
        brz_stacks_sum(s, &held->value, value);
    else
        hold(p, hash, column, value);
    return BRZ_OK;
}

void pending_init(recording *p)
{
    pair_map_init(&p->pending.by_path, p->ctx);
    p->off.count = count_path;
    p->off.count_context = p;
}

brz_rc pending_count_all(recording *p, const column_count *counts, size_t n)
{
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < n && rc == BRZ_OK; i++)
        rc = count_path(p, counts[i].column, counts[i].value);
    return rc;
}

/* ---- names ---------------------------------------------------------------------------------- */

static brz_rc count_held(recording *p, const held_count *held)
{
    const pending *w = &p->pending;
    const brz_frame *ids = w->ids.ids + held->first;
    brz_path_cut(p->stacks.path, 0);
    for (uint32_t i = 0; i < held->n; i++)
        frames_push_id(p, ids[i]);
    brz_stacks_place(&p->stacks, held->tag, held->timed, held->time);
    return brz_stacks_count(&p->stacks, p->ctx, held->column, held->value);
}

/* Returns whether all code of a path has names. */
static bool is_named(const recording *p, const held_count *held)
{
    const brz_frame *ids = p->pending.ids.ids + held->first;
    for (uint32_t i = 0; i < held->n; i++)
        if (frames_is_unnamed(p, ids[i]))
            return false;
    return true;
}

/* Keeps a count that is still held, after those that were kept. The counters of a sample share a
 * copy of its path: `*from` and `*to` are where the last one was, and where it is. */
static void keep(pending *w, held_count held, size_t *from, size_t *to)
{
    if (held.first != *from || w->n == 0) {
        *from = held.first;
        *to = w->ids.n;
        memmove(w->ids.ids + *to, w->ids.ids + held.first, held.n * sizeof *w->ids.ids);
        w->ids.n += held.n;
    }
    held.first = *to;
    w->items[w->n++] = held;
}

/* Lists the counts that are held by their paths. */
static void list_paths(recording *p)
{
    pending *w = &p->pending;
    const brz_hash_keys *keys = &p->stacks.own.keys;
    pair_map_reset(&w->by_path, p->ctx, w->n);
    for (size_t i = 0; i < w->n && !p->stacks.ordered; i++) {
        uint64_t hash = BRZ_HASH_EMPTY;
        for (uint32_t k = 0; k < w->items[i].n; k++)
            hash = brz_hash_step(keys, hash, w->ids.ids[w->items[i].first + k]);
        pair_map_put(&w->by_path, p->ctx, hash, w->items[i].column, (uint32_t)i);
    }
}

/* Counts the held samples whose code has names: where their order matters, up to the first one
 * without. */
static brz_rc count_named(recording *p)
{
    pending *w = &p->pending;
    size_t n = w->n, from = 0, to = 0;
    bool keeps_all = false;
    brz_rc rc = BRZ_OK;
    w->n = w->ids.n = 0;
    for (size_t i = 0; i < n; i++) {
        held_count held = w->items[i];
        if (!keeps_all && rc == BRZ_OK && is_named(p, &held)) {
            rc = count_held(p, &held);
        } else {
            keep(w, held, &from, &to);
            keeps_all = p->stacks.ordered;
        }
    }
    list_paths(p);
    return rc;
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

brz_rc pending_look(recording *p)
{
    pending *w = &p->pending;
    uint64_t begin = w->n > 0 && p->frames.n_unnamed > 0 ? now() : 0;
    if (begin == 0 || begin < w->next_look)
        return BRZ_OK;
    frames_name_pending(p);
    brz_rc rc = count_named(p);
    uint64_t end = now(), pause = (end - begin) * LOOK_SHARE;
    w->next_look = end + (pause > LOOK_PAUSE ? pause : LOOK_PAUSE);
    return rc;
}

/* ---- end ------------------------------------------------------------------------------------ */

brz_rc pending_finish(recording *p)
{
    brz_rc rc = BRZ_OK;
    frames_resolve_pending(p);
    for (size_t i = 0; i < p->pending.n && rc == BRZ_OK; i++)
        rc = count_held(p, &p->pending.items[i]);
    return rc;
}
