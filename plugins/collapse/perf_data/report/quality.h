/* Reports which addresses have no names, and what would help. */
#ifndef PERF_DATA_QUALITY_H
#define PERF_DATA_QUALITY_H

#include "../file/recording.h"

/* Reports files that are not the recorded ones, and addresses without a symbol. */
void quality_report(recording *p);

#endif
