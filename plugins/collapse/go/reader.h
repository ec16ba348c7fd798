/* SPDX-License-Identifier: MIT */
/* The state of a reader of what `go tool pprof` prints: -raw, -traces and -top. */
#ifndef GO_READER_H
#define GO_READER_H

#include "../../common/dump/dump.h"

/* Maximum number of columns. */
#define GO_COLUMNS 16

/* A view of a list of numbers. */
typedef struct go_numbers {
    uint64_t *items;
    size_t n, cap;
} go_numbers;

/* A sample of -raw: its places among the values and locations. */
typedef struct go_sample {
    size_t values;    /* index in `values`, as many as columns */
    size_t locations; /* index in `ids` */
    size_t n;         /* number of locations */
} go_sample;

/* The frames of a location, in `frames`, from leaf to root. */
typedef struct go_location {
    uint64_t id;
    size_t frames, n;
} go_location;

/* The part of the text that is being read. */
typedef enum go_part {
    GO_HEADER,
    GO_SAMPLES,
    GO_LOCATIONS,
    GO_MAPPINGS,
    GO_TRACES,
    GO_TOP,
} go_part;

typedef struct go_options {
    bool first;
} go_options;

typedef struct go {
    dump dump;
    go_part part;
    uint32_t columns[GO_COLUMNS];
    size_t n_columns;

    /* -raw */
    size_t shown; /* column */
    go_sample *samples;
    size_t n_samples, samples_cap;
    go_numbers values, ids;
    go_location *locations;
    size_t n_locations, locations_cap;
    brz_frame_list frames;
    uint64_t n_missing; /* places in stacks whose location is not there */

    /* -traces */
    bool has_value;
    bool is_lost; /* a line of the trace has been reported: its amount is missing */
    int64_t value;
    brz_str type;     /* of the profile; kept */
    const char *base; /* unit of the column */

    /* -top */
    int64_t top_total, top_sum; /* as the text states it, and of the rows */
} go;

/* A unit of amounts: a name, the unit in which it is counted, and how many of these it is. */
typedef struct go_unit {
    const char *name, *base;
    int64_t factor;
} go_unit;

/* raw.c: recognises the line of the columns, such as "samples/count cpu/nanoseconds[dflt]"; reads
 * it, a line of the samples or one of the locations. */
bool go_are_titles(brz_str line);
void go_read_titles(go *g, brz_str line);
void go_read_sample(go *g, brz_str line);
void go_read_location(go *g, brz_str line);

/* Counts the samples, whose locations are known at the end of the text. Another text may follow. */
brz_rc go_end_raw(go *g);

/* traces.c: reads a line of -traces after the first separator; ends the last trace. */
brz_rc go_read_trace(go *g, brz_str line);
brz_rc go_end_trace(go *g);

/* Returns whether a line begins with an amount, such as "650ms", of the unit of those above, and
 * has a function after three blanks. */
bool go_begins_trace(const go *g, brz_str line);

/* Returns the unit with a name, or NULL. The one without a name counts. */
const go_unit *go_find_unit(brz_str name);

/* Declares the column when the first amount shows its unit. */
void go_declare(go *g, const go_unit *u);

/* Describes a function: "main.f (inline)". */
void go_describe(dump *d, brz_str text, brz_frame_desc *frame);

/* top.c: recognises the titles of -top; reads the line with the total, or a row; ends the text. */
bool go_is_top_title(brz_str line);
void go_read_top_total(go *g, brz_str line);
brz_rc go_read_top(go *g, brz_str line);
void go_end_top(go *g);

/* Returns whether a line separates traces. */
static inline bool go_is_separator(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("-----------+-----"));
}

#endif
