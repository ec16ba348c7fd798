/* SPDX-License-Identifier: MIT */
/* Options for collapsing an input. */
#ifndef BRZ_COLLAPSE_OPTIONS_H
#define BRZ_COLLAPSE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct brz_progress;
struct brz_related;
struct brz_watch;

/* Maximum size of chunks and ranges; larger sizes are reduced to it. */
#define BRZ_LARGEST_CHUNK ((size_t)1 << 30)

typedef struct brz_collapse_options {
    unsigned threads;  /* at least 1 */
    size_t chunk_size; /* in bytes; 0: the fastest size */
    size_t range_size; /* part of a file that a thread takes at a time; 0: the fastest size */
    uint32_t wants;    /* BRZ_CTX_*; samples in input order require a single thread */
    uint32_t drops;    /* BRZ_DROPS_* */
    bool wants_code;   /* an output needs the code of functions */
    uint32_t input;    /* index of the input among those of the run */
    struct brz_related *related;   /* files that belong to the input, or NULL */
    struct brz_progress *progress; /* receives the progress, or NULL */
    const struct brz_watch *watch; /* looks at the profile meanwhile, or NULL */
} brz_collapse_options;

#endif
