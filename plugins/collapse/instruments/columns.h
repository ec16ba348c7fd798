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
    size_t n_shown; /* those that are not hidden */
} columns;

/* Parses the line of titles. Returns false for any other line. */
bool columns_read_titles(columns *c, brz_str line);

/* Parses the cells in front of a symbol into the amounts of the columns that are shown. Returns
 * false if an amount cannot be read, or has another kind of unit than in the rows before. */
bool columns_read(columns *c, brz_str cells, int64_t *amounts);

/* Returns the i-th column that is shown. */
const column *columns_shown(const columns *c, size_t i);

/* Describes the weight of a column, after a row was read. */
brz_weight_desc column_weight(const column *c);

#endif
