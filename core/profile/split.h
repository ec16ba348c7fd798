/* SPDX-License-Identifier: MIT */
/* Divides a profile by a part of its samples' tags. */
#ifndef BRZ_SPLIT_H
#define BRZ_SPLIT_H

#include "profile/tag_text.h"

/* Samples by value, for brz_split_take(). */
typedef struct brz_split_parts brz_split_parts;

/* The values of a part that samples have. A zeroed split is empty. */
typedef struct brz_split {
    brz_strings strings;
    brz_str *texts; /* the values as text, or "no thread"; sorted by bytes */
    size_t n;
    uint32_t *of_tag; /* by tag of the profile: index of its value */
    brz_split_parts *parts;
} brz_split;

/* Finds the values of a part in the samples of a profile. Returns false and appends the reason to
 * `error` if no sample has a value, or if there are more than `most`. Finish the split in any
 * case. */
bool brz_split_init(brz_split *s, const brz_profile *p, const brz_tag_part *by, size_t most,
                    brz_buf *error);

/* Creates a profile of the samples that have the i-th value, with their stacks, frames and tags.
 * All parts together cost a pass over the samples, and each part one over its own content. The
 * profile must not change between the calls. */
brz_profile *brz_split_take(brz_split *s, const brz_profile *p, size_t i);

void brz_split_finish(brz_split *s);

#endif
