/* SPDX-License-Identifier: MIT */
/* The columns of a call tree of Instruments: their titles, and amounts with units. */
#ifndef INSTRUMENTS_COLUMNS_H
#define INSTRUMENTS_COLUMNS_H

#include <brazier/collapser.h>

/* Maximum number of columns with amounts. */
#define COLUMNS_MOST 4

typedef enum amount_kind {
    AMOUNT_NONE, /* not known yet */
    AMOUNT_TIME,
    AMOUNT_BYTES,
    AMOUNT_CYCLES,
    AMOUNT_COUNT,
} amount_kind;

typedef struct column {
    size_t cell;      /* index among the cells of a row */
    amount_kind kind; /* of the first row */
    brz_str unit;     /* unit in the title, such as "ms"; static text */
    bool is_self;
    bool is_hidden; /* a sum whose rows' own amounts are in the next column */
} column;

typedef struct columns {
    column items[COLUMNS_MOST];
    size_t n;
    size_t n_cells; /* cells in front of the symbol */
    size_t n_shown; /* those that are not hidden */
} columns;

/* Parses the line of titles. Returns false for any other line. */
bool columns_read_titles(columns *c, brz_str line);

/* The amounts of a row, per column that is shown. */
typedef struct amounts {
    int64_t own[COLUMNS_MOST];      /* of the row itself, unless the column has sums */
    int64_t totals[COLUMNS_MOST];   /* those of the rows below included, if they are known */
    int64_t rounding[COLUMNS_MOST]; /* how much these two may differ from the exact amounts */
} amounts;

/* Parses the cells in front of a symbol. Returns false if an amount cannot be read, or has another
 * kind of unit than in the rows before. */
bool columns_read(columns *c, brz_str cells, amounts *a);

/* Returns how many rows have these cells in front of a symbol: several if damaged line ends joined
 * them, and 0 if the number of cells is odd. */
size_t columns_rows(const columns *c, brz_str cells);

/* Parses the own amount of one of these rows in the first shown column only. Returns false also for
 * one that is larger than the row's total. */
bool columns_read_own(const columns *c, brz_str cells, size_t row, int64_t *own);

/* Finds the first shown column whose rows also have sums. Returns false if no shown column has
 * them. */
bool columns_find_both(const columns *c, size_t *shown);

/* Returns whether the totals of the i-th column that is shown are known. */
bool columns_have_totals(const columns *c, size_t i);

/* Returns the i-th column that is shown. */
const column *columns_shown(const columns *c, size_t i);

#endif
