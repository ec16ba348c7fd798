/* SPDX-License-Identifier: MIT */
/* Describes plug-ins without running their code in this process. */
#ifndef BRZ_DESCRIBE_H
#define BRZ_DESCRIBE_H

#include "plugin/described.h"

/* Seconds that a plug-in may take to load. */
#define BRZ_DESCRIBE_SECONDS 10

/* Loads plug-ins in a confined child process and fills in their descriptions, see brz_describe_fn.
 * The items have paths and no steps. Steps that run no code of a plug-in are done in this process.
 * A plug-in that crashes, hangs or ends the child fails the step that it was in; the others are
 * described by another child. */
void brz_describe_plugins(brz_describing *items, size_t n, brz_tier tier, brz_program *program,
                          brz_arena *memory);

#endif
