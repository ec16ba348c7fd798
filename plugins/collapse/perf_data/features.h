/* Reads the features of a recording: names of events, build ids, facts about the machine. */
#ifndef PERF_DATA_FEATURES_H
#define PERF_DATA_FEATURES_H

#include "recording.h"

/* Reads the sections of a recording in the file layout. */
void features_read_all(recording *p);

/* Reads a feature from its body. Unknown ones are ignored. */
void features_read(recording *p, uint64_t feature, brz_bytes b);

/* Reads the body of a record with a build id; `misc` is that of its header. */
void features_read_build_id(recording *p, uint16_t misc, brz_bytes b);

#endif
