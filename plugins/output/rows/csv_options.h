/* SPDX-License-Identifier: MIT */
/* The options of the outputs "csv" and "samples-csv". */
#ifndef ROWS_CSV_OPTIONS_H
#define ROWS_CSV_OPTIONS_H

#include "rows.h"

static const brz_option options[] = {
    BRZ_OPTION(rows_options, "units", BOOL, units, "false",
               "append the unit to the name of a weight: cpu_nanoseconds"),
    BRZ_OPTION(rows_options, "header", BOOL, header, "true", "begin with the names of the columns"),
    BRZ_OPTION(rows_options, "formulas", BOOL, formulas, "true",
               "keep texts that begin with =, +, - or @; false: put an apostrophe before them, so "
               "that a spreadsheet takes none for a formula"),
};

#endif
