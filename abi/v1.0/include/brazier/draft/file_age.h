/* SPDX-License-Identifier: MIT */
/** @file
 * Describes the draft `brz.draft.file-age/1`: whether a file can be the one that an input was
 * recorded with, for a collapser that lacks a better sign.
 */
#ifndef BRAZIER_DRAFT_FILE_AGE_H
#define BRAZIER_DRAFT_FILE_AGE_H

#include <brazier/host.h>

/** The id for brz_collapser_host.extension, which returns a constant #brz_file_age. */
#define BRZ_FILE_AGE_ID "brz.draft.file-age/1"

/** The service. */
typedef struct brz_file_age {
    uint32_t struct_size; /**< sizeof(brz_file_age) in the host */
    uint32_t reserved;    /**< 0; ignore it */

    /** Returns whether the file at a path, which open_related has opened, was changed after the
     * input was. Returns false if that is not known: the input is no file, files come from
     * another machine (--sysroot), or the run has --isolate. */
    bool (*is_newer)(brz_ctx *, brz_str path);
} brz_file_age;

#endif
