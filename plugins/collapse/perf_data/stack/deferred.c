/* SPDX-License-Identifier: MIT */
/* Holds back samples whose user part follows later. */
#include "deferred.h"

#include "frames.h"
#include "pending.h"
#include "push.h"

/* Maximum number of samples that are held. */
#define HELD_MAX 65536

/* Counts the current path, whose root is not pushed yet. `ip` is the leaf of an empty one. */
static brz_rc count(recording *p, thread *of, uint64_t ip, const column_count *counts, size_t n)
{
    if (p->stacks.path->n == 0)
        push_address(p, of, ip);
    brz_path_push(p->stacks.path, p->ctx, frames_root(p, of));
    return pending_count_all(p, counts, n);
}

/* Returns the number of a free element. */
static uint32_t new_held(held_samples *h, brz_ctx *ctx)
{
    uint32_t i = h->free;
    if (i != 0) {
        h->free = h->items[i - 1].next;
        return i;
    }
    h->items = brz_list_room(ctx, h->items, h->n, &h->cap, sizeof *h->items);
    return (uint32_t)++h->n;
}

/* Counts a sample, with the user part in `words`, and frees its element. An element that has the
 * frames of others is freed after them. */
static brz_rc release(recording *p, thread *of, uint32_t number, const uint8_t *words, uint64_t n)
{
    held_sample *s = &p->held.items[number - 1];
    const brz_frame_list *path = s->shared != 0 ? &p->held.items[s->shared - 1].frames : &s->frames;
    brz_path_cut(p->stacks.path, 0);
    for (size_t i = 0; i < path->n; i++)
        brz_path_push(p->stacks.path, p->ctx, path->ids[i]);
    push_user(p, of, words, n);
    brz_stacks_place(&p->stacks, s->tag, s->timed, s->time);
    of->held = s->next;
    s->next = p->held.free;
    p->held.free = number;
    p->held.n_used--;
    return count(p, of, s->ip, &s->count, 1);
}

/* Counts all samples that a thread holds. The list has the newest one first. */
static brz_rc release_all(recording *p, thread *of, const uint8_t *words, uint64_t n)
{
    brz_rc rc = BRZ_OK;
    while (of->held != 0 && rc == BRZ_OK) {
        bool is_sample = p->held.items[of->held - 1].shared == 0;
        p->losses.deferred += words == NULL && is_sample;
        rc = release(p, of, of->held, words, n);
    }
    return rc;
}

/* Keeps the current path, if the element does not share that of another one, and the place. */
static void keep(recording *p, held_sample *to)
{
    const brz_stacks *now = &p->stacks;
    to->frames.n = 0;
    for (size_t i = 0; i < now->path->n && to->shared == 0; i++)
        brz_frame_list_push(&to->frames, p->ctx, now->path->ids[i]);
    to->tag = now->tag;
    to->timed = now->timed;
    to->time = now->time;
}

/* Keeps a count of the current path. Returns the number of its element. The other counts of the
 * path share the frames of the first one. */
static uint32_t hold(recording *p, uint32_t first, uint64_t ip, column_count count)
{
    uint32_t number = new_held(&p->held, p->ctx);
    held_sample *to = &p->held.items[number - 1];
    to->shared = first;
    to->ip = ip;
    to->count = count;
    keep(p, to);
    p->held.n_used++;
    return number;
}

brz_rc deferred_hold(recording *p, thread *of, uint64_t cookie, uint64_t ip,
                     const column_count *counts, size_t n)
{
    if (p->held.n_used + n > HELD_MAX) {
        p->losses.deferred++;
        return count(p, of, ip, counts, n);
    }
    uint32_t first = hold(p, 0, ip, counts[0]), newest = first;
    for (size_t i = 1; i < n; i++) {
        uint32_t next = hold(p, first, ip, counts[i]);
        p->held.items[next - 1].next = newest;
        newest = next;
    }
    brz_rc rc = of->cookie == cookie ? BRZ_OK : release_all(p, of, NULL, 0);
    p->held.items[first - 1].next = of->held;
    of->held = newest;
    of->cookie = cookie;
    return rc;
}

brz_rc deferred_complete(recording *p, thread *of, brz_bytes body, bool *is_damaged)
{
    uint64_t cookie = brz_bytes_u64(&body), n = brz_bytes_u64(&body);
    n = brz_bytes_count(&body, n, 8);
    *is_damaged = body.error != NULL;
    bool is_known = !*is_damaged && of->held != 0 && of->cookie == cookie;
    return is_known ? release_all(p, of, body.at, n) : BRZ_OK;
}

brz_rc deferred_finish(recording *p)
{
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < p->threads.n && rc == BRZ_OK; i++)
        rc = release_all(p, &p->threads.items[i], NULL, 0);
    return rc;
}
