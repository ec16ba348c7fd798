/* SPDX-License-Identifier: MIT */
/* Counts the samples of austin, in text and in its binary form. */
#ifndef AUSTIN_SAMPLE_H
#define AUSTIN_SAMPLE_H

#include "../../common/dump/dump.h"

#define AUSTIN_COLUMNS 4

/* Columns, which are declared when they have a value. */
typedef struct austin_columns {
    uint32_t ids[AUSTIN_COLUMNS];
    bool declared[AUSTIN_COLUMNS];
    bool in_bytes; /* the metric is memory */
} austin_columns;

/* Metrics of a sample. */
typedef struct austin_metrics {
    int64_t metric;
    int64_t idle, memory; /* if `is_full` */
    bool is_full;
} austin_metrics;

/* Describes a frame "FILE:FUNCTION:LINE". The name is the text as it is, so that lines of a
 * function stay apart. Implements dump_describe. */
void austin_describe(dump *d, brz_str text, brz_frame_desc *frame);

/* Begins a stack of a process and a thread, "P12" and "T0:17". The texts may be followed by any 31
 * readable bytes. */
void austin_begin(dump *d, brz_str process, brz_str thread);

/* Counts the metrics of the current stack, which stays. */
brz_rc austin_count(austin_columns *c, dump *d, const austin_metrics *m);

#endif
