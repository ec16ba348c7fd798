/* SPDX-License-Identifier: MIT */
/** @file
 * Describes the draft `brz.draft.parallel/1`: a collapser that must read its input in order, such
 * as a recording whose records change the state, uses the threads of the run for a part of its
 * work.
 */
#ifndef BRAZIER_DRAFT_PARALLEL_H
#define BRAZIER_DRAFT_PARALLEL_H

#include <brazier/host.h>

/** The id for brz_collapser_host.extension, which returns a constant #brz_parallel_service. */
#define BRZ_PARALLEL_ID "brz.draft.parallel/1"

/** Does item `item` of a job, on the thread of this number. It changes nothing that another item or
 * the caller uses, except by atomic operations, and calls no services. */
typedef void brz_parallel_work(void *arg, size_t item, uint32_t thread);

/** The services. */
typedef struct brz_parallel_service {
    uint32_t struct_size; /**< sizeof(brz_parallel_service) in the host */
    uint32_t reserved;    /**< 0; ignore it */

    /** Returns how many threads may work at once, the caller's included: 1 with `-j1`, or if
     * several instances share the threads of the run. Items that run at the same time have
     * different numbers of threads below it, so each thread may have memory of its own. */
    uint32_t (*threads)(brz_ctx *);
    /** Begins a job, `work(arg, i, thread)` for each `i` from 0 to `n` - 1 in any order, and
     * returns. Another `start`, and the end of the function that called it, wait first. */
    void (*start)(brz_ctx *, brz_parallel_work *work, void *arg, size_t n);
    /** Does the items that no other thread has begun, and returns when all are done. */
    void (*wait)(brz_ctx *);
} brz_parallel_service;

#endif
