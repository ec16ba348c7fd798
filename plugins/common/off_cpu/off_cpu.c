/* SPDX-License-Identifier: MIT */
/* Measures how long threads are off the processors. */
#include "off_cpu.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>

/* ---- states ---------------------------------------------------------------------------------- */

/* Returns the frame of a state. */
static brz_frame state_frame(off_cpu *o, brz_ctx *ctx, off_cpu_state state)
{
    brz_frame *frame = &o->states[state];
    if (*frame == BRZ_NO_FRAME) {
        brz_str name = off_cpu_state_frame(state);
        *frame = ctx->host->intern(ctx, name.data, name.len);
    }
    return *frame;
}

/* Returns the tag of a thread in a state. */
static brz_tag tag_in_state(brz_ctx *ctx, const brz_tag_desc *who, off_cpu_state state)
{
    brz_label label = {.key = BRZ_STR("state"), .text = off_cpu_state_label(state)};
    brz_tag_desc d = *who;
    d.labels = &label;
    d.n_labels = 1;
    return ctx->host->tag(ctx, &d);
}

/* ---- counting -------------------------------------------------------------------------------- */

static bool counts_off(const off_cpu *o)
{
    return o->options->off_cpu || o->options->wakeup;
}

const char *const off_cpu_units[] = {"nanoseconds", "microseconds", NULL};

/* Declares a column, whose values are nanoseconds in any unit. */
static uint32_t declare_column(const off_cpu *o, brz_ctx *ctx, brz_str name, uint32_t flags)
{
    return BRZ_DECLARE_COLUMN(ctx, .name = name,
                              .unit = brz_str_of_text(off_cpu_units[o->options->unit]),
                              .decimals = o->options->unit == 0 ? 0 : 3, .flags = flags);
}

/* Declares the columns. The first of those that the options ask for is shown. */
static void declare_columns(off_cpu *o, brz_ctx *ctx)
{
    if (counts_off(o))
        o->off_column = declare_column(o, ctx, BRZ_STR("off-cpu"), BRZ_COLUMN_DEFAULT);
    if (o->options->wall_clock)
        o->wall_column =
            declare_column(o, ctx, BRZ_STR("wall-clock"), counts_off(o) ? 0 : BRZ_COLUMN_DEFAULT);
    bool is_second = counts_off(o) || o->options->wall_clock;
    if (o->options->wakers)
        o->waker_column =
            declare_column(o, ctx, BRZ_STR("wakers"), is_second ? 0 : BRZ_COLUMN_DEFAULT);
}

void off_cpu_init(off_cpu *o, brz_ctx *ctx, const off_cpu_options *options, brz_stacks *stacks)
{
    memset(o, 0, sizeof *o);
    o->options = options;
    o->is_on = off_cpu_needs_order(options);
    o->stacks = stacks;
    memset(o->states, 0xff, sizeof o->states);
    if (!o->is_on)
        return;
    off_cpu_threads_init(&o->threads, ctx);
    stack_store_init(&o->store, ctx);
    brz_path_init(&o->path, ctx, 256);
    o->separator = ctx->host->intern(ctx, "--", 2);
    o->unknown = ctx->host->intern(ctx, "[unknown]", 9);
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_PROCESS};
    d.name = BRZ_STR("[interrupt]");
    d.flags = BRZ_FRAME_WAKER;
    o->interrupt = ctx->host->frame(ctx, &d);
    declare_columns(o, ctx);
}

static void push_forwards(off_cpu *o, brz_ctx *ctx, const brz_frame *frames, size_t n)
{
    for (size_t i = 0; i < n; i++)
        brz_path_push(&o->path, ctx, frames[i]);
}

static void push_backwards(off_cpu *o, brz_ctx *ctx, const brz_frame *frames, size_t n)
{
    for (size_t i = n; i > 0; i--)
        brz_path_push(&o->path, ctx, frames[i - 1]);
}

