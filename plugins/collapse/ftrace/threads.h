/* The open calls of each thread of a report of ftrace. */
#ifndef FTRACE_THREADS_H
#define FTRACE_THREADS_H

#include "../../common/dump/dump.h"

/* A function that has not ended. */
typedef struct open_call {
    size_t indent;
    int64_t called; /* time of the functions that it called */
} open_call;

/* A thread; its path has a frame for each open call. */
typedef struct thread {
    brz_path path;
    open_call *open;
    size_t open_cap;
    brz_str name; /* "NAME-PID"; empty: unknown */
    brz_tag tag;
} thread;

typedef struct threads {
    brz_frame_cache ids; /* names of threads, and numbers of processors, to indices */
    thread *items;
    size_t n, cap;
    uint32_t *running; /* for each processor: the thread that runs on it */
    size_t n_processors, processors_cap;
} threads;

void threads_init(threads *t, brz_ctx *ctx);

/* Returns the thread of this name. The text is part of the chunk. */
thread *threads_named(threads *t, dump *d, brz_str name);

/* Returns the thread that runs on a processor; its digits are part of the chunk. */
thread *threads_running(threads *t, dump *d, brz_str cpu);

/* Lets a processor go on with another thread. */
void threads_switch(threads *t, dump *d, brz_str cpu, brz_str from, brz_str to);

#endif
