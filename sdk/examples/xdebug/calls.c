/* SPDX-License-Identifier: MIT */
/* Passes calls and returns to the host, which adds up the time, the memory and the number of calls
 * that pass while a call is the innermost one.
 */
#include "trace.h"

void calls_init(calls *c, brz_ctx *ctx)
{
    c->open_cap = 256;
    c->open = ctx->host->alloc(ctx, c->open_cap * sizeof *c->open, 64);
}

/* Stores the time and the memory of an event. While calls are open, the time never falls: an
 * earlier one is counted and replaced by the one before. */
static void take_readings(calls *c, const entry *e)
{
    c->n_earlier += e->time < c->time && c->n_open > 0;
    if (c->n_open == 0 || e->time > c->time)
        c->time = e->time;
    c->memory = e->memory;
}

/* Returns what the columns read at the last event. */
static brz_values values_of(const calls *c, int64_t readings[N_WEIGHTS])
{
    readings[WEIGHT_TIME] = c->time;
    readings[WEIGHT_MEMORY] = c->memory;
    readings[WEIGHT_CALLS] = c->n_calls;
    return (brz_values){
        .struct_size = sizeof(brz_values), .values = readings, .n_values = N_WEIGHTS};
}

/* Ends open calls until `n` are left, at the last event. */
static brz_rc close_to(calls *c, brz_ctx *ctx, size_t n)
{
    int64_t readings[N_WEIGHTS];
    const brz_values at = values_of(c, readings);
    brz_rc rc = BRZ_OK;
    for (; c->n_open > n && rc == BRZ_OK; c->n_open--)
        rc = ctx->host->leave(ctx, 0, &at);
    return rc;
}

/* Returns the number of open calls that go on when a call of this level begins. */
static size_t outer_calls(const calls *c, uint32_t level)
{
    size_t n = c->n_open;
    while (n > 0 && c->open[n - 1].level >= level)
        n--;
    return n;
}

brz_rc calls_enter(calls *c, brz_ctx *ctx, const entry *e, brz_frame frame)
{
    int64_t readings[N_WEIGHTS];
    take_readings(c, e);
    brz_rc rc = close_to(c, ctx, outer_calls(c, e->level));
    if (rc != BRZ_OK)
        return rc;
    if (c->n_open == c->open_cap)
        c->open = brz_stacks_double(ctx, c->open, c->n_open, &c->open_cap, sizeof *c->open);
    c->open[c->n_open++] = (open_call){e->level, e->number};
    const brz_values at = values_of(c, readings);
    c->n_calls++; /* the call itself, which is the innermost one until the next event */
    return ctx->host->enter(ctx, 0, frame, &at);
}

/* Compares a call with an exit by number, or by level if the trace does not repeat the number. */
static bool is_that(const open_call *o, const entry *e)
{
    return e->number == NO_NUMBER ? o->level == e->level : o->number == e->number;
}

bool calls_leave(calls *c, brz_ctx *ctx, const entry *e, brz_rc *rc)
{
    take_readings(c, e);
    size_t i = c->n_open;
    while (i > 0 && !is_that(&c->open[i - 1], e) && c->open[i - 1].level >= e->level)
        i--;
    bool found = i > 0 && is_that(&c->open[i - 1], e);
    *rc = found ? close_to(c, ctx, i - 1) : BRZ_OK;
    return found;
}

brz_rc calls_end(calls *c, brz_ctx *ctx, const entry *last)
{
    if (last != NULL)
        take_readings(c, last);
    return close_to(c, ctx, 0);
}
