/* SPDX-License-Identifier: MIT */
/* Keeps what was added to a profile while it is read. */
#include "profile/recent.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

typedef struct brz_tick {
    brz_addition *items;
    size_t n, cap;
} brz_tick;

void brz_recent_init(brz_recent *r, size_t n_ticks, size_t most)
{
    *r = (brz_recent){.ticks = brz_calloc(n_ticks, sizeof *r->ticks), .n_ticks = n_ticks};
    r->most = most;
}

void brz_recent_finish(brz_recent *r)
{
    for (size_t i = 0; i < r->n_ticks; i++)
        free(r->ticks[i].items);
    free(r->ticks);
    free(r->before.values);
    free(r->begin.values);
    *r = (brz_recent){0};
}

/* ---- sums ---------------------------------------------------------------------------------- */

static int64_t sum_of(const brz_sums *s, size_t stack, size_t weight)
{
    return stack < s->n_stacks && weight < s->n_weights ? s->values[weight * s->n_stacks + stack]
                                                        : 0;
}

/* Stores the present sums. */
static void take_sums(brz_sums *s, const brz_profile *p)
{
    s->values = brz_realloc(s->values, p->n_stacks * p->n_weights + 1, sizeof *s->values);
    s->n_stacks = p->n_stacks;
    s->n_weights = p->n_weights;
    for (uint32_t w = 0; w < p->n_weights; w++)
        for (size_t i = 0; i < p->n_stacks; i++)
            s->values[w * p->n_stacks + i] = brz_profile_value(p, (brz_stack)i, w);
}

/* Returns the difference of two sums; these may have reached their limits. */
static int64_t difference(int64_t now, int64_t before)
{
    int64_t d;
    return __builtin_sub_overflow(now, before, &d) ? 0 : d;
}

/* ---- ticks --------------------------------------------------------------------------------- */

/* Forgets a tick. */
static void forget(brz_recent *r, size_t tick)
{
    brz_tick *t = &r->ticks[tick];
    r->n_kept -= t->n;
    free(t->items);
    *t = (brz_tick){0};
}

/* Makes the oldest tick the newest one. */
static void turn(brz_recent *r)
{
    r->last = (r->last + 1) % r->n_ticks;
    forget(r, r->last);
}

/* Forgets the oldest ticks until there is room for one more difference. */
static bool make_room(brz_recent *r)
{
    for (size_t i = 1; i < r->n_ticks && r->n_kept >= r->most; i++)
        forget(r, (r->last + i) % r->n_ticks);
    return r->n_kept < r->most;
}

static void add(brz_recent *r, brz_addition a)
{
    brz_tick *t = &r->ticks[r->last];
    if (a.value == 0 || !make_room(r))
        return;
    t->items = brz_grow(t->items, t->n, &t->cap, sizeof *t->items);
    t->items[t->n++] = a;
    r->n_kept++;
}

void brz_recent_tick(brz_recent *r, const brz_profile *p, size_t n)
{
    for (size_t i = 0; i < n && i < r->n_ticks; i++)
        turn(r);
    for (uint32_t w = 0; w < p->n_weights; w++)
        for (size_t i = 0; i < p->n_stacks; i++) {
            int64_t now = brz_profile_value(p, (brz_stack)i, w);
            add(r, (brz_addition){(brz_stack)i, w, difference(now, sum_of(&r->before, i, w))});
        }
    take_sums(&r->before, p);
}

void brz_recent_mark(brz_recent *r, const brz_profile *p)
{
    take_sums(&r->begin, p);
}

/* ---- copies -------------------------------------------------------------------------------- */

/* Returns a copy, in which stacks and weights have the same ids. */
static brz_profile *copy(const brz_profile *p, bool has_samples)
{
    brz_profile from = *p, *to = brz_profile_create();
    if (!has_samples)
        from.samples = (brz_samples){.which = BRZ_SAMPLES_NONE};
    brz_profile_absorb(to, &from);
    for (size_t i = 0; i < p->n_stacks; i++)
        if (p->stacks[i].leaf_first)
            brz_profile_reverse_stack(&to->stacks[i]);
    return to;
}

static void subtract(brz_profile *to, const brz_sums *s)
{
    for (size_t w = 0; w < s->n_weights; w++)
        for (size_t i = 0; i < s->n_stacks && i < to->weights[w].n_values; i++)
            to->weights[w].values[i] = difference(to->weights[w].values[i], sum_of(s, i, w));
}

static void keep_recent(brz_profile *to, const brz_recent *r)
{
    for (size_t w = 0; w < to->n_weights; w++)
        if (to->weights[w].n_values > 0)
            memset(to->weights[w].values, 0,
                   to->weights[w].n_values * sizeof *to->weights[w].values);
    for (size_t t = 0; t < r->n_ticks; t++)
        for (size_t i = 0; i < r->ticks[t].n; i++) {
            const brz_addition *a = &r->ticks[t].items[i];
            brz_profile_add_value(to, a->stack, a->weight, a->value);
        }
}

static bool has_value(const brz_profile *p, brz_stack stack)
{
    for (uint32_t w = 0; w < p->n_weights; w++)
        if (brz_profile_value(p, stack, w) != 0)
            return true;
    return false;
}

/* Removes stacks without values, except for one. */
static void drop_empty(brz_profile *p)
{
    brz_stack *moved = brz_calloc(p->n_stacks + 1, sizeof *moved);
    brz_stack kept = 0;
    for (brz_stack i = 0; i < p->n_stacks; i++)
        moved[i] = has_value(p, i) ? kept++ : BRZ_NO_STACK;
    if (kept == 0 && p->n_stacks > 0)
        moved[0] = kept++;
    brz_profile_move_stacks(p, moved, kept);
    free(moved);
}

brz_profile *brz_recent_copy(const brz_recent *r, const brz_profile *p, brz_recent_part part)
{
    brz_profile *to = copy(p, part == BRZ_RECENT_ALL);
    if (part == BRZ_RECENT_SINCE_MARK)
        subtract(to, &r->begin);
    if (part == BRZ_RECENT_LAST)
        keep_recent(to, r);
    if (part != BRZ_RECENT_ALL)
        drop_empty(to);
    brz_profile_sort_weights(to);
    return to;
}
