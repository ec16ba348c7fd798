/* SPDX-License-Identifier: MIT */
/* The threads and processes of a recording. */
#include "threads.h"

#include <brazier/symbol.h>

void threads_init(threads *t, brz_ctx *ctx)
{
    memset(t, 0, sizeof *t);
    pair_map_init(&t->by_tid, ctx);
    pair_map_init(&t->by_pid, ctx);
    brz_frame_cache_init(&t->name_ids, ctx);
}

/* Returns the copy of a name. */
static brz_str keep_name(threads *t, brz_ctx *ctx, brz_str name)
{
    t->scratch.len = 0;
    brz_text_append(&t->scratch, ctx, name);
    brz_frame_key key = brz_frame_key_of(&t->name_ids, t->scratch.data, name.len, 0);
    uint32_t i = brz_frame_cache_find(&t->name_ids, &key);
    if (i != BRZ_CACHE_MISS)
        return t->names[i];
    t->names = brz_list_room(ctx, t->names, t->n_names, &t->cap_names, sizeof *t->names);
    brz_frame_cache_put(&t->name_ids, ctx, &key, (uint32_t)t->n_names);
    return t->names[t->n_names++] = brz_text_keep(ctx, name);
}

static uint32_t process_of(threads *t, brz_ctx *ctx, uint32_t pid)
{
    uint32_t i = pair_map_find(&t->by_pid, pid, 0);
    if (i != PAIR_MISS)
        return i;
    t->processes =
        brz_list_room(ctx, t->processes, t->n_processes, &t->cap_processes, sizeof *t->processes);
    i = (uint32_t)t->n_processes++;
    t->processes[i] = (process){.pid = pid};
    pair_map_put(&t->by_pid, ctx, pid, 0, i);
    return i;
}

/* Counts a thread as one of the running threads of its process, or no longer. */
static void set_running(threads *t, thread *of, bool is_running)
{
    if (of->is_running && !is_running)
        t->processes[of->process].n_running--;
    else if (!of->is_running && is_running)
        t->processes[of->process].n_running++;
    of->is_running = is_running;
}

static void reset(threads *t, brz_ctx *ctx, thread *of, uint32_t pid, uint32_t tid)
{
    uint32_t held = of->held;
    uint64_t cookie = of->cookie;
    set_running(t, of, false);
    memset(of, 0, sizeof *of);
    of->held = held;
    of->cookie = cookie;
    of->pid = pid;
    of->tid = tid;
    of->process = process_of(t, ctx, pid);
    of->root = BRZ_NO_FRAME;
    set_running(t, of, true);
    if (tid == 0)
        of->name = BRZ_STR("swapper");
}

thread *threads_get(threads *t, brz_ctx *ctx, uint32_t pid, uint32_t tid)
{
    uint32_t i = pair_map_find(&t->by_tid, tid, 0);
    if (i != PAIR_MISS) {
        thread *of = &t->items[i];
        if (of->pid != pid && pid != KERNEL_PID) {
            set_running(t, of, false);
            of->pid = pid;
            of->process = process_of(t, ctx, pid);
            set_running(t, of, true);
            of->has_tag = false;
            of->root = BRZ_NO_FRAME;
        }
        return of;
    }
    t->items = brz_list_room(ctx, t->items, t->n, &t->cap, sizeof *t->items);
    i = (uint32_t)t->n++;
    memset(&t->items[i], 0, sizeof t->items[i]);
    reset(t, ctx, &t->items[i], pid, tid);
    pair_map_put(&t->by_tid, ctx, tid, 0, i);
    return &t->items[i];
}

brz_str threads_process_name(const threads *t, uint32_t pid)
{
    uint32_t i = pair_map_find(&t->by_tid, pid, 0);
    return i == PAIR_MISS ? brz_str_of("", 0) : t->items[i].name;
}

static void release_maps(threads *t, brz_ctx *ctx, process *p)
{
    maps_release(p->maps, &t->pool, ctx);
    p->maps = NULL;
    p->is_replaced = p->has_ended = false;
}

/* Keeps the mappings of a process that has ended, in the place of those that ended long ago. */
static void keep_ended(threads *t, brz_ctx *ctx, uint32_t position)
{
    uint32_t *place = &t->ended[t->n_ended % ENDED_MAX];
    if (t->processes[position].has_ended)
        return;
    if (t->n_ended++ >= ENDED_MAX && t->processes[*place].has_ended)
        release_maps(t, ctx, &t->processes[*place]);
    *place = position;
    t->processes[position].has_ended = true;
}

void threads_name(threads *t, brz_ctx *ctx, uint32_t pid, uint32_t tid, brz_str name, bool is_exec)
{
    thread *of = threads_get(t, ctx, pid, tid);
    if (is_exec) {
        t->processes[of->process].is_replaced = !t->keeps_maps;
        t->processes[of->process].is_starting = true;
    }
    if (name.len == of->name.len && brz_str_equal(name, of->name))
        return;
    of->name = keep_name(t, ctx, name);
    of->is_java = brz_str_is(name, "java");
    of->root = BRZ_NO_FRAME;
    of->has_tag = false;
    if (tid == pid)
        t->processes[of->process].name_version++;
}

void threads_fork(threads *t, brz_ctx *ctx, const uint32_t ids[4], bool copies_maps)
{
    uint32_t pid = ids[0], ppid = ids[1], tid = ids[2], ptid = ids[3];
    const thread *parent = threads_get(t, ctx, ppid, ptid);
    thread named = *parent;
    thread *child = threads_get(t, ctx, pid, tid);
    if (pid == ppid && tid == ptid)
        return;
    t->processes[named.process].is_starting = false; /* it has run */
    reset(t, ctx, child, pid, tid);
    child->name = named.name;
    child->is_java = named.is_java;
    if (tid == pid)
        t->processes[child->process].name_version++;
    if (pid == ppid)
        return;
    process *to = &t->processes[child->process];
    maps *from = t->processes[named.process].maps;
    release_maps(t, ctx, to);
    if (!copies_maps || from == NULL)
        return;
    to->maps = maps_share(from);
    to->is_replaced = t->processes[named.process].is_replaced;
}

void threads_exit(threads *t, brz_ctx *ctx, uint32_t pid, uint32_t tid)
{
    uint32_t i = pair_map_find(&t->by_tid, tid, 0);
    if (i == PAIR_MISS || t->items[i].pid != pid)
        return;
    set_running(t, &t->items[i], false);
    if (t->processes[t->items[i].process].n_running == 0)
        keep_ended(t, ctx, t->items[i].process);
}

void threads_map(threads *t, brz_ctx *ctx, uint32_t pid, map_range range)
{
    uint32_t i = process_of(t, ctx, pid); /* may move the processes */
    process *p = &t->processes[i];
    if (p->is_replaced || p->has_ended)
        release_maps(t, ctx, p);
    if (p->maps == NULL)
        p->maps = maps_create(&t->pool, ctx);
    maps *m = maps_add(p->maps, &t->pool, ctx, range);
    if (m == NULL) {
        t->full = true;
        release_maps(t, ctx, p);
        p->maps = m = maps_create(&t->pool, ctx);
        maps_add(m, &t->pool, ctx, range);
    }
    p->maps = m;
}
