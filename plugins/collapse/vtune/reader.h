/* SPDX-License-Identifier: MIT */
/* The state of a reader of reports of VTune, and the functions by which its parts use each other.
 */
#ifndef VTUNE_READER_H
#define VTUNE_READER_H

#include "../../common/table/csv.h"
#include "../../common/table/level_tree.h"

#include <brazier/plugin.h>
#include <brazier/text.h>

typedef struct vtune_options {
    bool no_modules, modules_after, round;
} vtune_options;

/* ---- header (plan.c) ------------------------------------------------------------------------- */

#define NO_COLUMN SIZE_MAX

typedef enum vtune_unit { UNIT_COUNT, UNIT_TIME, UNIT_BYTES, UNIT_PERCENT } vtune_unit;

/* A column of numbers. */
typedef struct vtune_metric {
    brz_str name; /* without ":Self" and ":Total" */
    size_t column;
    vtune_unit unit;
    uint32_t decimals;
} vtune_metric;

typedef struct vtune_plan {
    bool found;
    char delimiter;
    bool decimal_comma;
    bool callers; /* rows are stacks from callee to caller, separated by blank rows; otherwise a
                     tree */
    bool totals;  /* metrics include the callees' values */
    size_t stack, function, module, file; /* columns, or NO_COLUMN */
    csv_columns columns;
    size_t n_cells;                  /* number of cells needed of a row */
    vtune_metric metrics[CSV_CELLS]; /* the default weight first */
    size_t n_metrics;
} vtune_plan;

/* Finds the header at the beginning of an input. Returns the position of the first row, or 0 if
 * there is no header. Allocates the texts of the plan. */
size_t plan_find(vtune_plan *plan, brz_ctx *ctx, brz_str text);

/* Recognises the header of a report of call stacks. */
bool plan_is_header(brz_str line, char *delimiter);

/* Parses a metric's cell; an empty one is 0. Stores the value of one unit in the cell's last digit
 * in *last, unless it is NULL. Returns false if the cell is not a number. */
bool metric_parse(const vtune_plan *plan, const vtune_metric *m, brz_str cell, int64_t *value,
                  int64_t *last);

/* ---- instance -------------------------------------------------------------------------------- */

/* The module and file of a function. */
typedef struct vtune_place {
    brz_str module, file;
} vtune_place;

/* The stack being read in a report of callers. */
typedef struct vtune_callers {
    bool function;   /* the function's row, which is the leaf, has been read */
    bool is_torn;    /* the row of the function has another number of cells than of columns */
    size_t leaves;   /* number of frames common to the stacks of a function: 1 or 0 */
    size_t stacks;   /* number of stacks of this function so far */
    int64_t *values; /* values of the stack */
    int64_t *left;   /* values of the function not accounted for by its stacks */
    int64_t *last;   /* size of a unit in the last digit of its values */
    int64_t *row;    /* values of a row */
} vtune_callers;

typedef struct vtune {
    const vtune_options *options;
    const vtune_plan *plan;
    brz_lines lines;
    brz_stacks stacks;
    level_tree tree;
    vtune_callers callers;
    brz_frame_cache frames, where;
    brz_frame_cache idle; /* maps tree rows without values, without leading spaces, to frames */
    vtune_place *places;  /* place 0 is unknown */
    size_t n_places, places_cap;
    char *scratch;
    size_t scratch_cap;
    brz_frame unknown;
    bool has_unknown;
    bool row_is_torn; /* the current row has another number of cells than the header has columns */
} vtune;

/* frames.c: Returns the frame of a row. `name` is bare and points into the chunk. */
void frames_init(vtune *v, brz_ctx *ctx);
brz_frame row_frame(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str name);
brz_frame unknown_frame(vtune *v, brz_ctx *ctx);

/* Weight that is missing because of a row that is left out, or UNKNOWN_WEIGHT. */
#define UNKNOWN_WEIGHT (-1)
void report_lost(brz_ctx *ctx, const char *code, brz_str at, brz_str msg, int64_t weight);

/* The result of parsing the metrics of a row. */
typedef struct row_metrics {
    bool good;
    bool torn;      /* the row has another number of cells than the header has columns */
    brz_str bad;    /* the first cell that is not a number, or the row if it is torn */
    int64_t weight; /* the first metric, or UNKNOWN_WEIGHT; also if another one is not a number */
} row_metrics;

/* Parses the metrics of a row. If one of them is not a number, all values are 0. `last` is as in
 * metric_parse, or NULL. */
row_metrics row_values(const vtune *v, const csv_row *row, brz_str line, int64_t *values,
                       int64_t *last);
/* Reports a row that is torn or has a cell that is not a number, and the weight that is missing
 * because of it. */
void report_bad_value(brz_ctx *ctx, const row_metrics *m, int64_t weight);

/* tree.c, callers.c: rows of both layouts, and the end of the report. */
/* Handles a row that occurred before without values. Returns false for other lines. */
bool tree_idle_row(vtune *v, brz_ctx *ctx, brz_str line, brz_rc *rc);
brz_rc tree_row(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str line);
brz_rc tree_end(vtune *v, brz_ctx *ctx);
void callers_init(vtune *v, brz_ctx *ctx);
brz_rc callers_row(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str line);
brz_rc callers_end(vtune *v, brz_ctx *ctx);

#endif
