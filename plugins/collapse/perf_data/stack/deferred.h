/* SPDX-License-Identifier: MIT */
/* Holds back samples whose user part follows later.
 *
 * Newer kernels walk the user stack when they return to the user's code. A sample that was taken
 * before that ends in a cookie. A later record has the same cookie, and the rest of the stacks of
 * all samples since the thread entered the kernel.
 */
#ifndef PERF_DATA_DEFERRED_H
#define PERF_DATA_DEFERRED_H

#include "../file/recording.h"
#include "../file/sample.h"

/* Holds back a sample with its values, the current path without the root, and the current place.
 * Counts it at once if too many are held. `ip` is the leaf of an empty path; n > 0. */
brz_rc deferred_hold(recording *p, thread *of, uint64_t cookie, uint64_t ip,
                     const column_count *counts, size_t n);

/* Takes the user part of the samples of a thread from the body of its record, and counts them. Sets
 * *is_damaged if the record has fewer words than it claims. */
brz_rc deferred_complete(recording *p, thread *of, brz_bytes body, bool *is_damaged);

/* Counts the samples that are still held, without their user part. */
brz_rc deferred_finish(recording *p);

#endif
