/* The configuration: which files it is made of, merged so that nearer ones win key by key. */
#ifndef BRZ_CONFIG_H
#define BRZ_CONFIG_H

#include <limits.h>

#include "plugin/registry.h"
#include "base/yaml_tree.h"

typedef struct brz_config brz_config;

typedef struct brz_config_options {
    const char *file; /* --config FILE, instead of the project's; or NULL */
    const char *text; /* a configuration that is in no file, instead of both; or NULL */
    bool none;        /* --no-config: neither the project's nor the user's */
    bool distrust;    /* `file` may do no more than one that was found */
    bool trust;       /* --trust-config: a file that was found may do what a named one may */
} brz_config_options;

/* Reads the project's file (or the named one) and the user's, and tells the registry about the
 * plug-ins they name. NULL after saying what is wrong. */
brz_config *brz_config_load(const brz_config_options *options, brz_registry *registry,
                            brz_console *console);

/* Frees it with all nodes that were found in it. NULL is fine. */
void brz_config_destroy(brz_config *c);

/* What stands under `section` and `name` ("palettes", "ours"), or NULL. The shipped file is read
 * once something is not in the others. */
const brz_yaml *brz_config_find(brz_config *c, const char *section, brz_str name);

/* A whole section of all files, the shipped one included; NULL if there is none. */
const brz_yaml *brz_config_section(brz_config *c, const char *section);

/* A section of the files read so far. */
const brz_yaml *brz_config_near_section(const brz_config *c, const char *section);

/* The i-th list of all files that allows or denies components, which its key tells; NULL behind the
 * last one. */
const brz_yaml *brz_config_limit(const brz_config *c, size_t i);

/* The files read, nearest first; NULL behind the last one. */
const brz_yaml_file *brz_config_file(const brz_config *c, size_t i);

/* Reads the shipped file too. False after saying what is wrong. */
bool brz_config_complete(brz_config *c);

/* The path of a file or folder that comes with the program: it lies at a fixed place from there, as
 * plug-ins do. False, and the path is where it would be, if it is not there. */
bool brz_config_find_shipped(const brz_registry *r, const char *name, char path[PATH_MAX]);

/* The keys a file can have at its top; NULL behind the last one. */
const char *brz_config_key(size_t i);

/* Says that `node`'s key is none of the words, with the nearest one. */
void brz_config_say_unknown(brz_console *console, const brz_yaml *node, const char *what,
                            const char *const *words);

/* Compares two values of a setting that protects the user: true if `value` permits more. */
typedef bool brz_config_looser_fn(const brz_yaml *value, const brz_yaml *than);

/* Decides which value of a setting that protects the user counts: a file that was found may only
 * tighten what the next file says. Returns `node` (which may be NULL), or the value that it
 * replaced if `node` is of an untrusted file and looser; that is reported as a warning, which names
 * `unless` ("--no-isolate") as another way. Values are not checked: `is_looser` gets whatever the
 * files hold, and must call a value looser when in doubt. */
const brz_yaml *brz_config_strictest(brz_console *console, const brz_yaml *node,
                                     brz_config_looser_fn *is_looser, const char *unless);

/* The name of a file that a configuration mentions, from the folder that its file is in. Free it.
 */
char *brz_config_path(const brz_yaml *node);

#endif
