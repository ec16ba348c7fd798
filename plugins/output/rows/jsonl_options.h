/* SPDX-License-Identifier: MIT */
/* The options of the outputs "jsonl" and "samples-jsonl". */
#ifndef ROWS_JSONL_OPTIONS_H
#define ROWS_JSONL_OPTIONS_H

#include "rows.h"

static const brz_option options[] = {
    BRZ_OPTION(rows_options, "units", BOOL, units, "false",
               "append the unit to the name of a weight: cpu_nanoseconds"),
};

#endif
