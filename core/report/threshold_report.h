/* SPDX-License-Identifier: MIT */
/* Reports which thresholds of a comparison are exceeded, as a table or as JSON. */
#ifndef BRZ_THRESHOLD_REPORT_H
#define BRZ_THRESHOLD_REPORT_H

#include "base/diag.h"
#include "report/threshold.h"

/* The comparison, and the form of the report. */
typedef struct brz_threshold_report {
    brz_console *console;
    const brz_profile *profile;
    uint32_t before, after; /* its columns, which have the same decimals */
    bool as_json;
    bool fails_unmatched; /* a threshold that matches no function is exceeded */
} brz_threshold_report;

/* Measures and reports all thresholds. Sets *exceeded if one of them is. Returns false after
 * reporting an error if an expression hits a limit on a frame's name. */
bool brz_thresholds_check(const brz_thresholds *t, const brz_threshold_report *r, bool *exceeded);

#endif
