/* SPDX-License-Identifier: MIT */
/* The parts of a speedscope file. */
#ifndef SPEEDSCOPE_FILE_H
#define SPEEDSCOPE_FILE_H

#include <brazier/text.h>

#include "../../common/json/column.h"
#include "../../common/json/cursor.h"

/* The member "brazier" of a profile: facts about its samples that the format cannot state. */
typedef struct origin {
    brz_str weight, unit; /* decoded; the weight is empty if there is no such member */
    brz_str process_name, thread_name;
    int64_t process, thread;
    uint32_t flags; /* BRZ_TAG_PROCESS and others: the numbers that are known */
    bool timed;     /* times are those of the samples */
} origin;

/* A profile of the file: its properties, and where its data are. A part that is missing is empty.
 */
typedef struct outline {
    brz_str name, unit;               /* decoded */
    brz_str unit_at;                  /* the unit as written, where it is reported */
    brz_json_token start, end;        /* startValue and endValue */
    brz_str samples, weights, events; /* arrays as written, which may be cut off */
    origin origin;
    size_t column; /* index of its column */
} outline;

typedef struct speedscope {
    brz_stacks stacks;     /* root first */
    brz_frame_list frames; /* indexed as in the file */
    uint32_t *open;        /* indexed by frame: how often it is open, in profiles of events */
    uint32_t *opened;      /* the open frames, as indices into `frames` */
    size_t opened_cap;
    outline *outlines;
    size_t n_outlines, outlines_cap;
    column *columns;
    size_t n_columns, columns_cap;
    uint64_t active; /* index of the profile that is shown first */
    bool own;        /* brazier wrote the file: a profile has an origin, or is a column */
    brz_text scratch, file;
    cursor samples, weights; /* of the only profile, if its samples are read one by one */
    brz_frame_list list;     /* frames of such a sample */
} speedscope;

/* Reads frames and outlines. Reports what cannot be read. */
void file_read(speedscope *s, brz_ctx *ctx, brz_str text);

/* Declares the columns of all profiles. */
brz_rc file_declare(speedscope *s, brz_ctx *ctx);

#endif
