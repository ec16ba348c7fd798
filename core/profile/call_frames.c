/* SPDX-License-Identifier: MIT */
/* Chooses the frames of calls that several frames of one name share, such as those of a function in
 * several modules.
 *
 * The stacks of a call are adjacent. Therefore one pass over the sorted stacks weighs the frames of
 * the calls that are open, by depth, and chooses when a call ends. The choice does not depend on
 * the order of stacks, so that all outputs make the same one.
 */
#include "profile/call_frames.h"

#include "base/mem.h"
#include "profile/compare.h"
#include "profile/weight.h"

#include <stdlib.h>
#include <string.h>

typedef struct weighed_frame {
    brz_frame frame;
    int64_t weight;
} weighed_frame;

/* An open call, at one depth. */
typedef struct open_call {
    size_t first;          /* first group of the call */
    weighed_frame *frames; /* a frame may occur several times until they are added up */
    size_t n, cap, limit;  /* they are added up when there are `limit` of them */
} open_call;

typedef struct choice {
    const brz_stack_groups *groups;
    brz_arena *memory;
    brz_frame **chosen;
    unsigned char *is_shared; /* by label: several frames have it */
    open_call *open;          /* by depth */
} choice;

/* Marks the labels of several frames. */
static unsigned char *find_shared_labels(const brz_stack_groups *g)
{
    const brz_profile *p = g->profile;
    uint32_t last = 0;
    for (size_t i = 0; i < p->n_frames; i++)
        last = g->ranks[i].label > last ? g->ranks[i].label : last;
    unsigned char *seen = brz_calloc((size_t)last + 1, 1);
    for (size_t i = 0; i < p->n_frames; i++)
        if (seen[g->ranks[i].label] < 2)
            seen[g->ranks[i].label]++;
    return seen;
}

static int by_frame(const void *a, const void *b)
{
    const weighed_frame *x = a, *y = b;
    return (x->frame > y->frame) - (x->frame < y->frame);
}

/* Adds up the weights of each frame. */
static void add_up(open_call *call)
{
    size_t n = 0;
    bool saturated = false;
    if (call->n > 1)
        qsort(call->frames, call->n, sizeof *call->frames, by_frame);
    for (size_t i = 0; i < call->n; i++) {
        const weighed_frame f = call->frames[i];
        weighed_frame *last = n > 0 ? &call->frames[n - 1] : NULL;
        if (last != NULL && last->frame == f.frame)
            last->weight = brz_add_saturated(last->weight, f.weight, &saturated);
        else
            call->frames[n++] = f;
    }
    call->n = n;
}

#define FIRST_LIMIT 64

static void weigh(open_call *call, brz_frame frame, int64_t weight)
{
    bool saturated = false;
    weighed_frame *last = call->n > 0 ? &call->frames[call->n - 1] : NULL;
    if (last != NULL && last->frame == frame) {
        last->weight = brz_add_saturated(last->weight, weight, &saturated);
        return;
    }
    if (call->n >= call->limit) {
        add_up(call);
        call->limit = 2 * call->n > FIRST_LIMIT ? 2 * call->n : FIRST_LIMIT;
    }
    call->frames = brz_grow(call->frames, call->n, &call->cap, sizeof *call->frames);
    call->frames[call->n++] = (weighed_frame){frame, weight};
}

static void weigh_stack(choice *c, uint32_t stack)
{
    const brz_profile *p = c->groups->profile;
    const brz_profile_stack *s = &p->stacks[stack];
    int64_t weight = brz_profile_value(p, stack, c->groups->weight);
    for (uint32_t k = 0; k < s->n; k++)
        if (c->is_shared[c->groups->ranks[s->frames[k]].label] > 1)
            weigh(&c->open[k], s->frames[k], weight);
}

static brz_frame heaviest(const choice *c, const open_call *call)
{
    const weighed_frame *best = &call->frames[0];
    for (size_t i = 1; i < call->n; i++) {
        const weighed_frame *f = &call->frames[i];
        int64_t size = brz_size_of(f->weight), most = brz_size_of(best->weight);
        bool is_equal = size == most;
        if (size > most ||
            (is_equal && c->groups->compare(c->groups->profile, f->frame, best->frame) < 0))
            best = f;
    }
    return best->frame;
}

/* Returns the frames of a group that are not those of its first stack. */
static brz_frame *own_frames(choice *c, size_t group)
{
    const brz_profile_stack *s = &c->groups->profile->stacks[c->groups->order[group].item];
    if (c->chosen[group] != NULL)
        return c->chosen[group];
    c->chosen[group] = brz_arena_alloc(c->memory, s->n * sizeof(brz_frame), 0);
    memcpy(c->chosen[group], s->frames, s->n * sizeof(brz_frame));
    return c->chosen[group];
}

/* Closes the calls from one depth to another, which end before group `end`. */
static void close_calls(choice *c, uint32_t from, uint32_t to, size_t end)
{
    for (uint32_t k = from; k < to; k++) {
        open_call *call = &c->open[k];
        if (call->n > 1)
            add_up(call);
        if (call->n < 2)
            continue;
        brz_frame frame = heaviest(c, call);
        for (size_t i = call->first; i < end; i++)
            own_frames(c, i)[k] = frame;
    }
}

static void open_calls(choice *c, uint32_t from, uint32_t to, size_t group)
{
    for (uint32_t k = from; k < to; k++) {
        c->open[k].first = group;
        c->open[k].n = 0;
        c->open[k].limit = FIRST_LIMIT;
    }
}

static void choose(choice *c)
{
    const brz_stack_groups *g = c->groups;
    uint32_t depth = 0;
    size_t at = 0;
    for (size_t i = 0; i < g->n_order; i++) {
        uint32_t shared = (uint32_t)g->order[i].key, n = g->profile->stacks[g->order[i].item].n;
        close_calls(c, shared, depth, i);
        open_calls(c, shared, n, i);
        for (depth = n; at < g->ends[i]; at++)
            weigh_stack(c, g->sorted[at]);
    }
    close_calls(c, 0, depth, g->n_order);
}

static uint32_t deepest(const brz_profile *p)
{
    uint32_t n = 0;
    for (size_t i = 0; i < p->n_stacks; i++)
        n = p->stacks[i].n > n ? p->stacks[i].n : n;
    return n;
}

brz_frame **brz_call_frames_choose(const brz_stack_groups *g, brz_arena *memory)
{
    uint32_t depths = deepest(g->profile);
    choice c = {.groups = g, .memory = memory};
    c.chosen = brz_calloc(g->n_order + 1, sizeof(brz_frame *));
    c.is_shared = find_shared_labels(g);
    c.open = brz_calloc((size_t)depths + 1, sizeof *c.open);
    choose(&c);
    for (uint32_t k = 0; k < depths; k++)
        free(c.open[k].frames);
    free(c.open);
    free(c.is_shared);
    return c.chosen;
}
