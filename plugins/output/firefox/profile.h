/* SPDX-License-Identifier: MIT */
/* A profile of the Firefox Profiler being written, and its parts. */
#ifndef OUTPUT_FIREFOX_PROFILE_H
#define OUTPUT_FIREFOX_PROFILE_H

#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/write.h>

#include "../common/axis.h"
#include "../common/functions.h"
#include "../common/paths.h"
#include "../common/tracks.h"

typedef struct profile {
    brz_writer w;
    brz_output_ctx *ctx;
    brz_str name; /* of the process, unless the input names processes */
    const brz_tree *tree;
    paths paths; /* stack i of the file is path i + 1 */
    functions functions;
    keys modules; /* (build id, module), as texts, in the order in which functions refer to them */
    keys files;   /* texts, likewise */
    label_sets labels;
    uint32_t **texts_of_labels; /* by set and label: the number of its text */
    tracks tracks;
    bool by_thread; /* the profile has threads, times or labels, which are in `tracks` */
} profile;

#define MILLISECONDS 3
#define NANOSECONDS  6 /* decimals of milliseconds */

/* Returns the axis of weights, and of times that are sums of weights: times are in milliseconds. */
static inline axis axis_of_samples(const brz_column_info *weight)
{
    if (axis_is_time(weight->unit))
        return axis_of(weight, 0, MILLISECONDS);
    return (axis){-(int32_t)weight->decimals};
}

/* Writes the tables that all threads share. */
void put_tables(profile *p);

/* Writes the libraries to which the tables refer, which must have been written. */
void put_libraries(profile *p);

/* Adds the texts of markers, before texts are written. */
void add_texts_of_labels(profile *p);

/* Writes the labels of a track's samples as markers, if it is not NULL. */
void put_markers(profile *p, const track *from);

/* Writes a thread for each track, or else for each weight. */
void put_threads(profile *p);

/* Writes the description of the profile. */
void put_meta(profile *p);

#endif
