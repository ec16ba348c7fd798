/* The state of a ghcprof instance, and the costs that both forms of input share. */
#ifndef GHCPROF_COSTS_H
#define GHCPROF_COSTS_H

#include <brazier/collapser.h>
#include <brazier/text.h>

typedef struct options {
    bool time, ticks, bytes;
} options;

/* What a cost centre stack may have of its own. Shares are in per mille. */
enum { TIME, ALLOC, TICKS, BYTES, ENTRIES, COSTS };

/* A cost centre, as both forms name it. */
typedef struct centre {
    brz_str name, module, source;
} centre;

/* The columns of the table in the text form. */
typedef struct columns {
    bool source, ticks; /* SRC; ticks and bytes */
    size_t module;      /* where MODULE begins, in characters */
} columns;

/* A cost centre stack of the JSON form. */
typedef struct node {
    uint64_t centre;
    uint32_t depth; /* 0: the root */
    bool has_centre;
    int64_t ticks, bytes, entries;
} node;

/* Where in the JSON form a bracket was opened. */
enum place { ELSEWHERE, REPORT, CENTRES, CENTRE, NODE, CHILDREN };

typedef struct json {
    unsigned char *places; /* of the open brackets */
    size_t depth, places_cap;
    int key;        /* the last one that was read; see json.c */
    bool wants_key; /* the next string is one */
    bool broken;    /* it is not JSON any more: nothing is read */
    node *nodes;    /* in the order of their beginnings: callers first */
    size_t n_nodes, nodes_cap;
    size_t *open_nodes; /* those that are not complete yet */
    size_t n_open, open_cap;
    uint64_t centre_id; /* of the cost centre being read */
    brz_text name, module, source;
    brz_frame_cache centres; /* id -> frame */
} json;

typedef struct ghcprof {
    const options *options;
    brz_lines lines;
    brz_stacks stacks; /* root first */
    brz_text scratch, key;
    uint32_t weights[COSTS]; /* the columns; NO_WEIGHT: not declared */
    uint32_t n_weights;
    bool waiting; /* the stack that was read last is not counted yet */
    int64_t waiting_costs[COSTS];

    /* the text form */
    bool in_table, seen_table, rows; /* `rows`: some were seen of the table */
    columns columns;
    brz_frame_cache frames; /* name, module and source -> frame; the context is the name's length */
    size_t *depths;         /* of the frames of the path */
    size_t depths_cap;

    /* the JSON form */
    json json;
} ghcprof;

#define NO_WEIGHT UINT32_MAX

/* Declares the columns of what a report has; false if what the run wants is not among them. */
bool declare_weights(ghcprof *g, brz_ctx *ctx, const bool has[COSTS], uint32_t dflt);
brz_frame centre_frame(ghcprof *g, brz_ctx *ctx, const centre *c);
/* Remembers what the stack in g->stacks costs, which may be nothing. It is counted before another
 * one is read: by then, its place in the table has been fetched. */
void take_costs(ghcprof *g, const int64_t costs[COSTS]);
brz_rc count_waiting(ghcprof *g, brz_ctx *ctx);
/* A whole number; false if it is none. Saturates. */
bool parse_number(brz_str digits, int64_t *value);

#endif
