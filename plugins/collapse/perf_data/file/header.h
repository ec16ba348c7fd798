/* SPDX-License-Identifier: MIT */
/* The header of a recording: its layout, byte order and events. */
#ifndef PERF_DATA_HEADER_H
#define PERF_DATA_HEADER_H

#include "events.h"

#include <brazier/collapser.h>

/* A part of the input. */
typedef struct section {
    uint64_t offset, size;
} section;

/* Number of the features that a header can have. */
#define FEATURES_MAX 256

typedef struct header {
    uint32_t order;       /* BRZ_LITTLE_ENDIAN or BRZ_BIG_ENDIAN */
    bool is_pipe;         /* events and features are records */
    bool is_cut;          /* the recorder did not write the end: there are no features */
    section data;         /* the records; lies within the input */
    uint64_t features[4]; /* bits of the features that are there */
} header;

/* Reads the header and, in the file layout, the events. Returns false after reporting that this is
 * not a recording, or one that cannot be read. */
bool header_read(header *h, brz_ctx *ctx, events *e, const uint8_t *data, size_t len);

/* Returns whether the bytes begin with a header of the pipe layout. */
bool header_is_pipe(const uint8_t *data, size_t len);

/* Finds the section of the n-th feature that is there. Returns false if it lies outside of the
 * input. */
bool header_feature(const header *h, const uint8_t *data, size_t len, size_t n, section *s);

static inline bool header_has(const header *h, uint32_t feature)
{
    return feature < FEATURES_MAX && (h->features[feature / 64] >> feature % 64 & 1) != 0;
}

/* Implements brz_collapser.sniff. */
int32_t header_sniff(const brz_head *head);

#endif
