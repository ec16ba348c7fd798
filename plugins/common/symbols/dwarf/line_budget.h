/* SPDX-License-Identifier: MIT */
/* The line tables of all files, whose memory is bounded: see line_tables.h. */
#ifndef SYMBOLS_LINE_BUDGET_H
#define SYMBOLS_LINE_BUDGET_H

#include <stddef.h>

struct line_tables;

/* Memory of tables from which on some are released, and of handles from which on all are closed, in
 * bytes. */
#define LINE_TABLES_MAX  ((size_t)4 << 20)
#define LINE_HANDLES_MAX ((size_t)2 << 20)

typedef struct line_budget {
    size_t tables_max, handles_max;
    struct line_tables *newest, *oldest; /* of those that were used, by their last use */
    size_t size;                         /* of all tables, in bytes */
    size_t read;                         /* memory of libdw for tables that were read, in bytes */
} line_budget;

/* A budget with the usual limits. */
#define LINE_BUDGET ((line_budget){LINE_TABLES_MAX, LINE_HANDLES_MAX, NULL, NULL, 0, 0})

#endif
