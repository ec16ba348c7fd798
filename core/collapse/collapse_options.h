/* The options of driving a collapser over an input. */
#ifndef BRZ_COLLAPSE_OPTIONS_H
#define BRZ_COLLAPSE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct brz_progress;

/* The largest chunk and range; larger ones are cut to this size. */
#define BRZ_LARGEST_CHUNK ((size_t)1 << 30)

typedef struct brz_collapse_options {
    unsigned threads;  /* at least 1 */
    size_t chunk_size; /* in bytes; 0: the fastest size */
    size_t range_size; /* the share of a file per thread and turn; 0: the fastest size */
    bool ordered;      /* keep samples in input order, which takes one thread */
    struct brz_progress *progress; /* receives the progress, or NULL */
} brz_collapse_options;

#endif
