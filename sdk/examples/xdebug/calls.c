/* Converts calls and returns to stacks with sums.
 *
 * The time and memory between two events belong to the innermost call. Calls are nodes of a tree,
 * so an event costs the same at any depth; a node is found by a hash of its parent and frame, or at
 * once if it was the last one called by its parent.
 */
#include "trace.h"

void calls_init(calls *c, brz_ctx *ctx)
{
    c->keys = brz_hash_keys_of(ctx->seed);
    c->nodes_cap = 512;
    c->nodes = ctx->host->alloc(ctx, c->nodes_cap * sizeof *c->nodes, 64);
    c->n_nodes = 1;
    c->n_slots = 1024;
    c->slots = ctx->host->alloc(ctx, c->n_slots * sizeof *c->slots, 64);
    c->open_cap = 256;
    c->open = ctx->host->alloc(ctx, c->open_cap * sizeof *c->open, 64);
    c->frames_cap = 256;
    c->frames = ctx->host->alloc(ctx, c->frames_cap * sizeof *c->frames, 64);
    c->ordered = (ctx->flags & BRZ_CTX_ORDERED) != 0;
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* Returns the slot of a node, or the free slot where it belongs. */
static uint32_t *slot_of(const calls *c, uint32_t parent, brz_frame frame)
{
    uint64_t hash = brz_hash_pair(&c->keys, parent, frame);
    size_t mask = c->n_slots - 1, at = (size_t)hash & mask;
    for (; c->slots[at] != 0; at = (at + 1) & mask) {
        const node *n = &c->nodes[c->slots[at]];
        if (n->parent == parent && n->frame == frame)
            break;
    }
    return &c->slots[at];
}

static void rehash(calls *c, brz_ctx *ctx)
{
    c->n_slots *= 2;
    c->slots = ctx->host->alloc(ctx, c->n_slots * sizeof *c->slots, 64);
    for (size_t i = 1; i < c->n_nodes; i++)
        *slot_of(c, c->nodes[i].parent, c->nodes[i].frame) = (uint32_t)i;
}

static uint32_t child_of(calls *c, brz_ctx *ctx, uint32_t parent, brz_frame frame)
{
    uint32_t last = c->nodes[parent].last_child;
    if (last != 0 && c->nodes[last].frame == frame)
        return last;
    uint32_t *slot = slot_of(c, parent, frame), found = *slot;
    if (found == 0) {
        if (c->n_nodes == c->nodes_cap)
            c->nodes =
                brz_stacks_double(ctx, c->nodes, c->n_nodes, &c->nodes_cap, sizeof *c->nodes);
        found = (uint32_t)c->n_nodes++;
        c->nodes[found] =
            (node){.parent = parent, .depth = c->nodes[parent].depth + 1, .frame = frame};
        *slot = found;
        if (2 * c->n_nodes > c->n_slots)
            rehash(c, ctx);
    }
    c->nodes[parent].last_child = found;
    return found;
}

/* Makes `frames` those on the path to a node. Returns BRZ_NESTED if they begin with those of the
 * stack that was stored last, which are there already. */
static uint32_t set_frames(calls *c, brz_ctx *ctx, uint32_t number)
{
    uint32_t at = number;
    while (c->frames_cap < c->nodes[number].depth)
        c->frames =
            brz_stacks_double(ctx, c->frames, c->frames_cap, &c->frames_cap, sizeof *c->frames);
    for (; at != 0 && at != c->last_stored; at = c->nodes[at].parent)
        c->frames[c->nodes[at].depth - 1] = c->nodes[at].frame;
    return at != 0 ? BRZ_NESTED : 0;
}

/* Returns the host's copy of the path to a node. */
static brz_stack stack_of(calls *c, brz_ctx *ctx, uint32_t number)
{
    node *n = &c->nodes[number];
    if (n->stored)
        return n->stack;
    uint32_t flags = set_frames(c, ctx, number);
    n->stack = ctx->host->stack(ctx, c->frames, n->depth, flags, &c->stored_frames);
    n->stored = true;
    c->last_stored = number;
    return n->stack;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static brz_rc add(calls *c, brz_ctx *ctx, uint32_t number, uint32_t weight, int64_t value)
{
    int64_t *sum = &c->nodes[number].values[weight];
    if (value <= 0)
        return BRZ_OK;
    if (c->ordered) {
        brz_count count = {.stack = stack_of(c, ctx, number), .weight = weight, .value = value};
        return ctx->host->add(ctx, &count, 1, sizeof count);
    }
    if (__builtin_add_overflow(*sum, value, sum)) {
        *sum = INT64_MAX;
        c->saturated = true;
    }
    return BRZ_OK;
}

/* Adds the time and memory since the last event to the innermost call. Released memory is not
 * subtracted: flame graphs cannot show negative weights. */
brz_rc calls_pass(calls *c, brz_ctx *ctx, int64_t time, int64_t memory)
{
    brz_rc rc = BRZ_OK;
    if (c->n_open > 0) {
        c->n_earlier += time < c->time;
        uint32_t top = c->open[c->n_open - 1].node;
        rc = add(c, ctx, top, WEIGHT_TIME, time - c->time);
        if (rc == BRZ_OK)
            rc = add(c, ctx, top, WEIGHT_MEMORY, memory - c->memory);
    }
    if (c->n_open == 0 || time > c->time)
        c->time = time;
    c->memory = memory;
    return rc;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Closes the calls that must have ended when a call of this level begins. */
static void close_from(calls *c, uint32_t level)
{
    while (c->n_open > 0 && c->open[c->n_open - 1].level >= level)
        c->n_open--;
}

brz_rc calls_enter(calls *c, brz_ctx *ctx, const entry *e, brz_frame frame)
{
    brz_rc rc = calls_pass(c, ctx, e->time, e->memory);
    if (rc != BRZ_OK)
        return rc;
    close_from(c, e->level);
    if (c->n_open == c->open_cap)
        c->open = brz_stacks_double(ctx, c->open, c->n_open, &c->open_cap, sizeof *c->open);
    uint32_t parent = c->n_open == 0 ? 0 : c->open[c->n_open - 1].node;
    uint32_t number = child_of(c, ctx, parent, frame);
    c->open[c->n_open++] = (open_call){number, e->level, e->number};
    return add(c, ctx, number, WEIGHT_CALLS, 1);
}

/* Compares a call with an exit by number, or by level if the trace does not repeat the number. */
static bool is_that(const open_call *o, const entry *e)
{
    return e->number == NO_NUMBER ? o->level == e->level : o->number == e->number;
}

bool calls_leave(calls *c, brz_ctx *ctx, const entry *e, brz_rc *rc)
{
    *rc = calls_pass(c, ctx, e->time, e->memory);
    size_t i = c->n_open;
    while (i > 0 && !is_that(&c->open[i - 1], e) && c->open[i - 1].level >= e->level)
        i--;
    if (i == 0 || !is_that(&c->open[i - 1], e))
        return false;
    c->n_open = i - 1;
    return true;
}

/* Ends all open calls. */
void calls_end(calls *c)
{
    c->n_open = 0;
}

brz_rc calls_finish(calls *c, brz_ctx *ctx)
{
    for (uint32_t i = 1; i < c->n_nodes && !c->ordered; i++) {
        brz_count counts[N_WEIGHTS];
        size_t n = 0;
        for (uint32_t w = 0; w < N_WEIGHTS; w++)
            if (c->nodes[i].values[w] != 0)
                counts[n++] = (brz_count){
                    .stack = stack_of(c, ctx, i), .weight = w, .value = c->nodes[i].values[w]};
        brz_rc rc = n == 0 ? BRZ_OK : ctx->host->add(ctx, counts, n, sizeof *counts);
        if (rc != BRZ_OK)
            return rc;
    }
    if (c->saturated)
        BRZ_WARN(ctx, BRZ_SATURATED, NULL, 0, "a sum is too large: it stays at its limit");
    return BRZ_OK;
}
