/* States what a profile says about the recording. */
#ifndef PPROF_METADATA_H
#define PPROF_METADATA_H

#include "tables.h"

/* Passes time, duration, period, comments and expressions of a profile to the host. */
void metadata_state(const tables *t);

#endif
