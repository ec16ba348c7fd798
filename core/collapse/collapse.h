/* Drives a collapser over an input: divides it into chunks, shares them among threads, and puts
 * what the instances found together. */
#ifndef BRZ_COLLAPSE_H
#define BRZ_COLLAPSE_H

#include "collapse/collapse_options.h"
#include "input/feed.h"
#include "host/instance.h"

/* What an input is added to. */
typedef struct brz_collected {
    brz_profile *profile;
    brz_notices reports;
    uint64_t offset; /* of the next input's first byte, over all inputs */
    bool is_foreign; /* an input is in another format: an empty profile is no answer */
} brz_collected;

/* Parses all of an input. `cfg` is the collapser's, filled. Returns false if the run must fail:
 * what is wrong is among the reports, or was said. */
bool brz_collapse(brz_feed *feed, const brz_loaded *loaded, const void *cfg, brz_run *run,
                  const brz_collapse_options *options, brz_collected *into);

#endif
