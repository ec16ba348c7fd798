/* SPDX-License-Identifier: MIT */
/* The columns of a report of Visual Studio, and their numbers. */
#ifndef VSPROF_METRICS_H
#define VSPROF_METRICS_H

#include "../../common/table/csv.h"
#include "../../common/table/level_tree.h"

#include <brazier/plugin.h>
#include <brazier/text.h>

/* The meaning of a column's numbers. */
typedef enum vsprof_sort {
    SORT_CALLS, /* number of calls from this caller */
    SORT_TOTAL, /* inclusive: the function and its callees */
    SORT_SELF,  /* exclusive: the function alone */
} vsprof_sort;

typedef enum vsprof_unit {
    UNIT_COUNT,
    UNIT_SAMPLES,
    UNIT_BYTES,
    UNIT_TIME,
    UNIT_PERCENT
} vsprof_unit;

typedef struct vsprof_metric {
    brz_str name;
    size_t column;
    vsprof_sort sort;
    vsprof_unit unit;
} vsprof_metric;

/* ---- header (plan.c) ------------------------------------------------------------------------- */

#define LEVEL_COLUMN 0u
#define NAME_COLUMN  1u
#define NO_COLUMN    SIZE_MAX

typedef struct vsprof_plan {
    bool found;
    char delimiter;
    size_t module; /* a column, or NO_COLUMN */
    csv_columns columns;
    size_t n_cells; /* number of cells needed of a row */
    vsprof_metric metrics[CSV_CELLS];
    size_t n_metrics;
} vsprof_plan;

/* Recognises the header of a call tree and finds its delimiter. */
bool plan_is_header(brz_str line, char *delimiter);
/* Finds the header at the beginning of an input. Returns the position of the first row. Allocates
 * the texts of the plan. */
size_t plan_find(vsprof_plan *plan, brz_ctx *ctx, brz_str text);
/* Returns the number of decimals of a metric's column. */
uint32_t metric_decimals(const vsprof_metric *m);

/* ---- numbers.c ------------------------------------------------------------------------------- */

/* Parses an integer, with optional separators between groups of three digits. */
bool number_whole(brz_str text, int64_t *value);
/* Parses a number in the decimals of the metric's column. Empty text is no number. */
bool number_parse(const vsprof_metric *m, brz_str text, int64_t *value);

#endif
