/* SPDX-License-Identifier: MIT */
/** @file
 * Describes the draft `brz.draft.update/1`: an output that adds to a file which exists already,
 * such as a database, instead of writing a new one.
 *
 * An output offers #brz_updater by brz_output.offer. If its options ask for an update, the host
 * calls `update` instead of brz_output.write, after all other outputs of the run are complete and
 * before their files get their names.
 */
#ifndef BRAZIER_DRAFT_UPDATE_H
#define BRAZIER_DRAFT_UPDATE_H

#include <brazier/output.h>

/** The id of the draft. */
#define BRZ_UPDATE_ID "brz.draft.update/1"

/** Updates files. */
typedef struct brz_updater {
    uint32_t struct_size; /**< sizeof(brz_updater) */
    uint32_t reserved;    /**< 0 */

    /** Endings of further files that a program may leave beside a file, such as "-journal";
     * NULL-terminated. As long as one has anything in it, the host does not replace the file. */
    const char *const *companions;

    /** Returns whether a configuration asks for an update. It is a pure function. */
    bool (*is_wanted)(const void *cfg);

    /** Adds the profile to the file at a path, or creates it. The file changes as a whole or not at
     * all, even if the process is killed or another one updates the file, too. Returns BRZ_OK, or
     * another result after reporting why the file is unchanged. */
    brz_rc (*update)(brz_output_ctx *, const brz_tree *, const char *path);
} brz_updater;

#endif
