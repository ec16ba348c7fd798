/* Holds back samples whose code gets its name at the end. */
#include "pending.h"

#include "frames.h"

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

/* ---- end ------------------------------------------------------------------------------------ */

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

brz_rc pending_finish(recording *p)
{
    brz_rc rc = BRZ_OK;
    frames_resolve_pending(p);
    for (size_t i = 0; i < p->pending.n && rc == BRZ_OK; i++)
        rc = count_held(p, &p->pending.items[i]);
    return rc;
}
