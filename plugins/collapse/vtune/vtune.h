/* What the parts of the VTune collapser share. */
#ifndef BRZ_VTUNE_H
#define BRZ_VTUNE_H

#include "../table/csv.h"
#include "../table/level_tree.h"

#include <brazier/plugin.h>
#include <brazier/text.h>

typedef struct vtune_options {
    bool no_modules, round;
} vtune_options;

/* ---- what the header says (plan.c) ----------------------------------------------------------- */

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
    bool callers; /* rows are stacks from callee to caller, divided by blank rows; else a tree */
    bool totals;  /* metrics hold what callees took as well */
    size_t stack, function, module, file; /* columns, or NO_COLUMN */
    size_t n_cells;                       /* how many cells of a row matter */
    vtune_metric metrics[CSV_CELLS];      /* the run's default first */
    size_t n_metrics;
} vtune_plan;

/* Looks for the header in the beginning of an input and gives where the rows begin: 0 if none is
 * there. Texts of the plan are allocated. */
size_t plan_find(vtune_plan *plan, brz_ctx *ctx, brz_str text);

/* True if a line is the header of a report of call stacks. */
bool plan_is_header(brz_str line, char *delimiter);

/* Reads a metric's cell; an empty one is 0. Sets *last, if it is not NULL, to what one more in the
 * cell's last digit would be. False if it holds no number. */
bool metric_parse(const vtune_plan *plan, const vtune_metric *m, brz_str cell, int64_t *value,
                  int64_t *last);

/* ---- an instance ----------------------------------------------------------------------------- */

/* Where a function is. */
typedef struct vtune_place {
    brz_str module, file;
} vtune_place;

/* The stack of a report of callers that is being read. */
typedef struct vtune_callers {
    bool function;   /* its function's row was read: the leaf */
    size_t leaves;   /* frames that the stacks of a function share: 1 or 0 */
    size_t stacks;   /* of this function so far */
    int64_t *values; /* of the stack */
    int64_t *left;   /* of the function: what its stacks have not taken */
    int64_t *last;   /* one in the last digit of its values */
    int64_t *row;    /* of a row */
} vtune_callers;

typedef struct vtune {
    const vtune_options *options;
    const vtune_plan *plan;
    brz_lines lines;
    brz_stacks stacks;
    level_tree tree;
    vtune_callers callers;
    brz_frame_cache frames, where;
    brz_frame_cache idle; /* rows of a tree that count nothing, without blanks in front: frames */
    vtune_place *places;  /* 0: nowhere */
    size_t n_places, places_cap;
    char *scratch;
    size_t scratch_cap;
    brz_frame unknown;
    bool has_unknown;
} vtune;

/* frames.c: the frame that a row is about. `name` is bare and in the chunk. */
void frames_init(vtune *v, brz_ctx *ctx);
brz_frame row_frame(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str name);
brz_frame unknown_frame(vtune *v, brz_ctx *ctx);

/* Reads the metrics of a row; one that holds no number costs all of them, and is reported. False
 * if so. `last` as in metric_parse, or NULL. */
bool row_values(const vtune *v, brz_ctx *ctx, const csv_row *row, brz_str line, int64_t *values,
                int64_t *last);

/* tree.c, callers.c: a row of either layout, and the end of the report. */
/* Takes a row that was met before and counts nothing; false if the line is something else. */
bool tree_idle_row(vtune *v, brz_ctx *ctx, brz_str line, brz_rc *rc);
brz_rc tree_row(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str line);
brz_rc tree_end(vtune *v, brz_ctx *ctx);
void callers_init(vtune *v, brz_ctx *ctx);
brz_rc callers_row(vtune *v, brz_ctx *ctx, const csv_row *row, brz_str line);
brz_rc callers_end(vtune *v, brz_ctx *ctx);

#endif
