/* SPDX-License-Identifier: MIT */
/* Runs a collapser on an input: divides it into chunks, distributes them among threads, and
 * combines the results of the instances. */
#ifndef BRZ_COLLAPSE_H
#define BRZ_COLLAPSE_H

#include "collapse/collapse_options.h"
#include "input/feed.h"
#include "host/instance.h"

/* The combined result of several inputs. */
typedef struct brz_collected {
    brz_profile *profile;
    brz_notices reports;
    uint64_t offset; /* position of the next input's first byte, counted over all inputs */
    bool is_foreign; /* an input is in another format, so an empty profile is an error */
    const brz_loaded *looks_like; /* collapser of an input without samples, or NULL */
    bool lacks_others;            /* other collapsers must be asked, but are not loaded */
} brz_collected;

/* Collapses an input with the options `cfg` of the collapser. Returns false if the run must fail;
 * then the error was printed or is among the reports. */
bool brz_collapse(brz_feed *feed, const brz_loaded *loaded, const void *cfg, brz_run *run,
                  const brz_collapse_options *options, brz_collected *into);

#endif
