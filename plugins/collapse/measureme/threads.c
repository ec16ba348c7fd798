/* SPDX-License-Identifier: MIT */
/* Counts the self time of intervals: without that of the intervals within them. */
#include "threads.h"

#include <stdlib.h>

#include "../../common/json/text.h"

/* ---- events ---------------------------------------------------------------------------------- */

static uint32_t event_size(const streams *s)
{
    return s->version == 8 ? 24 : 32;
}

uint64_t events_count(streams *s, brz_ctx *ctx)
{
    uint64_t len = s->of[STREAM_EVENTS].len;
    if (len < STREAM_HEADER_SIZE)
        return 0;
    len -= STREAM_HEADER_SIZE;
    if (len % event_size(s) != 0)
        brz_report_lost(ctx, "measureme.event", NULL, 0,
                        BRZ_STR("the events end within one, which is left out"));
    return len / event_size(s);
}

const uint8_t *events_place(stream *s, uint64_t address, uint32_t size, uint8_t *copy,
                            const uint8_t **at)
{
    size_t there;
    *at = stream_piece(s, address, &there);
    return there >= size ? *at : stream_bytes(s, address, size, copy);
}

/* ---- threads --------------------------------------------------------------------------------- */

void threads_init(threads *t, brz_ctx *ctx, uint32_t column)
{
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_PROCESS};
    d.name = BRZ_STR("rustc");
    t->ctx = ctx;
    t->column = column;
    t->root = ctx->host->frame(ctx, &d);
    pair_map_init(&t->ids, ctx);
    pair_map_init(&t->nodes, ctx);
    brz_stacks_init(&t->stacks, ctx, BRZ_NESTED);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Finds the node of a frame below that of its caller; creates it if it is new. */
static uint32_t find_node(threads *t, uint32_t caller, brz_frame frame)
{
    uint32_t node = pair_map_find(&t->nodes, caller, frame);
    if (node != PAIR_MISS)
        return node;
    t->of_nodes = brz_list_room(t->ctx, t->of_nodes, t->n_nodes, &t->nodes_cap, sizeof node);
    t->of_nodes[t->n_nodes++] = 0;
    pair_map_put(&t->nodes, t->ctx, caller, frame, (uint32_t)t->n_nodes);
    return (uint32_t)t->n_nodes;
}

/* Stores the stack of the open intervals. Returns its entry. */
static brz_stacks_entry *store(threads *t, thread *k)
{
    brz_path *path = &k->path;
    size_t same = 0;
    while (same < path->n && same < k->n_open && path->ids[same] == k->open[same].frame)
        same++;
    brz_path_cut(path, same);
    for (size_t i = same; i < k->n_open; i++)
        brz_path_push(path, t->ctx, k->open[i].frame);
    t->stacks.path = path;
    return brz_stacks_entry_of(&t->stacks, t->ctx, t->column);
}

/* Returns the entry of the stack of the open intervals. */
static inline brz_stacks_entry *entry_of(threads *t, thread *k)
{
    uint32_t *entry = &t->of_nodes[k->open[k->n_open - 1].node - 1];
    if (*entry == 0)
        *entry = (uint32_t)(store(t, k) - t->stacks.entries) + 1;
    return &t->stacks.entries[*entry - 1];
}

/* ---- own time ------------------------------------------------------------------------------- */

/* Counts time of the innermost open interval. */
static inline brz_rc count(threads *t, thread *k, int64_t time, int64_t value)
{
    if (value == 0)
        return BRZ_OK;
    brz_stacks_entry *e = entry_of(t, k);
    if (!t->stacks.ordered)
        return brz_stacks_add(&t->stacks, t->ctx, e, value);
    k->periods =
        brz_list_room(t->ctx, k->periods, k->n_periods, &k->periods_cap, sizeof *k->periods);
    k->periods[k->n_periods++] = (period){time, value, (uint32_t)(e - t->stacks.entries)};
    return BRZ_OK;
}

/* Moves the cursor of the innermost open interval over its own time since `from`. Time that its
 * intervals use twice is taken from it. */
static inline brz_rc take_own_time(threads *t, thread *k, int64_t from)
{
    open_interval *o = &k->open[k->n_open - 1];
    int64_t own = o->cursor - from;
    if (own < 0 || o->overlap > 0) {
        int64_t used = own < 0 ? -own : own < o->overlap ? -own : -o->overlap;
        t->overlapping += own < 0;
        own = own < 0 ? 0 : own + used;
        brz_stacks_sum(&t->stacks, &o->overlap, used);
    }
    return count(t, k, from, own);
}

/* Completes the innermost open interval. */
static inline brz_rc complete(threads *t, thread *k)
{
    open_interval *o = &k->open[k->n_open - 1];
    brz_rc rc = take_own_time(t, k, o->begin);
    if (rc == BRZ_OK && o->overlap > 0)
        rc = count(t, k, o->begin, -o->overlap);
    k->n_open--;
    return rc;
}

static bool contains(const open_interval *o, const event *e)
{
    return o->begin <= e->first && e->second <= o->end;
}