/* Builds the path of a stack, with a state and frames of wakers above its leaf. */
static void build_path(off_cpu *o, brz_ctx *ctx, uint32_t stack, brz_frame state, uint32_t chain)
{
    size_t n = 0, n_chain = 0;
    const brz_frame *frames = stack_store_frames(&o->store, stack, &n), *wakers = NULL;
    bool leaf_first = (o->stacks->flags & BRZ_LEAF_FIRST) != 0;
    if (chain != NO_STACK)
        wakers = stack_store_frames(&o->store, chain, &n_chain);
    brz_path_cut(&o->path, 0);
    if (leaf_first)
        push_backwards(o, ctx, wakers, n_chain);
    else
        push_backwards(o, ctx, frames, n);
    if (state != BRZ_NO_FRAME)
        brz_path_push(&o->path, ctx, state);
    if (leaf_first)
        push_forwards(o, ctx, frames, n);
    else
        push_forwards(o, ctx, wakers, n_chain);
}

/* Counts the path. */
static brz_rc count(off_cpu *o, brz_ctx *ctx, uint32_t column, brz_tag tag, int64_t time,
                    int64_t value)
{
    brz_path *other = o->stacks->path;
    bool timed = (ctx->flags & BRZ_CTX_WANTS_TIME) != 0;
    o->stacks->path = &o->path;
    brz_stacks_place(o->stacks, tag, timed ? BRZ_TIMED : 0, timed ? time : 0);
    brz_rc rc = o->count != NULL ? o->count(o->count_context, column, value)
                                 : brz_stacks_count(o->stacks, ctx, column, value);
    o->stacks->path = other;
    return rc;
}

/* Counts the path in the column of both times, if it is wanted. */
static brz_rc count_wall(off_cpu *o, brz_ctx *ctx, brz_tag tag, int64_t time, int64_t value)
{
    return o->options->wall_clock ? count(o, ctx, o->wall_column, tag, time, value) : BRZ_OK;
}

static brz_rc count_off(off_cpu *o, brz_ctx *ctx, brz_tag tag, int64_t time, int64_t value)
{
    return counts_off(o) ? count(o, ctx, o->off_column, tag, time, value) : BRZ_OK;
}

/* Counts a part of an interval off the processors. */
static brz_rc count_part(off_cpu *o, brz_ctx *ctx, const off_cpu_thread *t, off_cpu_state state,
                         int64_t from, int64_t to)
{
    bool shows_state = o->options->states || o->options->wall_clock;
    brz_frame frame = shows_state ? state_frame(o, ctx, state) : BRZ_NO_FRAME;
    brz_tag tag = state == OFF_CPU_RUNNABLE ? t->ready_tag : t->tag;
    uint32_t chain = o->options->wakeup && t->woken ? t->chain.stack : NO_STACK;
    if (to <= from)
        return BRZ_OK;
    build_path(o, ctx, t->stack, frame, chain);
    brz_rc rc = count_off(o, ctx, tag, from, to - from);
    return rc == BRZ_OK ? count_wall(o, ctx, tag, from, to - from) : rc;
}

/* Builds the path for the end of a wait: the name of the thread that waited, and the stack of its
 * waker. */
static void build_waker_path(off_cpu *o, brz_ctx *ctx, const off_cpu_thread *t)
{
    size_t n = 0, n_chain = 0;
    const brz_frame *frames = stack_store_frames(&o->store, t->stack, &n), *waker = &o->unknown;
    size_t n_waker = 1;
    if (t->woken && t->chain.stack != NO_STACK) {
        waker = stack_store_frames(&o->store, t->chain.stack, &n_chain) + 1; /* the separator */
        n_waker = t->chain.ends[0] - 1;
    }
    bool leaf_first = (o->stacks->flags & BRZ_LEAF_FIRST) != 0;
    brz_path_cut(&o->path, 0);
    if (leaf_first)
        push_forwards(o, ctx, waker, n_waker);
    if (n > 0)
        brz_path_push(&o->path, ctx, frames[n - 1]);
    if (!leaf_first)
        push_backwards(o, ctx, waker, n_waker);
}

/* Counts the time up to a wake-up for the waker. An interval that has not ended may lack a wake-up.
 */
static brz_rc count_wait(off_cpu *o, brz_ctx *ctx, const off_cpu_thread *t, int64_t ready)
{
    if (o->is_over && !t->woken)
        return BRZ_OK;
    if (!o->options->wakers || t->state == OFF_CPU_PREEMPTED || ready <= t->since)
        return BRZ_OK;
    build_waker_path(o, ctx, t);
    return count(o, ctx, o->waker_column, t->tag, t->since, ready - t->since);
}

