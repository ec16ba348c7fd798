/* SPDX-License-Identifier: MIT */
/* A request: what to record, and how. */
#ifndef BRZ_RECORD_REQUEST_H
#define BRZ_RECORD_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/namespaces.h"

/* The source of the callers of a sample. */
typedef enum brz_call_graph {
    BRZ_CALL_GRAPH_AUTO, /* frame pointers if the program has them, or else copies of stacks */
    BRZ_CALL_GRAPH_FP,
    BRZ_CALL_GRAPH_DWARF,
    BRZ_CALL_GRAPH_NONE,
} brz_call_graph;

/* Includes or excludes code of the kernel. */
typedef enum brz_kernel_mode {
    BRZ_KERNEL_AUTO, /* if the system permits it */
    BRZ_KERNEL_YES,
    BRZ_KERNEL_NO,
} brz_kernel_mode;

/* Size of a copy of a stack in bytes, by default and at most. */
#define BRZ_STACK_SIZE     8192
#define BRZ_STACK_SIZE_MAX 65528

/* Frequency in samples per second, by default: not a divisor of common timers. */
#define BRZ_FREQUENCY     997
#define BRZ_FREQUENCY_MAX ((uint64_t)INT64_MAX) /* the highest one that the kernel permits */

/* Highest frequency of an event that is a clock. The kernel slows an event of the hardware down
 * that takes too much time, but not a clock, whose samples would leave the program none. */
#define BRZ_FREQUENCY_CLOCK 10000

/* Size of a file in bytes from which on it is read meanwhile if the file system becomes full. */
#define BRZ_READ_ALONG_LEAST (1 << 20)

typedef struct brz_record_request {
    char **command; /* NULL-terminated words; NULL: none. See brz_records_command */
    pid_t *processes, *threads;
    size_t n_processes, n_threads, processes_cap, threads_cap;
    bool all;           /* every process of the system */
    const char *cgroup; /* name or folder of a control group; NULL: none */
    const char **events;
    size_t n_events, events_cap; /* 0: cycles, or cpu-clock */
    uint64_t frequency;          /* 0: the default; BRZ_FREQUENCY_MAX: the highest one */
    uint64_t period;             /* 0: by the frequency */
    brz_call_graph call_graph;
    uint32_t stack_size; /* of copies of stacks; 0: the default */
    brz_kernel_mode kernel;
    uint64_t duration, delay;   /* in nanoseconds; 0: none */
    bool until_exit;            /* wait for the end of the recorded processes */
    bool off_cpu, wakeup;       /* add events of the scheduler */
    bool is_saved;              /* the file gets a name that the user chose */
    bool is_streamed;           /* the file has the layout of a pipe, to be read meanwhile */
    bool is_read_along;         /* a reader frees what it has read */
    bool as_root;               /* record through sudo */
    bool is_controlled;         /* this process is what sudo started, see remote.h */
    pid_t waiting;              /* recorded from its exec on, if is_controlled; 0: none */
    brz_namespaces *namespaces; /* remembers those of recorded processes; NULL: nothing does */
    bool is_viewed;    /* a viewer on another thread draws the samples so far on the terminal */
    int input, output; /* of the command, in place of terminals; 0: those */
    const char *const *words; /* command line to store; NULL-terminated */
} brz_record_request;

/* Returns whether running processes are recorded, on all processors or of a list or control group;
 * a command then only says how long. */
static inline bool brz_records_running(const brz_record_request *r)
{
    return r->n_processes + r->n_threads > 0 || r->all || r->cgroup != NULL;
}

/* Returns whether the command itself is recorded. */
static inline bool brz_records_command(const brz_record_request *r)
{
    return r->command != NULL && !brz_records_running(r);
}

/* Returns whether mappings of data are recorded, too, once the method for callers is chosen. perf
 * unwinds copies of stacks only if it knows where a file begins in memory; brazier needs just the
 * code. */
static inline bool brz_records_data(const brz_record_request *r)
{
    return r->call_graph == BRZ_CALL_GRAPH_DWARF && !r->is_streamed;
}

#endif
