/* SPDX-License-Identifier: MIT */
/* The threads and processes of a recording, as they are at the time of the current record. */
#ifndef PERF_DATA_THREADS_H
#define PERF_DATA_THREADS_H

#include "maps.h"
#include "../../../common/pair_map.h"

#include <brazier/text/buffer.h>
#include <brazier/text/frame_cache.h>

/* The number of perf's pseudo process for records of the kernel. */
#define KERNEL_PID UINT32_MAX

/* Number of ended processes that keep their mappings. */
#define ENDED_MAX 256

typedef struct process {
    uint32_t pid;
    uint32_t n_running;    /* threads that have not ended */
    uint32_t name_version; /* changes with the name of the first thread */
    bool is_replaced;      /* by an exec: its mappings end with the next one */
    bool is_starting;      /* its program has not run since its exec: its registers are older */
    bool has_ended;        /* its mappings are still there, for the samples of its last moments */
    maps *maps;            /* NULL: nothing is mapped */
} process;

typedef struct thread {
    uint32_t pid, tid;
    uint32_t process; /* position */
    brz_frame root;   /* frame of the name; BRZ_NO_FRAME: not made yet */
    brz_str name;     /* kept in `names`; empty: unknown */
    brz_tag tag;      /* of `tag_cpu` */
    uint32_t tag_cpu;
    uint32_t tag_version; /* of the process's name in the tag */
    uint64_t stack_end;   /* highest frame that was unwound so far; 0: none */
    uint32_t held;        /* 1 + position of its newest sample that is held back; 0: none */
    uint64_t cookie;      /* of these */
    bool has_tag;
    bool ends_there; /* `stack_end` is that of a whole stack */
    bool is_java;    /* names of Java's compiler are tidied */
    bool is_running; /* counted by its process */
} thread;

typedef struct threads {
    thread *items;
    size_t n, cap;
    process *processes;
    size_t n_processes, cap_processes;
    pair_map by_tid, by_pid;
    brz_frame_cache name_ids; /* names to positions in `names` */
    brz_str *names;
    size_t n_names, cap_names;
    brz_text scratch;
    maps_pool pool;
    uint32_t ended[ENDED_MAX]; /* positions of processes, in a ring */
    size_t n_ended;            /* that were ever entered there */
    bool full;                 /* forked address spaces were dropped */
    bool keeps_maps;           /* those before an exec, as far as others do not replace them */
} threads;

void threads_init(threads *t, brz_ctx *ctx);

/* Returns a thread, which is created if it is not known. */
thread *threads_get(threads *t, brz_ctx *ctx, uint32_t pid, uint32_t tid);

/* Returns the name of a process: that of its first thread; empty if it is not known. */
brz_str threads_process_name(const threads *t, uint32_t pid);

/* Names a thread. After an exec, its process keeps its mappings up to its next one: the kernel
 * still runs on behalf of the old program. */
void threads_name(threads *t, brz_ctx *ctx, uint32_t pid, uint32_t tid, brz_str name, bool is_exec);

/* Records a fork. `copies_maps` is false for records that perf itself made. */
void threads_fork(threads *t, brz_ctx *ctx, const uint32_t ids[4], bool copies_maps);

/* Records the end of a thread. The mappings of a process are freed some time after its last thread
 * has ended: the kernel reports the end early, and may sample the thread once more. */
void threads_exit(threads *t, brz_ctx *ctx, uint32_t pid, uint32_t tid);

/* Maps a range in a process. */
void threads_map(threads *t, brz_ctx *ctx, uint32_t pid, map_range range);

/* Returns whether a process is still in its exec at a sample: its program has not run so far. */
static inline bool threads_is_starting(threads *t, const thread *of, bool is_user)
{
    process *p = &t->processes[of->process];
    p->is_starting &= !is_user;
    return p->is_starting;
}

/* Returns the mappings of a thread's process, or NULL. */
static inline maps *threads_maps(const threads *t, const thread *of)
{
    return t->processes[of->process].maps;
}

#endif