/* ---- threads -------------------------------------------------------------------------------- */

static inline void open_interval_at(threads *t, thread *k, brz_frame frame, const event *e)
{
    uint32_t caller = k->n_open > 0 ? k->open[k->n_open - 1].node : 0;
    k->open = brz_list_room(t->ctx, k->open, k->n_open, &k->open_cap, sizeof *k->open);
    open_interval *o = &k->open[k->n_open++];
    if (o->node == 0 || o->caller != caller || o->frame != frame) {
        o->node = find_node(t, caller, frame);
        o->caller = caller;
        o->frame = frame;
    }
    o->begin = e->first;
    o->end = o->cursor = e->second;
    o->overlap = 0;
}

/* Returns the thread of an interval; creates it with the root, which contains all its intervals. */
static thread *find_thread(threads *t, const event *e)
{
    uint32_t index = pair_map_find(&t->ids, e->thread, 0);
    t->last = index != PAIR_MISS ? index : t->n;
    if (index != PAIR_MISS)
        return &t->items[index];
    t->items = brz_list_room(t->ctx, t->items, t->n, &t->cap, sizeof *t->items);
    pair_map_put(&t->ids, t->ctx, e->thread, 0, (uint32_t)t->n);
    thread *k = &t->items[t->n++];
    *k = (thread){.id = e->thread, .begin = e->first};
    brz_path_init(&k->path, t->ctx, 16);
    open_interval_at(t, k, t->root, e);
    return k;
}

brz_rc threads_take(threads *t, const event *e, brz_frame frame)
{
    bool is_last = t->last < t->n && t->items[t->last].id == e->thread;
    thread *k = is_last ? &t->items[t->last] : find_thread(t, e);
    brz_rc rc = BRZ_OK;
    k->begin = e->first < k->begin ? e->first : k->begin;
    while (rc == BRZ_OK && k->n_open > 1 && !contains(&k->open[k->n_open - 1], e))
        rc = complete(t, k);
    if (k->n_open > OPEN_MAX) { /* with the root */
        t->too_deep += e->second > e->first;
        return rc;
    }
    if (rc == BRZ_OK)
        rc = take_own_time(t, k, e->second);
    k->open[k->n_open - 1].cursor = e->first;
    open_interval_at(t, k, frame, e);
    return rc;
}

static brz_rc complete_thread(threads *t, thread *k)
{
    brz_rc rc = BRZ_OK;
    k->open[0].begin = k->begin;
    while (rc == BRZ_OK && k->n_open > 0)
        rc = complete(t, k);
    return rc;
}

/* ---- samples in order ----------------------------------------------------------------------- */

static brz_tag tag_of(const threads *t, const thread *k, const process *p)
{
    if ((t->ctx->flags & BRZ_CTX_WANTS_TAGS) == 0)
        return BRZ_NO_TAG;
    brz_tag_desc d = {.struct_size = sizeof d, .flags = BRZ_TAG_THREAD, .thread = k->id};
    d.flags |= p->has_id ? BRZ_TAG_PROCESS : 0;
    d.process = p->id;
    d.process_name = p->name;
    return t->ctx->host->tag(t->ctx, &d);
}

/* Passes the periods of a thread to the host, the earliest first. */
static brz_rc send_periods(threads *t, const thread *k, const process *p)
{
    bool timed = (t->ctx->flags & BRZ_CTX_WANTS_TIME) != 0 && p->timed;
    brz_tag tag = tag_of(t, k, p);
    brz_rc rc = BRZ_OK;
    for (size_t i = k->n_periods; i > 0 && rc == BRZ_OK; i--) {
        const period *one = &k->periods[i - 1];
        brz_stacks_place(&t->stacks, tag, timed ? BRZ_TIMED : 0, timed ? one->time : 0);
        rc = brz_stacks_add(&t->stacks, t->ctx, &t->stacks.entries[one->entry], one->value);
    }
    return rc;
}

static int by_begin(const void *a, const void *b)
{
    const thread *s = a, *t = b;
    if (s->begin != t->begin)
        return s->begin < t->begin ? -1 : 1;
    return s->id < t->id ? -1 : s->id > t->id;
}

brz_rc threads_finish(threads *t, const process *p)
{
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < t->n && rc == BRZ_OK; i++)
        rc = complete_thread(t, &t->items[i]);
    if (t->n > 1)
        qsort(t->items, t->n, sizeof *t->items, by_begin);
    for (size_t i = 0; i < t->n && rc == BRZ_OK; i++)
        rc = send_periods(t, &t->items[i], p);
    brz_report_count(t->ctx, BRZ_WARNING, "measureme.overlap", t->overlapping, 0,
                     BRZ_STR("intervals of a thread overlap: the time that they share counts in "
                             "each, and not in their caller ({count})"));
    brz_report_count(t->ctx, BRZ_WARNING, "measureme.depth", t->too_deep, 0,
                     BRZ_STR("intervals within 1024 others count for the innermost of these "
                             "({count})"));
    return rc;
}
