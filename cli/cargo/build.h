/* SPDX-License-Identifier: MIT */
/* Builds a target with cargo. */
#ifndef BRZ_CLI_CARGO_BUILD_H
#define BRZ_CLI_CARGO_BUILD_H

#include "target.h"

/* A built program. The texts live as long as those of the words. */
typedef struct cargo_program_file {
    const char *path;
    const char *manifest; /* of its package */
    bool has_debug_info;
} cargo_program_file;

/* Builds the target. Returns false after reporting an error. */
bool cargo_build(const cargo_target *t, const compat_words *w, cargo_program_file *built);

#endif
