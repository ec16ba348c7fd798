/* SPDX-License-Identifier: MIT */
/* Measures how long threads are off the processors, from their switches and wake-ups in the order
 * of time.
 *
 * An interval begins when a thread leaves its processor and ends when it comes back. It counts for
 * the stack with which the thread left, in nanoseconds. If a wake-up divides it, the thread was
 * blocked before, and ready to run after it.
 */
#ifndef COMMON_OFF_CPU_OFF_CPU_H
#define COMMON_OFF_CPU_OFF_CPU_H

#include "stack_store.h"
#include "off_cpu_threads.h"

#include <brazier/text/stacks.h>

/* The options, which both collapsers have. */
typedef struct off_cpu_options {
    bool off_cpu, wall_clock, wakeup, wakers, states, open;
    int64_t wakeup_depth, min, max; /* the last two in nanoseconds; max 0: no limit */
    int32_t unit;                   /* index in off_cpu_units */
} off_cpu_options;

/* Units of the times, up to a NULL. */
extern const char *const off_cpu_units[];

/* Rows of a table of options whose struct has a member `off` of the type above. */
#define OFF_CPU_OPTIONS(struct_)                                                                   \
    BRZ_OPTION(struct_, "off-cpu", BOOL, off.off_cpu, "false",                                     \
               "count the time that threads are off the processors"),                              \
        BRZ_OPTION(struct_, "off-cpu-max", DURATION, off.max, NULL,                                \
                   "leave out longer intervals off the processors; 0: no limit", .range = "0.."),  \
        BRZ_OPTION(struct_, "off-cpu-min", DURATION, off.min, NULL,                                \
                   "leave out shorter intervals off the processors", .range = "0.."),              \
        BRZ_OPTION(                                                                                \
            struct_, "off-cpu-open", BOOL, off.open, "false",                                      \
            "count intervals that have not ended, up to the last event of the scheduler or "       \
            "sample"),                                                                             \
        BRZ_OPTION(struct_, "off-cpu-unit", ENUM, off.unit, "nanoseconds",                         \
                   "unit of these times; fractions are kept", .choices = off_cpu_units),           \
        BRZ_OPTION(struct_, "states", BOOL, off.states, "false",                                   \
                   "put the state of threads off the processors on top, such as [sleeping]"),      \
        BRZ_OPTION(struct_, "wakers", BOOL, off.wakers, "false",                                   \
                   "count the time until threads are woken, with the stacks of their wakers"),     \
        BRZ_OPTION(struct_, "wakeup", BOOL, off.wakeup, "false",                                   \
                   "the same as off-cpu, with the stacks of the threads that end the intervals"),  \
        BRZ_OPTION(struct_, "wakeup-depth", INT, off.wakeup_depth, "4",                            \
                   "how many wakers to show, each of which woke the one before", .range = "1..8"), \
        BRZ_OPTION(struct_, "wall-clock", BOOL, off.wall_clock, "false",                           \
                   "count the time that threads are on and off the processors")

/* Number of a thread that has ended and whose own number the kernel has freed. Threads that have it
 * are different ones, so nothing is measured between their events. */
#define OFF_CPU_ENDED_THREAD UINT32_MAX

/* A thread at a time: its stack, leaf first, including the frame of its name. */
typedef struct off_cpu_moment {
    uint32_t tid;
    uint32_t n;
    int64_t time;
    const brz_frame *frames;
    const brz_tag_desc *who; /* NULL: the run needs no tags */
} off_cpu_moment;

/* Counts the current path of the stacks. */
typedef brz_rc off_cpu_count(void *context, uint32_t column, int64_t value);

typedef struct off_cpu {
    const off_cpu_options *options;
    off_cpu_count *count; /* NULL: brz_stacks_count() */
    void *count_context;
    bool is_on; /* the options ask for any of it */
    brz_stacks *stacks;
    brz_path path;
    stack_store store;
    off_cpu_threads threads;
    brz_frame_list scratch;
    brz_frame separator, unknown, interrupt;
    bool *entries; /* by frame: an interrupt begins in it */
    size_t n_entries;
    brz_frame states[OFF_CPU_N_STATES]; /* BRZ_NO_FRAME: not made yet */
    uint32_t off_column, wall_column, waker_column;
    uint64_t n_outs, n_ins; /* switches */
    uint64_t unbegun, torn; /* intervals that are left out */
    bool sees_idle;         /* all threads are recorded: the idle thread of a processor is */
    bool is_over;           /* the recording has ended, and open intervals with it */
    int64_t newest;         /* time of the last event */
} off_cpu;

/* Returns whether the options need the stacks of wakers. */
static inline bool off_cpu_needs_wakers(const off_cpu_options *o)
{
    return o->wakeup || o->wakers;
}

/* Returns whether the options need switches in the order of time. */
static inline bool off_cpu_needs_order(const off_cpu_options *o)
{
    return o->off_cpu || o->wall_clock || off_cpu_needs_wakers(o);
}

/* Initialises it. `stacks` is what it counts into. */
void off_cpu_init(off_cpu *o, brz_ctx *ctx, const off_cpu_options *options, brz_stacks *stacks);

/* A thread leaves its processor. */
brz_rc off_cpu_leave(off_cpu *o, brz_ctx *ctx, const off_cpu_moment *m, off_cpu_state state,
                     uint32_t cpu);

/* Notes that a thread leaves its processor, by a record without a stack: that of its last sample
 * counts. The only frame of the moment is that of its name. */
brz_rc off_cpu_leave_by_record(off_cpu *o, brz_ctx *ctx, const off_cpu_moment *m,
                               off_cpu_state state, uint32_t cpu);

/* Notes that a thread comes back to a processor. */
brz_rc off_cpu_enter(off_cpu *o, brz_ctx *ctx, uint32_t tid, int64_t time);

/* Notes the name of a waker's frame, in which an interrupt may begin. */
void off_cpu_name_waker(off_cpu *o, brz_ctx *ctx, brz_frame frame, brz_str name);

/* Notes that a thread wakes another one. An interrupt that does so stands for the thread, whose own
 * frames are left out. `is_interrupt`: it is one in any case. */
void off_cpu_wake(off_cpu *o, brz_ctx *ctx, const off_cpu_moment *waker, uint32_t tid,
                  bool is_interrupt);

/* Notes that a thread is sampled on a processor. */
brz_rc off_cpu_sample(off_cpu *o, brz_ctx *ctx, const off_cpu_moment *m);

/* Notes that a thread is sampled because it is about to leave its processor: the next record says
 * so.
 */
void off_cpu_sample_at_switch(off_cpu *o, brz_ctx *ctx, const off_cpu_moment *m);

/* Notes that a thread begins, whose number may have belonged to another one. */
void off_cpu_begin(off_cpu *o, brz_ctx *ctx, uint32_t tid);

/* Notes that a thread ends. The kernel may switch it a few times more: up to a switch whose state
 * says that it is the last one, or a record without a state. */
void off_cpu_end(off_cpu *o, brz_ctx *ctx, uint32_t tid);

/* Forgets the threads that left a processor whose records were lost. UINT32_MAX: any processor. */
void off_cpu_lose(off_cpu *o, brz_ctx *ctx, uint32_t cpu);

/* Ends the intervals of threads that did not come back, if the options ask for that. */
brz_rc off_cpu_finish(off_cpu *o, brz_ctx *ctx);

/* Reports what is left out. If the input has no switches, reports `advice`, which says how to
 * record them. An empty `advice` is not reported. */
void off_cpu_report(off_cpu *o, brz_ctx *ctx, brz_str advice);

#endif
