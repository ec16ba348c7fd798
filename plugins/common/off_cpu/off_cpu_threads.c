/* SPDX-License-Identifier: MIT */
/* The threads of a recording. */
#include "off_cpu_threads.h"

#include <brazier/symbol.h>

#include <string.h>

/* ---- states ---------------------------------------------------------------------------------- */

/* The states: the letter of the kernel, the text of the label, the name of the frame. */
static const struct {
    char letter;
    const char *label, *frame;
} states[OFF_CPU_N_STATES] = {
    [OFF_CPU_PREEMPTED] = {'R', "R (preempted)", "[preempted]"},
    [OFF_CPU_RUNNABLE] = {'W', "R (runnable)", "[runnable]"},
    [OFF_CPU_SLEEPING] = {'S', "S (sleeping)", "[sleeping]"},
    [OFF_CPU_DISK_SLEEP] = {'D', "D (disk sleep)", "[disk sleep]"},
    [OFF_CPU_STOPPED] = {'T', "T (stopped)", "[stopped]"},
    [OFF_CPU_TRACED] = {'t', "t (tracing stop)", "[tracing stop]"},
    [OFF_CPU_DEAD] = {'X', "X (dead)", "[dead]"},
    [OFF_CPU_ZOMBIE] = {'Z', "Z (zombie)", "[zombie]"},
    [OFF_CPU_PARKED] = {'P', "P (parked)", "[parked]"},
    [OFF_CPU_IDLE] = {'I', "I (idle)", "[idle]"},
    [OFF_CPU_BLOCKED] = {0, "blocked", "[blocked]"},
};

off_cpu_state off_cpu_state_of(char letter)
{
    for (uint32_t i = 0; i < OFF_CPU_BLOCKED; i++)
        if (states[i].letter == letter)
            return (off_cpu_state)i;
    return OFF_CPU_BLOCKED;
}

brz_str off_cpu_state_label(off_cpu_state state)
{
    return brz_str_of_text(states[state].label);
}

brz_str off_cpu_state_frame(off_cpu_state state)
{
    return brz_str_of_text(states[state].frame);
}

/* Processors beyond this number count as unknown. */
#define PROCESSORS_MAX 65536

/* ---- table ----------------------------------------------------------------------------------- */

void off_cpu_threads_init(off_cpu_threads *t, brz_ctx *ctx)
{
    memset(t, 0, sizeof *t);
    pair_map_init(&t->numbers, ctx);
}

void off_cpu_thread_reset(off_cpu_thread *t, enum off_cpu_phase phase)
{
    uint32_t n_losses = t->n_losses;
    memset(t, 0, sizeof *t);
    t->phase = phase;
    t->stack = t->at_switch = t->chain.stack = NO_STACK;
    t->n_losses = n_losses;
}

static off_cpu_thread *add_thread(off_cpu_threads *t, brz_ctx *ctx, uint32_t tid)
{
    t->items = brz_list_room(ctx, t->items, t->n, &t->cap, sizeof *t->items);
    pair_map_put(&t->numbers, ctx, tid, 0, (uint32_t)t->n);
    off_cpu_thread *added = &t->items[t->n++];
    added->n_losses = t->n_losses;
    off_cpu_thread_reset(added, PHASE_UNKNOWN);
    return added;
}

/* ---- losses ---------------------------------------------------------------------------------- */

/* Returns whether records were lost where a thread left, since it was last used. */
static bool is_lost(const off_cpu_threads *t, const off_cpu_thread *of)
{
    if (of->cpu == NO_CPU)
        return t->n_losses > of->n_losses;
    uint32_t last = of->cpu < t->n_processors ? t->lost_on[of->cpu] : 0;
    return last > of->n_losses || t->lost_any > of->n_losses;
}

/* Lets losses take effect on a thread. */
static void settle(off_cpu_threads *t, off_cpu_thread *of)
{
    bool is_off = of->phase == PHASE_OFF && is_lost(t, of);
    bool is_running = of->phase == PHASE_RUNNING && t->n_losses > of->n_losses;
    of->n_losses = t->n_losses;
    t->lost += is_off;
    bool is_unbegun = of->is_unbegun;
    if (is_off || is_running)
        off_cpu_thread_reset(of, PHASE_NEW);
    of->is_unbegun = is_unbegun;
}

void off_cpu_threads_lose(off_cpu_threads *t, brz_ctx *ctx, uint32_t cpu)
{
    t->n_losses++;
    if (cpu >= PROCESSORS_MAX) {
        t->lost_any = t->n_losses;
        return;
    }
    if (cpu >= t->n_processors) {
        size_t n = 2 * (size_t)cpu + 8;
        t->lost_on = brz_list_move(ctx->host->alloc(ctx, n * sizeof *t->lost_on, 0), t->lost_on,
                                   t->n_processors * sizeof *t->lost_on);
        t->n_processors = n;
    }
    t->lost_on[cpu] = t->n_losses;
}

/* ---- threads --------------------------------------------------------------------------------- */

off_cpu_thread *off_cpu_threads_get(off_cpu_threads *t, brz_ctx *ctx, uint32_t tid)
{
    uint32_t at = pair_map_find(&t->numbers, tid, 0);
    if (at == PAIR_MISS)
        return add_thread(t, ctx, tid);
    settle(t, &t->items[at]);
    return &t->items[at];
}

uint64_t off_cpu_threads_count_unbegun(const off_cpu_threads *t)
{
    uint64_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        n += t->items[i].is_unbegun;
    return n;
}

uint64_t off_cpu_threads_count_off(off_cpu_threads *t)
{
    uint64_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        settle(t, &t->items[i]);
        n += t->items[i].phase == PHASE_OFF;
    }
    return n;
}
