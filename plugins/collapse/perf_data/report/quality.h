/* SPDX-License-Identifier: MIT */
/* Reports which addresses have no names, and what would help. */
#ifndef PERF_DATA_QUALITY_H
#define PERF_DATA_QUALITY_H

#include "../file/recording.h"

/* Reports files that are not the recorded ones, and addresses without a symbol. */
void quality_report(recording *p);

/* Returns whether files or maps of code in the recording are missing. */
bool quality_lacks_files(const recording *p);

#endif
