/* SPDX-License-Identifier: MIT */
/* The call graph below a row of `perf report`, whose amount is divided among its branches.
 *
 *     graph  := ["---" name] (name | branch)*
 *     branch := "--" amount "--" name
 *
 * A name without an amount continues the chain of the branch above it. Amounts are percentages of
 * all, of the branch above or numbers of samples; only their shares count here. */
#ifndef PERF_REPORT_BRANCHES_H
#define PERF_REPORT_BRANCHES_H

#include "../../common/dump/dump.h"

typedef struct branch {
    size_t level;
    int64_t value; /* in hundredths of a per cent, or samples; -1: none */
    bool is_percent;
    size_t first, n; /* its frames, in brz_frame_list */
    size_t parent;
    int64_t sum;       /* of the values of the branches of this one */
    int64_t weight;    /* its part of that of the row */
    int64_t used;      /* the part of that that its branches have */
    size_t last;       /* branch of this one; 0: none */
    bool begins, ends; /* its first or last frame is the function of the row */
} branch;

typedef struct branches {
    brz_ctx *ctx;
    branch *items; /* the first is that of the row itself */
    size_t n, cap;
    brz_frame_list frames, chain;
    size_t *starts; /* of the levels, in the chain */
    size_t n_starts, starts_cap;
    brz_text function; /* of the row */
    bool has_base;     /* column of the names of the first branch */
    size_t base;
} branches;

/* Begins the graph of a row. */
void branches_begin(branches *b, brz_ctx *ctx, brz_str function);

/* Adds a line, whose frame `frame` makes. Returns false if it is not a line of this graph. */
bool branches_take(branches *b, brz_str line, brz_frame (*frame)(void *self, brz_str name),
                   void *self);

/* Adds a branch of the row, to which branches_frame() adds frames. */
void branches_add(branches *b, size_t level, int64_t value, bool is_percent);
void branches_frame(branches *b, brz_frame frame, brz_str name);

/* Takes "12.34%" or "12". */
bool branches_amount(brz_str *s, int64_t *value, bool *is_percent);

/* Puts a frame in front of the first one. */
void branches_put_first(branches *b, brz_frame frame);

/* Return whether all branches begin, or end, with the function of the row. */
bool branches_begin_alike(const branches *b);
bool branches_end_alike(const branches *b);

/* Divides the weight of a row, of which the graph shows `whole`. */
void branches_divide(branches *b, int64_t weight, int64_t whole);

/* Sets b->chain to the frames of a branch, with those of the branches above it. Call it for all
 * branches in order. */
void branches_chain(branches *b, size_t index);

#endif
