/* SPDX-License-Identifier: MIT */
/* Sets the features of a recording: facts about itself and its machine. */
#ifndef BRZ_RECORD_FEATURES_H
#define BRZ_RECORD_FEATURES_H

#include "record/perf_file.h"
#include "record/tally.h"

/* Sets the contents of the features that are known at the beginning. `words` is the command line,
 * NULL-terminated. */
void brz_features_make(brz_buf features[BRZ_FEATURES_MAX], const brz_event *events, size_t n,
                       const char *const *words);

/* Sets those that are known at the end only: the times of the first and the last sample. */
void brz_features_make_times(brz_buf features[BRZ_FEATURES_MAX], const brz_tally *tally);

void brz_features_finish(brz_buf features[BRZ_FEATURES_MAX]);

#endif
