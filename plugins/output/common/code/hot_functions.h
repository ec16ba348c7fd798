/* SPDX-License-Identifier: MIT */
/* The functions in which stacks end, with the weight at each of their addresses and lines. */
#ifndef OUTPUT_COMMON_CODE_HOT_FUNCTIONS_H
#define OUTPUT_COMMON_CODE_HOT_FUNCTIONS_H

#include <brazier/draft/code.h>

/* A place in a function at which stacks end. */
typedef struct hot_place {
    uint64_t address; /* as in frames; 0: unknown */
    brz_str file;     /* empty: unknown */
    uint32_t line;    /* 0: unknown */
    int64_t self;     /* sum of the main column */
    int64_t *selves;  /* those of all columns; NULL with HOT_MAIN */
} hot_place;

typedef struct hot_function {
    brz_str name;         /* of the function itself, not of one inlined into it */
    brz_str module;       /* empty: unknown */
    const brz_code *code; /* NULL: unknown */
    int64_t self;
    const hot_place *places; /* by address, then by file and line */
    size_t n_places;
    int64_t *selves;   /* sums of all columns; NULL with HOT_MAIN */
    uint32_t n_selves; /* number of columns; 0 with HOT_MAIN */
    double share;      /* the largest of those sums, as a share of its column; 0 with HOT_MAIN */
} hot_function;

typedef struct hot_functions {
    hot_function *items; /* the heaviest first: by the share, and by the main column */
    size_t n;
    int64_t total; /* sum of all stacks, also of those that end in no such place */
} hot_functions;

/* The weights that are collected. */
typedef enum hot_weights {
    HOT_MAIN, /* the main column, at places where that is not 0 */
    HOT_ALL   /* all columns, at places where one is not 0 */
} hot_weights;

/* Collects the functions of a tree whose stacks are distinguished by all attributes of frames. The
 * memory belongs to the plug-in instance. */
void hot_functions_init(hot_functions *h, brz_output_ctx *ctx, const brz_tree *tree,
                        hot_weights weights);

/* Warns if there are no functions, and says which recordings have some. */
void hot_functions_report_empty(brz_output_ctx *ctx, const hot_functions *h);

#endif
