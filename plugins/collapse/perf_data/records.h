/* SPDX-License-Identifier: MIT */
/* Walks the records of a recording. */
#ifndef PERF_DATA_RECORDS_H
#define PERF_DATA_RECORDS_H

#include "file/recording.h"

/* Reads the descriptions at the beginning of the pipe layout, which may come after the records that
 * they describe. Returns false if more of the input follows and is needed first. */
bool records_scan(recording *p);

/* Reads all records that are there, and counts samples. */
brz_rc records_read(recording *p);

#endif
