/* SPDX-License-Identifier: MIT */
/* Makes records of the state before a recording: kernel code, processes, threads, mappings. */
#ifndef BRZ_RECORD_SYNTHESIS_H
#define BRZ_RECORD_SYNTHESIS_H

#include "record/build_id.h"
#include "record/kernel.h"
#include "record/namespaces.h"
#include "record/perf_file.h"

/* The destination of the records, and what they have. */
typedef struct brz_synthesis {
    brz_perf_file *file;
    uint64_t sample_type; /* of the first event, on which the ends of records depend */
    brz_build_ids *ids;   /* reads the build ids of mapped files; NULL: mappings have inodes */
    void (*between)(void *context); /* called after each thread; NULL: nothing */
    void *context;
    brz_namespaces *namespaces; /* looks at the processes; NULL: nothing does */
    bool has_data;              /* files are added where they are mapped as data, too */
} brz_synthesis;

/* Adds the kernel and its modules. */
void brz_synthesize_kernel(const brz_synthesis *s, const brz_kernel_map *map);

/* Adds the name of a process that is about to execute a program. */
void brz_synthesize_name(const brz_synthesis *s, pid_t pid);

/* Adds a process: its mappings, and the names of its threads. A process that has ended or
 * that may not be read is left out. */
void brz_synthesize_process(const brz_synthesis *s, pid_t pid);

/* Adds all processes. */
void brz_synthesize_all(const brz_synthesis *s);

/* Calls `take` for each number among the names in a folder, such as /proc. Returns false if the
 * folder cannot be read. */
typedef void brz_number_fn(void *context, pid_t number);
bool brz_numbers_in(const char *folder, brz_number_fn *take, void *context);

#endif
