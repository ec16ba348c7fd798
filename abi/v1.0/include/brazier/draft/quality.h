/* SPDX-License-Identifier: MIT */
/** @file
 * Describes the draft `brz.draft.quality/1`: what the inputs of a run lack, for an output that says
 * so beside the numbers.
 */
#ifndef BRAZIER_DRAFT_QUALITY_H
#define BRAZIER_DRAFT_QUALITY_H

#include <brazier/output.h>

/** The id for brz_output_host.extension, which returns a constant #brz_quality_service. */
#define BRZ_QUALITY_ID "brz.draft.quality/1"

/** The service. Texts are one line of UTF-8 without control characters, but may contain names from
 * the input. They are valid until `write` returns. */
typedef struct brz_quality_service {
    uint32_t struct_size; /**< sizeof(brz_quality_service) in the host */
    uint32_t reserved;    /**< 0; ignore it */

    /** Returns the findings about the recording, such as "42 records were lost"; empty: none. */
    brz_str (*findings)(brz_output_ctx *);
    /** Returns the records of the input that the profile lacks, such as "3 records of unknown
     * weight"; empty: none. */
    brz_str (*left_out)(brz_output_ctx *);
} brz_quality_service;

#endif
