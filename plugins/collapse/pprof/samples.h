/* SPDX-License-Identifier: MIT */
/* Counts the samples of a profile. */
#ifndef PPROF_SAMPLES_H
#define PPROF_SAMPLES_H

#include "labels.h"
#include "lists.h"

#include <brazier/draft/sorted.h>
#include <brazier/text/stacks.h>

/* The most columns that a profile can have. */
#define MAX_COLUMNS 255

typedef struct samples {
    frames *frames;
    const tables *tables;
    brz_ctx *ctx;
    brz_stacks stacks; /* leaf first; finds equal stacks */
    size_t n_columns;  /* number of sample types, at most MAX_COLUMNS */
    uint32_t *columns; /* by sample type: the host's column */
    int64_t *values;   /* of the sample being read */
    brz_count *batch;
    size_t n_batch;
    labels labels;
    lists lists;
    bool wants_tags;
    brz_frame_list list; /* frames of a sample that is read alone */
} samples;

/* Declares a column for each sample type. */
void samples_init(samples *s, brz_ctx *ctx, const tables *t, frames *f);

/* Reads the next sample of `rest` without counting it, for a profile with one sample type: see
 * brz_sorted_reader.next. */
int32_t samples_next(samples *s, brz_bytes *rest, brz_sorted_sample *to);

/* Counts all samples. */
brz_rc samples_read(samples *s);

#endif