/* Counts an interval off the processors, which the wake-up divides. */
static brz_rc count_interval(off_cpu *o, brz_ctx *ctx, const off_cpu_thread *t, int64_t end)
{
    int64_t length = end - t->since, max = o->options->max;
    if (length < o->options->min || (max > 0 && length > max))
        return BRZ_OK;
    bool divided = t->woken && t->state != OFF_CPU_PREEMPTED;
    int64_t ready = divided && t->woken_at > t->since ? t->woken_at : t->since;
    if (!divided || ready > end)
        ready = end;
    brz_rc rc = count_wait(o, ctx, t, ready);
    if (rc == BRZ_OK)
        rc = count_part(o, ctx, t, t->state, t->since, ready);
    return rc == BRZ_OK ? count_part(o, ctx, t, OFF_CPU_RUNNABLE, ready, end) : rc;
}

/* Counts the time on a processor up to now for a stack. Time that is counted already is not counted
 * again if an event comes out of order. */
static brz_rc count_running(off_cpu *o, brz_ctx *ctx, off_cpu_thread *t, uint32_t stack,
                            const off_cpu_moment *m)
{
    int64_t from = t->since;
    bool is_running = t->phase == PHASE_RUNNING;
    if (is_running && m->time <= from)
        return BRZ_OK;
    t->since = m->time;
    if (!is_running || !o->options->wall_clock)
        return BRZ_OK;
    build_path(o, ctx, stack, BRZ_NO_FRAME, NO_STACK);
    brz_tag tag = m->who != NULL ? ctx->host->tag(ctx, m->who) : BRZ_NO_TAG;
    return count_wall(o, ctx, tag, from, m->time - from);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Returns whether the time of a thread is measured: it is neither idle nor has it ended. */
static bool is_measured(uint32_t tid)
{
    return tid != 0 && tid != OFF_CPU_ENDED_THREAD;
}

static void see_time(off_cpu *o, int64_t time)
{
    if (time > o->newest)
        o->newest = time;
}

/* Returns whether a thread that is off the processors leaves again: a second record of the same
 * switch. If it is another switch, its return is missing. */
static bool is_repeated(off_cpu *o, const off_cpu_thread *t, int64_t time, bool by_record)
{
    if (t->phase != PHASE_OFF)
        return false;
    if (time == t->since || (by_record && !t->by_record))
        return true;
    o->torn += t->by_record == by_record;
    return false;
}

/* Returns whether a thread that has ended leaves again: a second record of its last switch, or of
 * another one in the other form. Otherwise its number belongs to another thread now, whose
 * beginning is not recorded. */
static bool is_last_switch(off_cpu_thread *t, int64_t time, bool by_record)
{
    if (t->phase != PHASE_GONE)
        return false;
    if (time == t->left_at || by_record != t->by_record)
        return true;
    off_cpu_thread_reset(t, PHASE_NEW);
    return false;
}

/* Counts the interval from which a thread came back, since it turns out to be recorded itself: the
 * recording of a program also names the threads of others that follow on its processors. */
static void settle_unbegun(off_cpu *o, off_cpu_thread *t)
{
    o->unbegun += t->is_unbegun;
    t->is_unbegun = false;
}

/* Makes a thread that has ended another one that has its number. */
static void revive(off_cpu_thread *t)
{
    t->is_ending = t->is_ending && t->phase != PHASE_GONE;
}

/* Ends the time of a thread on its processor, which it leaves with a stack. */
static brz_rc leave(off_cpu *o, brz_ctx *ctx, off_cpu_thread *t, const off_cpu_moment *m,
                    uint32_t left, off_cpu_state state)
{
    /* Time on a processor after the last sample of this stay counts for that sample. */
    bool has_sample = t->phase == PHASE_RUNNING && t->stack != NO_STACK;
    settle_unbegun(o, t);
    brz_rc rc = count_running(o, ctx, t, has_sample ? t->stack : left, m);
    bool ends = state == OFF_CPU_DEAD || state == OFF_CPU_ZOMBIE;
    t->phase = ends ? PHASE_GONE : PHASE_OFF;
    t->left_at = m->time;
    t->state = state;
    t->stack = left;
    t->at_switch = NO_STACK;
    t->woken = false;
    if (m->who != NULL) {
        t->tag = tag_in_state(ctx, m->who, state);
        t->ready_tag = tag_in_state(ctx, m->who, OFF_CPU_RUNNABLE);
    }
    return rc;
}

brz_rc off_cpu_leave(off_cpu *o, brz_ctx *ctx, const off_cpu_moment *m, off_cpu_state state,
                     uint32_t cpu)
{
    off_cpu_thread *t = off_cpu_threads_get(&o->threads, ctx, m->tid);
    see_time(o, m->time);
    o->n_outs++;
    o->sees_idle |= m->tid == 0;
    if (!is_measured(m->tid) || is_last_switch(t, m->time, false) ||
        is_repeated(o, t, m->time, false))
        return BRZ_OK;
    t->by_record = false;
    t->cpu = cpu;
    return leave(o, ctx, t, m, stack_store_add(&o->store, ctx, m->frames, m->n), state);
}

/* Returns the last stack that is known of a thread; without one, that of a moment, which is its
 * name. */
static uint32_t last_stack(off_cpu *o, brz_ctx *ctx, const off_cpu_thread *t,
                           const off_cpu_moment *m)
{
    if (t->at_switch != NO_STACK)
        return t->at_switch;
    if (t->stack != NO_STACK)
        return t->stack;
    o->scratch.n = 0;
    brz_frame_list_push(&o->scratch, ctx, o->unknown);
    for (uint32_t i = 0; i < m->n; i++)
        brz_frame_list_push(&o->scratch, ctx, m->frames[i]);
    return stack_store_add(&o->store, ctx, o->scratch.ids, o->scratch.n);
}

brz_rc off_cpu_leave_by_record(off_cpu *o, brz_ctx *ctx, const off_cpu_moment *m,
                               off_cpu_state state, uint32_t cpu)
{
    off_cpu_thread *t = off_cpu_threads_get(&o->threads, ctx, m->tid);
    see_time(o, m->time);
    o->n_outs++;
    o->sees_idle |= m->tid == 0;
    if (!is_measured(m->tid) || is_last_switch(t, m->time, true) ||
        is_repeated(o, t, m->time, true))
        return BRZ_OK;
    bool ends = t->is_ending && state != OFF_CPU_PREEMPTED;
    t->by_record = true;
    t->cpu = cpu;
    return leave(o, ctx, t, m, last_stack(o, ctx, t, m), ends ? OFF_CPU_DEAD : state);
}

/* Counts the interval of a thread that comes back. If it comes back before the time up to which it
 * ran, the interval is as recorded, and the time restarted before. */
static brz_rc end_interval(off_cpu *o, brz_ctx *ctx, off_cpu_thread *t, int64_t time)
{
    if (time < t->left_at) {
        o->torn++;
        return BRZ_OK;
    }
    if (time < t->since)
        t->since = t->left_at;
    return count_interval(o, ctx, t, time);
}

brz_rc off_cpu_enter(off_cpu *o, brz_ctx *ctx, uint32_t tid, int64_t time)
{
    off_cpu_thread *t = off_cpu_threads_get(&o->threads, ctx, tid);
    brz_rc rc = BRZ_OK;
    see_time(o, time);
    if (!is_measured(tid) || t->phase == PHASE_RUNNING)
        return BRZ_OK;
    o->n_ins++;
    t->is_unbegun = t->phase == PHASE_UNKNOWN;
    revive(t);
    if (t->phase == PHASE_OFF)
        rc = end_interval(o, ctx, t, time);
    bool keeps_stack = t->phase == PHASE_OFF && t->by_record;
    t->phase = PHASE_RUNNING;
    t->since = time;
    if (!keeps_stack)
        t->stack = NO_STACK;
    return rc;
}

brz_rc off_cpu_sample(off_cpu *o, brz_ctx *ctx, const off_cpu_moment *m)
{
    off_cpu_thread *t = off_cpu_threads_get(&o->threads, ctx, m->tid);
    see_time(o, m->time);
    if (!is_measured(m->tid) || t->phase == PHASE_OFF)
        return BRZ_OK;
    uint32_t stack = stack_store_add(&o->store, ctx, m->frames, m->n);
    brz_rc rc = count_running(o, ctx, t, stack, m);
    settle_unbegun(o, t);
    revive(t);
    t->phase = PHASE_RUNNING;
    t->stack = stack;
    return rc;
}

void off_cpu_sample_at_switch(off_cpu *o, brz_ctx *ctx, const off_cpu_moment *m)
{
    off_cpu_thread *t = off_cpu_threads_get(&o->threads, ctx, m->tid);
    if (is_measured(m->tid) && t->phase != PHASE_OFF)
        t->at_switch = stack_store_add(&o->store, ctx, m->frames, m->n);
}

void off_cpu_begin(off_cpu *o, brz_ctx *ctx, uint32_t tid)
{
    off_cpu_thread *t = off_cpu_threads_get(&o->threads, ctx, tid);
    o->torn += t->phase == PHASE_OFF;
    off_cpu_thread_reset(t, PHASE_NEW);
}

void off_cpu_end(off_cpu *o, brz_ctx *ctx, uint32_t tid)
{
    off_cpu_threads_get(&o->threads, ctx, tid)->is_ending = true;
}

void off_cpu_lose(off_cpu *o, brz_ctx *ctx, uint32_t cpu)
{
    off_cpu_threads_lose(&o->threads, ctx, cpu);
}

/* ---- wake-ups -------------------------------------------------------------------------------- */

/* Maximum number of frames that a waker's own chain adds: every wake-up copies them. */
#define CHAIN_FRAMES_MAX 1024

/* Returns how many wakers of a waker's own chain stand above it: those since a thread left, without
 * that thread. */
static uint32_t inherited(const off_cpu *o, const off_cpu_thread *waker, int64_t since,
                          uint32_t tid)
{
    const off_cpu_chain *c = &waker->chain;
    uint32_t n = 0, most = (uint32_t)o->options->wakeup_depth - 1;
    if (c->stack == NO_STACK || waker->woken_at <= since)
        return 0;
    while (n < c->n && n < most && c->wakers[n] != tid && c->ends[n] <= CHAIN_FRAMES_MAX)
        n++;
    return n;
}

/* Appends the first `n` wakers of a chain to another one. */
static void append_chain(off_cpu *o, brz_ctx *ctx, off_cpu_chain *to, const off_cpu_chain *from,
                         uint32_t n)
{
    size_t all = 0;
    uint32_t base = (uint32_t)o->scratch.n;
    if (n == 0)
        return;
    const brz_frame *frames = stack_store_frames(&o->store, from->stack, &all);
    for (uint32_t i = 0; i < from->ends[n - 1]; i++)
        brz_frame_list_push(&o->scratch, ctx, frames[i]);
    for (uint32_t i = 0; i < n; i++) {
        to->wakers[to->n] = from->wakers[i];
        to->ends[to->n++] = base + from->ends[i];
    }
}

/* Functions in which the kernel enters an interrupt, on several processors. */
static const char *const entries[] = {
    "common_interrupt",
    "asm_common_interrupt",
    "ret_from_intr",
    "do_IRQ",
    "apic_timer_interrupt",
    "reschedule_interrupt",
    "el0_irq",
    "el1_irq",
    "el0t_64_irq",
    "el1h_64_irq",
    "el0t_64_irq_handler",
    "el1h_64_irq_handler",
    "__irq_usr",
    "__irq_svc",
    "io_int_handler",
    "ext_int_handler",
};

static bool is_entry(brz_str name)
{
    return BRZ_IS_AMONG(name, entries) || brz_starts_with(name, BRZ_STR("asm_sysvec_")) ||
           brz_starts_with(name, BRZ_STR("sysvec_"));
}

void off_cpu_name_waker(off_cpu *o, brz_ctx *ctx, brz_frame frame, brz_str name)
{
    if (!is_entry(name))
        return;
    if (frame >= o->n_entries) {
        size_t n = 2 * (size_t)frame + 64;
        o->entries = brz_list_move(ctx->host->alloc(ctx, n * sizeof *o->entries, 0), o->entries,
                                   o->n_entries * sizeof *o->entries);
        o->n_entries = n;
    }
    o->entries[frame] = true;
}

static bool is_marked(const off_cpu *o, brz_frame frame)
{
    return frame < o->n_entries && o->entries[frame];
}

/* Returns the number of frames of an interrupt at the leaf of a stack; 0 without one. */
static size_t interrupt_length(const off_cpu *o, const off_cpu_moment *waker)
{
    size_t n = 0;
    while (n < waker->n && !is_marked(o, waker->frames[n]))
        n++;
    if (n == waker->n)
        return 0;
    while (n < waker->n && is_marked(o, waker->frames[n]))
        n++;
    return n;
}

/* Writes the separator and the stack of a waker to `scratch`. Returns whether it is an interrupt.
 */
static bool write_waker(off_cpu *o, brz_ctx *ctx, const off_cpu_moment *waker)
{
    size_t in_interrupt = interrupt_length(o, waker);
    size_t n = in_interrupt > 0 ? in_interrupt : waker->n;
    o->scratch.n = 0;
    brz_frame_list_push(&o->scratch, ctx, o->separator);
    for (size_t i = 0; i < n; i++)
        brz_frame_list_push(&o->scratch, ctx, waker->frames[i]);
    if (in_interrupt > 0)
        brz_frame_list_push(&o->scratch, ctx, o->interrupt);
    return in_interrupt > 0;
}

void off_cpu_wake(off_cpu *o, brz_ctx *ctx, const off_cpu_moment *waker, uint32_t tid,
                  bool is_interrupt)
{
    off_cpu_threads_get(&o->threads, ctx, waker->tid); /* may move them */
    see_time(o, waker->time);
    off_cpu_thread *t = off_cpu_threads_get(&o->threads, ctx, tid);
    if (!is_measured(tid) || t->phase != PHASE_OFF || t->woken || waker->time < t->left_at)
        return;
    const off_cpu_thread *by = off_cpu_threads_get(&o->threads, ctx, waker->tid);
    off_cpu_chain chain = {.n = 1, .wakers = {waker->tid}};
    t->woken = true;
    t->woken_at = waker->time;
    if (!off_cpu_needs_wakers(o->options))
        return;
    bool ends = write_waker(o, ctx, waker) || is_interrupt || waker->tid == 0;
    chain.ends[0] = (uint32_t)o->scratch.n;
    if (!ends)
        append_chain(o, ctx, &chain, &by->chain, inherited(o, by, t->since, tid));
    chain.stack = stack_store_add(&o->store, ctx, o->scratch.ids, o->scratch.n);
    t->chain = chain;
}

/* ---- end ------------------------------------------------------------------------------------- */

brz_rc off_cpu_finish(off_cpu *o, brz_ctx *ctx)
{
    brz_rc rc = BRZ_OK;
    if (!o->is_on || !o->options->open || off_cpu_threads_count_off(&o->threads) == 0)
        return BRZ_OK;
    o->is_over = true;
    for (size_t i = 0; i < o->threads.n && rc == BRZ_OK; i++) {
        off_cpu_thread *t = &o->threads.items[i];
        if (t->phase == PHASE_OFF)
            rc = end_interval(o, ctx, t, o->newest);
    }
    return rc;
}

/* ---- reports --------------------------------------------------------------------------------- */

void off_cpu_report(off_cpu *o, brz_ctx *ctx, brz_str advice)
{
    if (!o->is_on)
        return;
    uint64_t n_open = o->is_over ? 0 : off_cpu_threads_count_off(&o->threads);
    if (o->sees_idle)
        o->unbegun += off_cpu_threads_count_unbegun(&o->threads);
    if (advice.len > 0 && (o->n_outs == 0 || o->n_ins == 0))
        brz_report_count(ctx, BRZ_WARNING, "off-cpu.none", 1, 0, advice);
    brz_report_count(
        ctx, BRZ_NOTE, "off-cpu.unbegun", o->unbegun, 0,
        BRZ_STR("intervals off the processors that began before the recording are left out: "
                "{count}"));
    brz_report_count(
        ctx, BRZ_NOTE, "off-cpu.open", n_open, 0,
        BRZ_STR("threads that never came back to a processor: {count}; their last interval is "
                "left out (--off-cpu-open counts it)"));
    brz_report_count(
        ctx, BRZ_WARNING, "off-cpu.lost", o->threads.lost, 0,
        BRZ_STR("intervals off the processors during which records were lost are left out: "
                "{count}"));
    brz_report_count(
        ctx, BRZ_WARNING, "off-cpu.torn", o->torn, 0,
        BRZ_STR("intervals off the processors whose end is not recorded are left out: {count}"));
}
