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

/** It has no services yet. */
typedef struct brz_live {
    uint32_t struct_size; /**< sizeof(brz_live) in the host */
    uint32_t reserved;    /**< 0; ignore it */
} brz_live;

#endif
