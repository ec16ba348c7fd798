/* What the parts of the Visual Studio collapser share. */
#ifndef BRZ_VSPROF_H
#define BRZ_VSPROF_H

#include "../table/csv.h"
#include "../table/level_tree.h"

#include <brazier/plugin.h>
#include <brazier/text.h>

/* What the numbers of a column mean. */
typedef enum vsprof_sort {
    SORT_CALLS, /* how often the function was called from here */
    SORT_TOTAL, /* the function and what it called */
    SORT_SELF,  /* the function alone */
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

/* ---- what the header says (plan.c) ----------------------------------------------------------- */

#define LEVEL_COLUMN 0u
#define NAME_COLUMN  1u
#define NO_COLUMN    SIZE_MAX

typedef struct vsprof_plan {
    bool found;
    char delimiter;
    size_t module;  /* a column, or NO_COLUMN */
    size_t n_cells; /* how many cells of a row matter */
    vsprof_metric metrics[CSV_CELLS];
    size_t n_metrics;
} vsprof_plan;

/* True if a line is the header of a call tree; finds its delimiter. */
bool plan_is_header(brz_str line, char *delimiter);
/* Looks for the header in the beginning of an input and gives where the rows begin. Texts of the
 * plan are allocated. */
size_t plan_find(vsprof_plan *plan, brz_ctx *ctx, brz_str text);
/* The decimals of a metric's column. */
uint32_t metric_decimals(const vsprof_metric *m);

/* ---- numbers.c ------------------------------------------------------------------------------- */

/* A whole number, perhaps in groups of three digits. */
bool number_whole(brz_str text, int64_t *value);
/* A number of the metric's column, in its decimals. Empty text is 0. */
bool number_parse(const vsprof_metric *m, brz_str text, int64_t *value);

#endif
