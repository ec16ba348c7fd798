/* SPDX-License-Identifier: MIT */
/* Adds many rows of numbers to a table, several with each statement: that takes half of the
 * instructions of a statement per row. */
#ifndef SQLITE_BULK_H
#define SQLITE_BULK_H

#include "database.h"

#define BULK_ROWS    64 /* rows of a statement */
#define BULK_COLUMNS 6  /* most columns of a row */

typedef struct bulk {
    database *to;
    const char *table;
    sqlite3_stmt *stmt; /* adds BULK_ROWS rows; NULL: there were not that many yet */
    unsigned n_columns, n_rows;
    unsigned n; /* number of values */
    int64_t values[BULK_ROWS * BULK_COLUMNS];
    bool is_null[BULK_ROWS * BULK_COLUMNS];
} bulk;

/* Initialises the adder of a table with so many columns. Finish it in any case. */
void bulk_init(bulk *b, database *to, const char *table, unsigned n_columns);

/* Adds the rest of the rows. Returns false if any row was not added, which is reported. */
bool bulk_finish(bulk *b);

/* Adds the rows that wait, of which there are so many. */
void bulk_flush(bulk *b);

static inline void bulk_put(bulk *b, int64_t value)
{
    b->is_null[b->n] = false;
    b->values[b->n++] = value;
}

/* Adds NULL unless the value is known. */
static inline void bulk_put_known(bulk *b, bool known, int64_t value)
{
    b->is_null[b->n] = !known;
    b->values[b->n++] = value;
}

/* Ends a row, whose values were put. */
static inline void bulk_end_row(bulk *b)
{
    if (++b->n_rows == BULK_ROWS)
        bulk_flush(b);
}

#endif
