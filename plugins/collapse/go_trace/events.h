/* SPDX-License-Identifier: MIT */
/* The kinds of events of execution traces, with their arguments, and what each does to a
 * goroutine.
 *
 * Go 1.5 to 1.21 and later versions number their events in different ways; both become the actions
 * below.
 */
#ifndef COLLAPSE_GO_TRACE_EVENTS_H
#define COLLAPSE_GO_TRACE_EVENTS_H

#include <brazier/base.h>

typedef enum go_action {
    GO_IGNORED,
    GO_CREATE,            /* a goroutine begins, which is in `state` */
    GO_CREATE_IN_SYSCALL, /* likewise, in a call from C */
    GO_STATUS,            /* states that a goroutine is in `state` */
    GO_START,             /* begins to run */
    GO_UNBLOCK,           /* becomes runnable */
    GO_BLOCK,             /* the current goroutine waits */
    GO_STOP,              /* the current goroutine stays runnable */
    GO_END,               /* the current goroutine ends */
    GO_SYSCALL,           /* the current goroutine enters the kernel */
    GO_SYSCALL_END,       /* comes back and runs on */
    GO_SYSCALL_LEAVE,     /* another goroutine may run meanwhile */
    GO_SYSCALL_EXIT,      /* comes back and waits for a processor */
    GO_SYSCALL_EXIT_OWN,  /* likewise, the current goroutine */
    GO_SWITCH,            /* the current goroutine waits, and the one that it names runs */
    GO_SWITCH_END,        /* the current goroutine ends, and the one that it names runs */
    GO_SAMPLE,            /* of the CPU profiler */
} go_action;

/* The states of goroutines. UNSTATED: before the first event, or after a damaged one. */
typedef enum go_state {
    GO_UNSTATED,
    GO_RUNNABLE,
    GO_RUNNING,
    GO_IN_SYSCALL,
    GO_WAITING,
    GO_DEAD,
} go_state;

/* The reason for which a goroutine waits or stops, if the kind of the event says it. */
typedef enum go_reason {
    GO_NO_REASON,
    GO_FOREVER,
    GO_PREEMPTED,
    GO_YIELD,
    GO_SLEEP,
    GO_CHAN_SEND,
    GO_CHAN_RECEIVE,
    GO_SELECT,
    GO_SYNC,
    GO_COND,
    GO_NETWORK,
    GO_ASSIST,
    GO_AFTER_SYSCALL,
    GO_N_REASONS,
} go_reason;

/* A kind of event. The numbers of arguments are those of their places: 0 is the time, which no
 * other argument has, so that 0 stands for an absent one. */
typedef struct go_kind {
    uint8_t n; /* number of arguments with the time; 0: no such event */
    uint8_t action;
    uint8_t goroutine, sequence, stack;
    uint8_t other;    /* reason, state, or stack of a new goroutine */
    uint8_t constant; /* state of a new goroutine, or reason, if no argument has it */
} go_kind;

/* An event. */
typedef struct go_event {
    const uint8_t *at;
    const go_kind *kind;
    uint64_t key; /* events of all threads are merged by it */
    int64_t time; /* nanoseconds */
    uint64_t goroutine, stack;
    uint64_t expected; /* sequence number that the goroutine has before the event */
    uint64_t other;
    uint64_t thread; /* of a status */
} go_event;

#define GO_KINDS 137 /* of Go 1.22 and later; `n` of gaps is 0 */
extern const go_kind go_kinds[GO_KINDS];

/* Returns a kind of Go 1.22 and later, or NULL. */
static inline const go_kind *go_kind_of(uint8_t type)
{
    return type < GO_KINDS && go_kinds[type].n > 0 ? &go_kinds[type] : NULL;
}

/* Returns a kind of Go up to 1.21, or NULL. */
const go_kind *go_old_kind_of(uint8_t type, uint32_t version);

/* Returns the text of a reason. */
brz_str go_reason_text(go_reason reason);

/* Kinds whose arguments the readers know by themselves. */
enum {
    GO_EVENT_BATCH = 1,
    GO_STACKS = 2,
    GO_STACK = 3,
    GO_STRINGS = 4,
    GO_STRING = 5,
    GO_CPU_SAMPLES = 6,
    GO_CPU_SAMPLE = 7,
    GO_FREQUENCY = 8,
    GO_EXPERIMENTAL_BATCH = 49,
    GO_SYNC_BATCH = 50,
    GO_CLOCK_SNAPSHOT = 51,
    GO_END_OF_GENERATION = 52,
};

enum {
    GO_OLD_BATCH = 1,
    GO_OLD_FREQUENCY = 2,
    GO_OLD_STACK = 3,
    GO_OLD_TIMERS = 35,
    GO_OLD_STRING = 37,
    GO_OLD_LOG = 48,
};

#endif
