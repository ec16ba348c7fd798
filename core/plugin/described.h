/* SPDX-License-Identifier: MIT */
/* Plug-ins that are described rather than loaded.
 *
 * Lists and isolated runs need the ids, texts and options of plug-ins, but must not run their code
 * in this process, and loading a library runs its constructors. So a confined child process loads
 * the file and sends its description. The components of a described file have all data, and
 * functions that do nothing. When the code is needed, in a child or because a run uses the
 * component in this process, brz_described_load() loads the file and puts its functions in place.
 */
#ifndef BRZ_DESCRIBED_H
#define BRZ_DESCRIBED_H

#include "plugin/loader.h"

/* A plug-in to describe. */
typedef struct brz_describing {
    const char *path;
    bool good; /* the file is described */
    brz_plugin_file file;
    brz_steps steps; /* see brz_plugin_load() */
} brz_describing;

/* Describes plug-ins of a tier, like brz_plugin_load(), without running their code in this
 * process. */
typedef void brz_describe_fn(brz_describing *items, size_t n, brz_tier tier, brz_program *program,
                             brz_arena *memory);

/* Fills in the functions of a vtable of `kind` with those that do nothing. `recognises`: a
 * collapser recognises its format. */
void brz_described_fill(uint32_t kind, void *vtable, bool recognises);

/* Returns whether isolated runs call components of this kind in a child process only. */
bool brz_described_works_apart(uint32_t kind);

/* Loads a described file. Its components keep their addresses. Returns false if it is refused, or
 * differs from its description; then the last step contains the reason. With `confined`, components
 * that work apart do not get `validate`: see brz_use_validate_isolated(). */
bool brz_described_load(brz_plugin_file *file, bool confined, brz_arena *memory, brz_steps *steps);

#endif
