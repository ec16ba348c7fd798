/* SPDX-License-Identifier: MIT */
/* Counts the samples of a profile. */
#ifndef OTLP_PROFILE_H
#define OTLP_PROFILE_H

#include "columns.h"
#include "sample.h"
#include "tags.h"

/* The state that the profiles of an input share. */
typedef struct profiles {
    brz_ctx *ctx;
    brz_stacks stacks; /* leaf first; finds equal stacks */
    columns columns;
    tags tags;
    uint64_t budget; /* see frames_spend */
    bool addresses, wants_time;
    brz_count *batch;
    size_t n_batch;
    sample sample;
    sample_members members; /* of samples in Protocol Buffers */
} profiles;

/* Initialises it for an input of `len` bytes. */
void profiles_init(profiles *p, brz_ctx *ctx, size_t len, bool addresses);

/* Counts the samples of a profile. Without texts in the tables of the data, to which `f` and `a`
 * belong, the profile has tables of its own. */
brz_rc profiles_read(profiles *p, const tables *t, attributes *a, frames *f, brz_str message);

/* Passes the last counts to the host. */
brz_rc profiles_finish(profiles *p);

#endif
