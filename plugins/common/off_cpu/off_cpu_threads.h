/* SPDX-License-Identifier: MIT */
/* The threads of a recording, whose time off the processors is measured.
 *
 * A loss of records makes threads unknown: those that left the processor, and those that run. It
 * takes effect when a thread is next used.
 */
#ifndef COMMON_OFF_CPU_OFF_CPU_THREADS_H
#define COMMON_OFF_CPU_OFF_CPU_THREADS_H

#include <brazier/base.h>

#include "../pair_map.h"
#include "stack_store.h"

/* Reasons for which a thread is off the processors. */
typedef enum off_cpu_state {
    OFF_CPU_PREEMPTED,
    OFF_CPU_RUNNABLE, /* woken, and waiting for a processor */
    OFF_CPU_SLEEPING,
    OFF_CPU_DISK_SLEEP,
    OFF_CPU_STOPPED,
    OFF_CPU_TRACED,
    OFF_CPU_DEAD,
    OFF_CPU_ZOMBIE,
    OFF_CPU_PARKED,
    OFF_CPU_IDLE,
    OFF_CPU_BLOCKED, /* the recording does not state how */
    OFF_CPU_N_STATES
} off_cpu_state;

/* Returns the state that the kernel prints as a letter. */
off_cpu_state off_cpu_state_of(char letter);

/* Returns the text of a state in labels, such as "S (sleeping)". */
brz_str off_cpu_state_label(off_cpu_state state);

/* Returns the name of the frame of a state, such as "[sleeping]". */
brz_str off_cpu_state_frame(off_cpu_state state);

/* The processor of records that do not state it. */
#define NO_CPU UINT32_MAX

/* Maximum number of wakers above a stack. */
#define WAKERS_MAX 8

/* A chain of wakers, as frames from the waker on. */
typedef struct off_cpu_chain {
    uint32_t stack; /* NO_STACK: none */
    uint32_t n;     /* number of wakers */
    uint32_t wakers[WAKERS_MAX];
    uint32_t ends[WAKERS_MAX]; /* number of frames up to each waker */
} off_cpu_chain;

enum off_cpu_phase { PHASE_UNKNOWN, PHASE_NEW, PHASE_RUNNING, PHASE_OFF, PHASE_GONE };

typedef struct off_cpu_thread {
    enum off_cpu_phase phase;
    enum off_cpu_state state;
    bool by_record;     /* it left without a stack of its own */
    bool woken;         /* since it left */
    bool is_ending;     /* it may be switched a few times more */
    bool is_unbegun;    /* it came back from an interval whose beginning is not recorded */
    int64_t since;      /* when it left, or the time up to which its time on a processor counts */
    int64_t left_at;    /* before `since` if an event came out of order, or the time restarts */
    int64_t woken_at;   /* the last time */
    uint32_t stack;     /* with which it left, or of its last sample; NO_STACK: none */
    uint32_t at_switch; /* of a sample that was taken because it is about to leave; NO_STACK */
    uint32_t cpu;       /* where it left; NO_CPU: unknown */
    uint32_t n_losses;  /* of the recording, when the thread was last used */
    brz_tag tag, ready_tag;
    off_cpu_chain chain; /* what woke it last */
} off_cpu_thread;

typedef struct off_cpu_threads {
    off_cpu_thread *items;
    size_t n, cap;
    pair_map numbers;  /* positions in `items` by thread id */
    uint32_t n_losses; /* of records, so far */
    uint32_t lost_any; /* number of the last one on an unknown processor; 0: none */
    uint32_t *lost_on; /* by processor: number of the last one */
    size_t n_processors;
    uint64_t lost; /* intervals that a loss has torn */
} off_cpu_threads;

/* Initialises an empty table. */
void off_cpu_threads_init(off_cpu_threads *t, brz_ctx *ctx);

/* Returns a thread, which is added if it is not known. Adding another one invalidates the pointer.
 */
off_cpu_thread *off_cpu_threads_get(off_cpu_threads *t, brz_ctx *ctx, uint32_t tid);

/* Forgets what is known about a thread. */
void off_cpu_thread_reset(off_cpu_thread *t, enum off_cpu_phase phase);

/* Notes that records were lost on a processor, or on an unknown one. */
void off_cpu_threads_lose(off_cpu_threads *t, brz_ctx *ctx, uint32_t cpu);

/* Returns how many threads came back from an interval whose beginning is not recorded, and did
 * nothing else. */
uint64_t off_cpu_threads_count_unbegun(const off_cpu_threads *t);

/* Returns how many threads are off the processors, after the last losses took effect. */
uint64_t off_cpu_threads_count_off(off_cpu_threads *t);

#endif
