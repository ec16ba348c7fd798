/* Walks the records of a recording. */
#ifndef PERF_DATA_RECORDS_H
#define PERF_DATA_RECORDS_H

#include "recording.h"

/* Reads the records that describe the recording, which may come after those that they describe. For
 * the pipe layout. */
void records_scan(recording *p);

/* Reads all records, and counts samples. */
brz_rc records_read(recording *p);

#endif
