/* SPDX-License-Identifier: MIT */
/* The state of a ghcprof instance, and the costs common to both input formats. */
#ifndef GHCPROF_COSTS_H
#define GHCPROF_COSTS_H

#include <brazier/collapser.h>
#include <brazier/json.h>
#include <brazier/text.h>

typedef struct options {
    bool time, ticks, bytes;
} options;

/* Self costs of a cost centre stack. Shares are in per mille. */
enum { TIME, ALLOC, TICKS, BYTES, ENTRIES, COSTS };

/* A cost centre, as both formats name it. */
typedef struct centre {
    brz_str name, module, source;
} centre;

/* Columns of the table in the text format. */
typedef struct columns {
    bool source, ticks; /* presence of SRC; presence of ticks and bytes */
    size_t module;      /* start of MODULE, in characters */
} columns;

/* A cost centre stack of the JSON format. */
typedef struct node {
    uint64_t centre;
    uint32_t depth; /* 0 for the root */
    bool has_centre;
    int64_t ticks, bytes, entries;
} node;

/* Contexts of brackets in the JSON format. */
enum place { ELSEWHERE, REPORT, CENTRES, CENTRE, NODE, CHILDREN };

typedef struct json {
    brz_json parser;
    bool deviates[BRZ_JSON_N_DEVIATIONS]; /* the first deviation of the kind was reported */
    uint64_t others;                      /* deviations after these */
    unsigned char *places;                /* enum place of each open bracket */
    size_t n_places, places_cap;
    int key;     /* the last key read; see json.c */
    bool broken; /* not valid JSON; the rest is skipped */
    node *nodes; /* nodes in the order of their beginnings: callers first */
    size_t n_nodes, nodes_cap;
    size_t *open_nodes; /* nodes that are not complete yet */
    size_t n_open, open_cap;
    uint64_t centre_id; /* id of the cost centre being read */
    brz_text name, module, source;
    brz_frame_cache centres; /* maps ids to frames */
} json;

typedef struct ghcprof {
    const options *options;
    brz_lines lines;
    brz_stacks stacks; /* root first */
    brz_text scratch, key;
    uint32_t weights[COSTS]; /* columns; NO_WEIGHT: not declared */
    uint32_t n_weights;
    uint32_t counted; /* the cost that is the first weight */
    bool waiting;     /* the last stack read is not counted yet */
    int64_t waiting_costs[COSTS];

    /* text format */
    bool in_table, seen_table, rows; /* `rows`: the table has at least one row */
    columns columns;
    brz_frame_cache
        frames;     /* maps name, module and source to frames; the context is the name's length */
    size_t *depths; /* depths of the frames of the path */
    size_t depths_cap;

    /* JSON format */
    json json;
} ghcprof;

#define NO_WEIGHT UINT32_MAX

/* Returns the cost that the options choose as the first weight. */
uint32_t counted_cost(const ghcprof *g, uint32_t dflt);
/* Declares the columns of a report. Returns false if the report lacks the one that the options
 * require. */
bool declare_weights(ghcprof *g, brz_ctx *ctx, const bool has[COSTS], uint32_t dflt);
brz_frame centre_frame(ghcprof *g, brz_ctx *ctx, const centre *c);
/* Stores the costs of the stack in g->stacks; all may be 0. They are counted before the next stack
 * is read, when the stack's table entry has been prefetched. */
void take_costs(ghcprof *g, const int64_t costs[COSTS]);
brz_rc count_waiting(ghcprof *g, brz_ctx *ctx);
/* Parses an integer. Returns false for other text. Saturates. */
bool parse_number(brz_str digits, int64_t *value);

/* ---- JSON format (json.c) -------------------------------------------------------------------- */

void json_init(json *j, brz_ctx *ctx);

/* Parses all complete tokens of a chunk; sets *used to the number of bytes read. */
brz_rc json_read(ghcprof *g, brz_ctx *ctx, const brz_chunk *chunk, size_t *used);

/* ---- text format (table.c) ------------------------------------------------------------------- */

/* Parses a line. */
brz_rc table_line(ghcprof *g, brz_ctx *ctx, brz_str line);

/* Recognises the header of the table and sets *found to its columns. */
bool table_begins(brz_str line, columns *found);

#endif
