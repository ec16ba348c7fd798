/* SPDX-License-Identifier: MIT */
/** @file
 * Describes the draft `brz.draft.live/1`: the profile is shown while its input arrives, such as a
 * recording that goes on.
 */
#ifndef BRAZIER_DRAFT_LIVE_H
#define BRAZIER_DRAFT_LIVE_H

#include <brazier/host.h>

/** The id for brz_collapser_host.extension, which returns a constant #brz_live if the host looks at
 * the profile between two calls of `parse`, and otherwise NULL. Then `parse` passes the sums of
 * what it has read to the host before it returns, and waits for no more of the input than it needs
 * to read a record. */
#define BRZ_LIVE_ID "brz.draft.live/1"

/** The services. */
typedef struct brz_live {
    uint32_t struct_size; /**< sizeof(brz_live) in the host */
    uint32_t reserved;    /**< 0; ignore it */

    /** Does the same as brz_collapser_host.open_related, for a file that other programs change
     * meanwhile. If the file has changed since it was opened, or another one has its name, sets
     * *has_changed, which may be NULL, and returns its present bytes; those that were returned
     * before become invalid. A file that is gone keeps its bytes. */
    int32_t (*open_again)(brz_ctx *, brz_str name, uint32_t flags, brz_related_file *,
                          bool *has_changed);
} brz_live;

#endif
