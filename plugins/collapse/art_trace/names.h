/* SPDX-License-Identifier: MIT */
/* Reads the text with which a method trace begins: facts, threads and methods.
 *
 *     text   := "*version" LF number LF (key "=" value LF)*
 *               "*threads" LF (id TAB name LF)*
 *               "*methods" LF (id TAB class TAB method TAB signature [TAB file [TAB line]] LF)*
 *               "*end" LF
 *
 * Ids of threads are decimal, those of methods hexadecimal.
 */
#ifndef ART_TRACE_NAMES_H
#define ART_TRACE_NAMES_H

#include <brazier/binary.h>
#include <brazier/text.h>

#include "../../common/pair_map.h"

/* A clock of a trace. */
typedef enum art_clock { CLOCK_WALL, CLOCK_CPU, N_CLOCKS } art_clock;

typedef struct art_names {
    brz_ctx *ctx;
    brz_str clock;    /* "dual", "wall", "thread-cpu" or "global"; empty: unknown */
    uint64_t process; /* its id; 0: unknown */
    uint64_t n_calls; /* number of records */
    bool has_calls, overflowed;
    brz_str *lines; /* of the methods */
    brz_frame *frames;
    size_t n_methods, lines_cap;
    brz_str *threads; /* names */
    size_t n_threads, threads_cap;
    pair_map methods, thread_ids; /* ids to indices */
    uint64_t n_nameless;          /* methods that occur and have no line */
} art_names;

/* Reads the text, after which the cursor stands at the records. Makes the cursor fail without an
 * end of the text. */
void art_names_read(art_names *n, brz_ctx *ctx, brz_bytes *b);

/* Returns the frame of a method. */
brz_frame art_names_frame(art_names *n, uint32_t method);

/* Returns the name of a thread, or an empty text. */
brz_str art_names_thread(const art_names *n, uint32_t thread);

#endif
