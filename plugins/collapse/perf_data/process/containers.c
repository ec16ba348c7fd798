/* SPDX-License-Identifier: MIT */
/* Lists the root folders through which files of recorded processes are reached. */
#include "containers.h"

#include <brazier/text/buffer.h>

#include <stdio.h>

void containers_init(containers *c, brz_ctx *ctx)
{
    memset(c, 0, sizeof *c);
    pair_map_init(&c->by_pid, ctx);
}

/* Returns the entry of a process, which is created if there is none. */
static inside *get(containers *c, brz_ctx *ctx, uint32_t pid)
{
    uint32_t i = pair_map_find(&c->by_pid, pid, 0);
    if (i != PAIR_MISS)
        return &c->items[i];
    c->items = brz_list_room(ctx, c->items, c->n, &c->cap, sizeof *c->items);
    pair_map_put(&c->by_pid, ctx, pid, 0, (uint32_t)c->n);
    c->items[c->n] = (inside){.pid = pid};
    return &c->items[c->n++];
}

void containers_note(containers *c, brz_ctx *ctx, uint32_t pid, uint64_t mounts)
{
    get(c, ctx, pid)->mounts = mounts;
}

static void read_process(containers *c, brz_ctx *ctx, brz_bytes *b)
{
    uint32_t pid = brz_bytes_u32(b), own = brz_bytes_u32(b);
    uint64_t mounts = brz_bytes_u64(b);
    if (b->error == NULL)
        *get(c, ctx, pid) = (inside){pid, own, mounts};
}

static void read_kept(containers *c, brz_ctx *ctx, uint32_t recorder, brz_bytes *b)
{
    uint64_t mounts = brz_bytes_u64(b), root = brz_bytes_u64(b);
    if (b->error != NULL || root > INT32_MAX)
        return;
    c->kept = brz_list_room(ctx, c->kept, c->n_kept, &c->kept_cap, sizeof *c->kept);
    c->kept[c->n_kept++] = (kept_mounts){mounts, recorder, (uint32_t)root};
}

void containers_read(containers *c, brz_ctx *ctx, brz_bytes *b)
{
    uint32_t version = brz_bytes_u32(b);
    if (version != 1)
        return;
    for (uint64_t n = brz_bytes_count(b, brz_bytes_u32(b), 16); n > 0; n--)
        read_process(c, ctx, b);
    uint32_t n_kept = brz_bytes_u32(b), recorder = brz_bytes_u32(b);
    for (uint64_t n = brz_bytes_count(b, n_kept, 16); n > 0; n--)
        read_kept(c, ctx, recorder, b);
}

const inside *containers_find(const containers *c, uint32_t pid)
{
    uint32_t i = pair_map_find(&c->by_pid, pid, 0);
    return i == PAIR_MISS ? NULL : &c->items[i];
}

bool containers_are_foreign(const containers *c, uint32_t pid)
{
    const inside *known = containers_find(c, pid);
    bool are = false;
    for (size_t i = 0; known != NULL && i < c->n_kept; i++)
        are |= c->kept[i].mounts == known->mounts;
    return are;
}

static void add_kept(const containers *c, uint64_t mounts, process_roots *to)
{
    for (size_t i = 0; i < c->n_kept && to->n < ROOTS_MAX - 1; i++)
        if (c->kept[i].mounts == mounts && c->kept[i].root > 0)
            snprintf(to->names[to->n++], ROOT_NAME_MAX, "/proc/%u/fd/%u", c->kept[i].recorder,
                     c->kept[i].root);
}

static void add_others(const containers *c, const inside *like, process_roots *to)
{
    for (size_t i = 0; i < c->n && to->n < ROOTS_MAX - 1; i++)
        if (c->items[i].mounts == like->mounts && c->items[i].pid != like->pid)
            snprintf(to->names[to->n++], ROOT_NAME_MAX, "/proc/%u/root", c->items[i].pid);
}

process_roots containers_roots(const containers *c, uint32_t pid)
{
    process_roots roots = {.n = 0};
    const inside *known = containers_find(c, pid);
    if (pid != 0)
        snprintf(roots.names[roots.n++], ROOT_NAME_MAX, "/proc/%u/root", pid);
    if (known != NULL && known->mounts != 0) {
        add_kept(c, known->mounts, &roots);
        add_others(c, known, &roots);
    }
    roots.names[roots.n++][0] = '\0';
    return roots;
}
