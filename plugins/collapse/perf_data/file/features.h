/* SPDX-License-Identifier: MIT */
/* Reads the features of a recording: names of events, build ids, facts about the machine. */
#ifndef PERF_DATA_FEATURES_H
#define PERF_DATA_FEATURES_H

#include "recording.h"

/* Bits of features. */
enum {
    FEATURE_TRACING_DATA = 1,
    FEATURE_BUILD_ID = 2,
    FEATURE_HOSTNAME = 3,
    FEATURE_OSRELEASE = 4,
    FEATURE_VERSION = 5,
    FEATURE_ARCH = 6,
    FEATURE_NRCPUS = 7,
    FEATURE_CPUDESC = 8,
    FEATURE_CMDLINE = 11,
    FEATURE_EVENT_DESC = 12,
    FEATURE_SAMPLE_TIME = 21,
    FEATURE_DIR_FORMAT = 24,
    FEATURE_CLOCK_DATA = 29,
    FEATURE_NAMESPACES = 240, /* of brazier: see record/namespaces.h */
};

/* Reads the sections of a recording in the file layout. */
void features_read_all(recording *p);

/* Reads a feature from its body. Unknown ones are ignored. */
void features_read(recording *p, uint64_t feature, brz_bytes b);

/* Reads the body of a record with a build id; `misc` is that of its header. */
void features_read_build_id(recording *p, uint16_t misc, brz_bytes b);

/* Reads the descriptions of tracepoints: their layouts, if switches matter. They are kept for their
 * names. */
void features_read_tracing(recording *p, brz_bytes b);

#endif
