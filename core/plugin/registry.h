/* SPDX-License-Identifier: MIT */
/* Finds the components that a run names: determines where to search for plug-ins, in which order,
 * and which files to load.
 *
 * The file of a shipped plug-in is named after its component, KIND-ID.so, so that a run which names
 * `perf` loads only collapse-perf.so. A file with another name may contain anything and is loaded
 * whenever its folder is searched. An id found in a nearer tier shadows the same id in farther
 * ones; an id that occurs twice in one tier must be written as id@plug-in.
 */
#ifndef BRZ_REGISTRY_H
#define BRZ_REGISTRY_H

#include <limits.h>

#include "plugin/described.h"
#include "plugin/format.h"
#include "base/diag.h"

typedef struct brz_registry brz_registry;

typedef struct brz_registry_options {
    const char *const *files; /* --plugin, in order */
    size_t n_files;
    const char *const *dirs; /* --plugin-dir */
    size_t n_dirs;
    bool shipped_only;         /* --no-plugins */
    brz_describe_fn *describe; /* see brz_registry_describe(); NULL: plug-ins are loaded */
} brz_registry_options;

/* Creates a registry. Reads the environment, but no folders yet. */
brz_registry *brz_registry_create(const brz_registry_options *options, brz_console *console);

/* Destroys a registry and the information about its plug-ins, which stay loaded. NULL is
 * allowed. */
void brz_registry_destroy(brz_registry *r);

/* Add a folder or a file that a configuration names, by absolute path. */
void brz_registry_add_dir(brz_registry *r, const char *dir);
void brz_registry_add_file(brz_registry *r, const char *file);

/* Allow only these components ("id" or "id@plug-in"), or deny them. Copy the lists; empty lists
 * have no effect. A component must be in all allowing lists, of which there are at most
 * BRZ_MAX_ALLOWING, and in no denying list. */
#define BRZ_MAX_ALLOWING 8
void brz_registry_allow(brz_registry *r, const brz_str *names, size_t n);
void brz_registry_deny(brz_registry *r, const brz_str *names, size_t n);

/* Sets the source of formats that configurations define, which must outlive the registry's use. */
void brz_registry_set_formats(brz_registry *r, const brz_format_source *source);

/* Sets whether plug-ins that are not shipped are only described from now on, so that their code
 * does not run in this process. Otherwise the functions below load them, also those that were
 * described before. Returns the previous setting. */
bool brz_registry_describe(brz_registry *r, bool only);

/* Returns that setting. */
bool brz_registry_describes(const brz_registry *r);

/* Loads the plug-in of a described component for use in this process, except a collapser or a
 * transform while plug-ins are only described. Returns false after a warning if that fails. */
bool brz_registry_make_usable(brz_registry *r, const brz_loaded *l);

/* Loads, in a confined process, the described plug-in that contains the component `l` or, if `l` is
 * NULL, all that contain collapsers. Returns false after a warning if one fails. */
bool brz_registry_load_described(brz_registry *r, const brz_loaded *l);

/* Returns whether a component's plug-in is only described. */
bool brz_registry_is_described(brz_registry *r, const brz_loaded *l);

/* Returns a list of the folders of the described plug-ins, which ends with NULL. Returns NULL if no
 * plug-in is described. The caller frees the list, but not the texts. */
const char **brz_registry_described_dirs(brz_registry *r);

/* Returns whether there is a component with this name, allowed or not. Otherwise appends a
 * suggestion to `near`. Loads or describes all plug-ins. */
bool brz_registry_knows(brz_registry *r, brz_str name, brz_buf *near);

/* Returns whether the name of a file promises another component than this one of it: a run that
 * names this one does not open the file, unless the user does. */
bool brz_file_hides(const char *path, const brz_component *c);

/* Appends the file name that promises a component. */
void brz_file_add_name(const brz_component *c, brz_buf *b);

/* Returns the console that the registry reports to. */
brz_console *brz_registry_console(const brz_registry *r);

/* Returns whether a system error, which was reported, prevented reading a folder or file:
 * components may be missing, and a component that was found may not be the one to use. */
bool brz_registry_is_incomplete(const brz_registry *r);

/* Reports a folder or file with formats that cannot be read. `error` is the value of errno. */
void brz_registry_say_unread(brz_registry *r, const char *path, int error);

/* Returns the component with this name ("perf", "perf@perf"), after loading it. If the registry
 * lacks it, returns NULL and appends the reason and a suggestion to `error` unless it is NULL. If
 * the definition of a format has a mistake, reports that and appends nothing. */
const brz_loaded *brz_registry_find(brz_registry *r, uint32_t kind, brz_str name, brz_buf *error);

/* Returns whether a name, such as "perf" or "perf@perf", refers to this component. */
bool brz_loaded_is_called(const brz_loaded *c, brz_str name);

/* Loads all components of a kind; 0: of all kinds. */
void brz_registry_load_all(brz_registry *r, uint32_t kind);

/* Loads the shipped components with an id, of any kind, and all others. */
void brz_registry_load_called(brz_registry *r, brz_str id);

/* Returns whether the hints of a plug-in (see BRZ_HINTS() of the SDK) permit it to matter. */
typedef bool brz_hints_test(const void *context, brz_str hints);

/* Does the same for collapsers, but leaves out plug-ins that have hints and fail the test, and
 * formats that fail theirs. Loads plug-ins anyway if their components could hide others of the same
 * id. */
void brz_registry_load_hinted(brz_registry *r, brz_hints_test *test, const void *context,
                              const brz_format_test *formats);

/* Returns the i-th component after brz_registry_load_all() or a similar function, sorted by tier,
 * kind and id, or NULL after the last one. Sets *shadowed if a nearer tier has a component with the
 * same id. */
const brz_loaded *brz_registry_at(const brz_registry *r, size_t i, brz_tier *tier, bool *shadowed);

/* Return the path of the program or library with which plug-ins are shipped, and the folder of the
 * shipped configuration. */
const char *brz_registry_program(const brz_registry *r);
void brz_registry_config_dir(const brz_registry *r, char dir[PATH_MAX]);

/* Returns the tier of a file that was named rather than found: shipped if it is in the folder of
 * shipped plug-ins. */
brz_tier brz_registry_tier_of_file(const brz_registry *r, const char *path);

/* Returns whether a component is shipped: a plug-in by its file, a format by its owner. */
bool brz_registry_ships(const brz_registry *r, const brz_loaded *l);

#endif
