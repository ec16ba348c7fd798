/* SPDX-License-Identifier: MIT */
/* Files that a run reads besides its inputs: its configurations, and those that options of
 * components name. No output may replace them. */
#ifndef BRZ_READ_FILES_H
#define BRZ_READ_FILES_H

#include "config/config.h"
#include "plugin/component_use.h"
#include "draw/places.h"

/* Zeros are an empty list. The texts that it refers to must outlive it. */
typedef struct brz_read_files {
    brz_input *files;
    const char **options; /* by file: the option that names it; NULL: a configuration */
    size_t n, files_cap, options_cap;
    brz_input_places places;
} brz_read_files;

/* Adds the files of the configuration. */
void brz_read_files_add_config(brz_read_files *f, const brz_config *c);

/* Adds the files that the options of a component name; NULL options are allowed. */
void brz_read_files_add_use(brz_read_files *f, const brz_use *use);

/* Returns true, and appends the role of the file, if `path` is one of the files, by device and
 * inode. Add nothing afterwards. */
bool brz_read_files_find(brz_read_files *f, const char *path, brz_buf *role);

void brz_read_files_finish(brz_read_files *f);

#endif
