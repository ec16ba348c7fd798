/* SPDX-License-Identifier: MIT */
/* Writes a recording as perf does, in one of its layouts (docs/formats/perf-data.md).
 *
 * In the layout of a file, the size of the records and the features follow at the end. A file whose
 * recorder was killed lacks them, and readers take the records up to its end. In the layout of a
 * pipe, events and features are records, and what is written stays as it is: it can be read while
 * the recording goes on.
 */
#ifndef BRZ_RECORD_PERF_FILE_H
#define BRZ_RECORD_PERF_FILE_H

#include "record/event.h"
#include "record/ring.h"

/* Numbers of features. */
enum {
    BRZ_FEATURE_TRACING_DATA = 1,
    BRZ_FEATURE_BUILD_ID = 2,
    BRZ_FEATURE_HOSTNAME = 3,
    BRZ_FEATURE_OSRELEASE = 4,
    BRZ_FEATURE_VERSION = 5,
    BRZ_FEATURE_ARCH = 6,
    BRZ_FEATURE_NRCPUS = 7,
    BRZ_FEATURE_CMDLINE = 11,
    BRZ_FEATURE_EVENT_DESC = 12,
    BRZ_FEATURE_SAMPLE_TIME = 21,
    BRZ_FEATURE_CLOCKID = 23,
    BRZ_FEATURE_CLOCK_DATA = 29,
    BRZ_FEATURE_NAMESPACES = 240, /* of brazier: see namespaces.h. perf skips it */
    BRZ_FEATURES_MAX = 256,
};

typedef struct brz_perf_file {
    int fd;
    int error;          /* errno of the first failed write; 0: none. Later writes do nothing */
    brz_buf pending;    /* bytes to write */
    uint64_t at;        /* offset after the bytes written or pending */
    uint64_t events_at; /* of the attributes */
    uint64_t data_at;   /* of the records */
    uint32_t n_events;
    bool is_pipe;       /* the layout */
    bool is_read_along; /* a reader frees parts of the file: a full file system is no error yet */
} brz_perf_file;

/* Writes the header and the events into an empty file, which the caller closes. */
void brz_perf_file_begin(brz_perf_file *f, int fd, const brz_event *events, size_t n);

/* Begins a recording in the layout of a pipe. `features` has the content of each feature at its
 * number. */
void brz_perf_file_begin_pipe(brz_perf_file *f, int fd, const brz_event *events, size_t n,
                              const brz_buf features[BRZ_FEATURES_MAX]);

/* Appends a record, which is complete. */
void brz_perf_file_add(brz_perf_file *f, const void *record, size_t size);

/* Appends the records of a ring. */
void brz_perf_file_add_ring(brz_perf_file *f, const brz_ring *r);

/* Appends the record that ends a round: no later record is older than those before the last one. */
void brz_perf_file_end_round(brz_perf_file *f);

/* Writes what is pending. */
void brz_perf_file_flush(brz_perf_file *f);

/* Completes the file. `features` has the content of each feature at its number; in the layout of a
 * pipe, only of features that were not known at the beginning. Empty ones are left out. Returns
 * false with the reason in f->error if anything could not be written. */
bool brz_perf_file_end(brz_perf_file *f, const brz_buf features[BRZ_FEATURES_MAX]);

void brz_perf_file_finish(brz_perf_file *f);

#endif
