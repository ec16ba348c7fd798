/* Drives a collapser over an input: divides it into chunks, shares them among threads, and puts
 * what the instances found together. */
#ifndef BRZ_COLLAPSE_H
#define BRZ_COLLAPSE_H

#include "input/feed.h"
#include "plugin/instance.h"

struct brz_progress;

/* Chunks and ranges that are to be larger are made this large. */
#define BRZ_LARGEST_CHUNK ((size_t)1 << 30)

typedef struct brz_collapse_options {
    unsigned threads;  /* at least 1 */
    size_t chunk_size; /* in bytes; 0: what is fastest; small ones show what depends on it */
    size_t range_size; /* likewise, of the share of a file that one thread takes at a time */
    bool ordered;      /* keep samples in input order; by one thread */
    struct brz_progress *progress; /* told how far it is, or NULL */
} brz_collapse_options;

/* What an input is added to. */
typedef struct brz_collected {
    brz_profile *profile;
    brz_notices reports;
    uint64_t offset; /* of the next input's first byte, over all inputs */
} brz_collected;

/* Parses all of an input. `cfg` is the collapser's, filled. Returns false if the run must fail:
 * what is wrong is among the reports, or was said. */
bool brz_collapse(brz_feed *feed, const brz_loaded *loaded, const void *cfg, brz_run *run,
                  const brz_collapse_options *options, brz_collected *into);

#endif
