/* SPDX-License-Identifier: MIT */
/* Knows the processes, threads and tracks of a trace, and makes their tags. */
#ifndef PERFETTO_TASKS_H
#define PERFETTO_TASKS_H

#include <brazier/text/buffer.h>
#include <brazier/text/frame_cache.h>
#include <brazier/text/stacks.h>

#include "../../common/pair_map.h"
#include "packets.h"

/* A track that a descriptor states: a thread, or another one. */
typedef struct stated_track {
    uint64_t parent; /* 0: none */
    int64_t process, thread;
    bool has_process, has_thread;
    brz_str name;
} stated_track;

/* The process, thread and other places of samples. */
typedef struct task {
    int64_t process, thread;
    uint32_t flags; /* BRZ_TAG_PROCESS and others: what is known */
    uint32_t cpu;
    brz_str heap;  /* label; empty: none */
    brz_str track; /* name of a track that is no thread, likewise */
} task;

typedef struct tasks {
    brz_ctx *ctx;
    brz_str *names;
    size_t n_names, names_cap;
    pair_map of_processes, of_threads; /* names by id */
    pair_map processes;                /* of threads: what the trace states of a thread alone */
    stated_track *tracks;
    size_t n_tracks, tracks_cap;
    pair_map by_uuid;
    task last; /* the one of the last tag */
    brz_tag tag;
    brz_frame_cache tags; /* by task: the names in tags may be long */
    brz_text key;
} tasks;

void tasks_init(tasks *t, brz_ctx *ctx);

/* Take what messages say: a tree of processes, and descriptors of a process, thread or track. */
void tasks_take_tree(tasks *t, brz_bytes message);
void tasks_take_process(tasks *t, brz_bytes message, stated_track *track);
void tasks_take_thread(tasks *t, brz_bytes message, stated_track *track);
void tasks_take_track(tasks *t, brz_bytes message);

/* Returns the track with a number, or NULL. */
const stated_track *tasks_track(const tasks *t, uint64_t uuid);

/* Returns the name of a process; empty: unknown. */
brz_str tasks_process_name(const tasks *t, int64_t process);

/* Returns the tag of a task, or BRZ_NO_TAG if the run does not need it. */
brz_tag tasks_tag(tasks *t, const task *of);

/* Returns the message with a descriptor of a thread in one of a track; empty: it has none. */
brz_bytes track_thread(brz_bytes track);

#endif
