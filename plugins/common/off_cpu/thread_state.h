/* The states of threads that are off the processors. */
#ifndef COMMON_OFF_CPU_THREAD_STATE_H
#define COMMON_OFF_CPU_THREAD_STATE_H

#include <brazier/base.h>

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

#endif
