/* SPDX-License-Identifier: MIT */
/* A trace being written, and the parts that both of its forms share. */
#ifndef OUTPUT_CHROME_TRACE_TRACE_H
#define OUTPUT_CHROME_TRACE_TRACE_H

#include <brazier/plugin.h>
#include <brazier/write.h>

#include "../common/tracks.h"

#define MICROSECONDS 6

typedef struct options {
    brz_str name;
    int32_t count_as;
    bool details;
} options;

typedef struct trace {
    brz_writer w;
    brz_output_ctx *ctx;
    const options *options;
    const brz_tree *tree;
} trace;

/* Writes the name of the process or thread with these ids. `what` is "process_name" or
 * "thread_name". */
void put_name(trace *t, const char *what, int64_t process, int64_t id, brz_str name);

/* Writes name, category and arguments of a frame, with the labels of a tag unless it is NULL, and
 * the bracket that ends the event. */
void put_frame(trace *t, uint32_t frame, const brz_tag_info *labels);

/* Writes all events of a profile with threads or times. */
void put_timeline(trace *t, const tracks *all);

/* Writes the facts about the recording as members of an object that has members already. */
void put_facts(trace *t);

#endif
