/* SPDX-License-Identifier: MIT */
/** @file
 * Describes the draft `brz.draft.source-name/1`: the name of the file that an output shows, for a
 * title.
 */
#ifndef BRAZIER_DRAFT_SOURCE_NAME_H
#define BRAZIER_DRAFT_SOURCE_NAME_H

#include <brazier/output.h>

/** The id for brz_output_host.extension, which returns a constant #brz_source_name. */
#define BRZ_SOURCE_NAME_ID "brz.draft.source-name/1"

/** The service. */
typedef struct brz_source_name {
    uint32_t struct_size; /**< sizeof(brz_source_name) in the host */
    uint32_t reserved;    /**< 0; ignore it */

    /** Returns the name of the only input without its folders, or those of the two that are
     * compared. Returns an empty text if the input is no file, or for several. The text is valid as
     * long as the instance. */
    brz_str (*name)(brz_output_ctx *);
} brz_source_name;

#endif
