/* Holds samples back whose user part follows later. */
#include "deferred.h"

#include "frames.h"
#include "pending.h"
#include "push.h"

/* Maximum number of samples that are held. */
#define HELD_MAX 65536

/* Counts the current path, whose root is not pushed yet. `ip` is the leaf of an empty one. */
static brz_rc count(recording *p, thread *of, uint64_t ip, uint32_t column, int64_t value)
{
    if (p->stacks.path->n == 0)
        push_address(p, of, ip);
    brz_path_push(p->stacks.path, p->ctx, frames_root(p, of));
    return pending_count(p, column, value);
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

/* Counts a sample, with the user part in `words`, and frees its element. */
static brz_rc release(recording *p, thread *of, uint32_t number, const uint8_t *words, uint64_t n)
{
    held_sample *s = &p->held.items[number - 1];
    brz_path_cut(p->stacks.path, 0);
    for (size_t i = 0; i < s->frames.n; i++)
        brz_path_push(p->stacks.path, p->ctx, s->frames.ids[i]);
    push_user(p, of, words, n);
    brz_stacks_place(&p->stacks, s->tag, s->timed, s->time);
    of->held = s->next;
    s->next = p->held.free;
    p->held.free = number;
    p->held.n_used--;
    return count(p, of, s->ip, s->column, s->value);
}

/* Counts all samples that a thread holds. The list has the newest one first. */
static brz_rc release_all(recording *p, thread *of, const uint8_t *words, uint64_t n)
{
    brz_rc rc = BRZ_OK;
    while (of->held != 0 && rc == BRZ_OK) {
        p->losses.deferred += words == NULL;
        rc = release(p, of, of->held, words, n);
    }
    return rc;
}

/* Keeps the current path and place. */
static void keep(recording *p, held_sample *to)
{
    const brz_stacks *now = &p->stacks;
    to->frames.n = 0;
    for (size_t i = 0; i < now->path->n; i++)
        brz_frame_list_push(&to->frames, p->ctx, now->path->ids[i]);
    to->tag = now->tag;
    to->timed = now->timed;
    to->time = now->time;
}

brz_rc deferred_hold(recording *p, thread *of, uint64_t cookie, uint32_t column, const sample *s)
{
    if (p->held.n_used == HELD_MAX) {
        p->losses.deferred++;
        return count(p, of, s->ip, column, word_clamped(s->period));
    }
    uint32_t number = new_held(&p->held, p->ctx);
    held_sample *to = &p->held.items[number - 1];
    keep(p, to);
    to->ip = s->ip;
    to->column = column;
    to->value = word_clamped(s->period);
    brz_rc rc = of->cookie == cookie ? BRZ_OK : release_all(p, of, NULL, 0);
    to->next = of->held;
    of->held = number;
    of->cookie = cookie;
    p->held.n_used++;
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
