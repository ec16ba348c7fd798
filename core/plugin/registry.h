/* Finds the components a run names: where plug-ins are looked for, in which order, and which of
 * them are loaded.
 *
 * A shipped plug-in's file is named after what is in it, KIND-ID.so; so a run that names `perf`
 * loads collapse-perf.so and nothing else. A file of another name may hold anything and is loaded
 * whenever something is looked for in its folder. An id found in a nearer tier shadows farther
 * ones; twice in one tier, it must be written as id@plug-in.
 */
#ifndef BRZ_REGISTRY_H
#define BRZ_REGISTRY_H

#include <limits.h>

#include "plugin/loader.h"
#include "base/diag.h"

typedef struct brz_registry brz_registry;

typedef struct brz_registry_options {
    const char *const *files; /* --plugin, in order */
    size_t n_files;
    const char *const *dirs; /* --plugin-dir */
    size_t n_dirs;
    bool shipped_only; /* --no-plugins */
} brz_registry_options;

/* Reads the environment, but no folder yet. */
brz_registry *brz_registry_create(const brz_registry_options *options, brz_console *console);

/* Plug-ins stay loaded, but what was found out about them is gone. NULL is fine. */
void brz_registry_destroy(brz_registry *r);

/* Folders and files that a configuration names (absolute paths). */
void brz_registry_add_dir(brz_registry *r, const char *dir);
void brz_registry_add_file(brz_registry *r, const char *file);

/* Only these components ("id" or "id@plug-in") may be used, or all but these; the lists are copied.
 * An empty list allows or denies nothing in particular. What is used must be in every list that
 * allows, of which there are at most BRZ_MAX_ALLOWING, and in none that denies. */
#define BRZ_MAX_ALLOWING 4
void brz_registry_allow(brz_registry *r, const brz_str *names, size_t n);
void brz_registry_deny(brz_registry *r, const brz_str *names, size_t n);

/* True if a component is called so, allowed or not; else adds to `near` what was probably meant.
 * Loads all plug-ins. */
bool brz_registry_knows(brz_registry *r, brz_str name, brz_buf *near);

/* True if the system kept the registry from looking at a folder or file, which was reported: what
 * seems to be missing may be there, and what was found may not be what should be used. */
bool brz_registry_is_incomplete(const brz_registry *r);

/* The component called `name` ("perf", "perf@perf"), loaded; NULL if there is none: then, if
 * `error` is not NULL, it says why and what is near. */
const brz_loaded *brz_registry_find(brz_registry *r, uint32_t kind, brz_str name, brz_buf *error);

/* True if "perf" or "perf@perf" means this component. */
bool brz_loaded_is_called(const brz_loaded *c, brz_str name);

/* Loads all there is of a kind; 0: of every kind. */
void brz_registry_load_all(brz_registry *r, uint32_t kind);

/* After that: each component, nearer tiers first, by kind and id within a tier. `shadowed` is set
 * for one that a nearer tier hides. NULL behind the last one. */
const brz_loaded *brz_registry_at(const brz_registry *r, size_t i, brz_tier *tier, bool *shadowed);

/* The path of the program, or of the library, with which plug-ins are shipped, and their folder;
 * the folder of the shipped configuration. */
const char *brz_registry_program(const brz_registry *r);
const char *brz_registry_shipped_dir(const brz_registry *r);
void brz_registry_config_dir(const brz_registry *r, char dir[PATH_MAX]);

/* Returns the tier of a file that is named rather than found: shipped if it lies in the folder of
 * shipped plug-ins. */
brz_tier brz_registry_tier_of_file(const brz_registry *r, const char *path);

#endif
