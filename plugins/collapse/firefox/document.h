/* SPDX-License-Identifier: MIT */
/* The parts of a profile of the Firefox Profiler: processes, threads and their tables. */
#ifndef FIREFOX_DOCUMENT_H
#define FIREFOX_DOCUMENT_H

#include <brazier/text.h>

#include "../../common/json/column.h"
#include "../../common/json/members.h"
#include "table.h"

/* Members of a thread's samples. */
enum {
    SAMPLES_STACK,
    SAMPLES_TIME,
    SAMPLES_WEIGHT,
    SAMPLES_CPU,
    SAMPLES_DELTAS,
    SAMPLES_TYPE,
    SAMPLES_SCHEMA,
    SAMPLES_DATA,
    SAMPLES_PARTS
};

/* Members of a thread other than samples and tables. */
enum {
    THREAD_NAME,
    THREAD_PROCESS,
    THREAD_TYPE,
    THREAD_PID,
    THREAD_TID,
    THREAD_ORIGIN, /* in files that brazier wrote */
    THREAD_PARTS
};

/* Members of the origin of a thread's samples. */
enum {
    ORIGIN_WEIGHT,
    ORIGIN_UNIT,
    ORIGIN_PROCESS,
    ORIGIN_THREAD,
    ORIGIN_PID,
    ORIGIN_TID,
    ORIGIN_TIMED,
    ORIGIN_PARTS
};

/* Members of "meta". */
enum {
    META_START,
    META_INTERVAL,
    META_PRODUCT,
    META_IMPORTED,
    META_CATEGORIES,
    META_UNITS,
    META_ABI,
    META_SYSTEM,
    META_PLATFORM,
    META_CPU,
    META_SELECTED,
    META_PARTS
};

typedef struct category {
    uint32_t kind, flags;
} category;

/* A process of a Gecko profile, or a whole processed profile. */
typedef struct process {
    brz_json_token meta[META_PARTS];
    scope shared; /* tables for all threads */
    category *categories;
    size_t n_categories, categories_cap;
    brz_str *libraries; /* names, as written */
    size_t n_libraries, libraries_cap;
    bool read; /* categories and libraries have been read */
} process;

typedef struct thread {
    size_t process; /* index */
    brz_json_token own[THREAD_PARTS];
    brz_json_token samples[SAMPLES_PARTS];
    scope scope;
    brz_json_token origin[ORIGIN_PARTS]; /* in files that brazier wrote, if they state it */
    size_t column;                       /* index, likewise */
} thread;

typedef struct firefox {
    brz_stacks stacks; /* root first */
    process *processes;
    size_t n_processes, processes_cap;
    thread *threads;
    size_t n_threads, threads_cap;
    brz_str *documents; /* texts of profiles, of which a string in another one may hold some */
    size_t n_documents, documents_cap;
    brz_str chunk; /* the bytes that messages can point into */
    column *columns;
    size_t n_columns, columns_cap;
    size_t selected; /* index of the thread that is shown first */
    bool own;        /* brazier wrote the file: a thread has an origin, or is a column */
    brz_text name, file, module;
    brz_frame_list path;
    brz_frame root; /* a frame "(root)", with which Gecko's stacks begin; or BRZ_NO_FRAME */
} firefox;

/* Finds all processes and threads. Reports what cannot be read. */
void document_read(firefox *f, brz_ctx *ctx, brz_str text);

/* Reads categories and libraries of a process, once. */
void process_read(process *p, brz_ctx *ctx);

/* ---- frames (frame.c) ------------------------------------------------------------------------ */

/* Returns the frame of a row of the frame table that a thread uses, or BRZ_NO_FRAME if there is no
 * such row. */
brz_frame frame_of(firefox *f, brz_ctx *ctx, thread *t, int64_t row);

/* ---- samples (samples.c) --------------------------------------------------------------------- */

/* Declares the columns of all threads. */
brz_rc samples_declare(firefox *f, brz_ctx *ctx);

/* Reads the id of a process or a thread, which is a number or a text that begins with one. Returns
 * `flag`, or 0 if the token has no number. */
uint32_t samples_id(const brz_json_token *t, int64_t *id, uint32_t flag);

/* Counts the samples of a thread. */
brz_rc samples_read(firefox *f, brz_ctx *ctx, thread *t);

#endif
