/* SPDX-License-Identifier: MIT */
/* Loads the configuration: finds its files and merges them so that nearer ones win key by key. */
#ifndef BRZ_CONFIG_H
#define BRZ_CONFIG_H

#include <limits.h>

#include "plugin/registry.h"
#include "base/yaml_tree.h"

typedef struct brz_config brz_config;

typedef struct brz_config_options {
    const char *file;    /* --config FILE: replaces the project's file; or NULL */
    const char *text;    /* configuration as text, instead of both; or NULL */
    bool none;           /* --no-config: ignores the files of project and user */
    bool distrust;       /* restricts `file` like a file that was found */
    bool trust;          /* --trust-config: a found file may do what a named one may */
    bool keeps_mistakes; /* loads files in spite of mistakes in them: see brz_config_has_mistakes()
                          */
} brz_config_options;

/* Reads the project's file (or the named one) and the user's, and passes the plug-ins that they
 * name to the registry. Returns NULL after reporting an error. */
brz_config *brz_config_load(const brz_config_options *options, brz_registry *registry,
                            brz_console *console);

/* Destroys a configuration with all its nodes; NULL is allowed. */
void brz_config_destroy(brz_config *c);

/* Returns the value of `name` in `section` ("palettes", "ours"), or NULL. Reads the shipped file if
 * the other files do not have it. */
const brz_yaml *brz_config_find(brz_config *c, const char *section, brz_str name);

/* Returns a section merged from all files including the shipped one, or NULL. */
const brz_yaml *brz_config_section(brz_config *c, const char *section);

/* Returns a section merged from the files read so far, or NULL. */
const brz_yaml *brz_config_near_section(const brz_config *c, const char *section);

/* Returns the i-th list that allows or denies components, from all files, or NULL after the last
 * one. Its key says which. */
const brz_yaml *brz_config_limit(const brz_config *c, size_t i);

/* Returns the i-th file read, nearest first, or NULL after the last one. */
const brz_yaml_file *brz_config_file(const brz_config *c, size_t i);

/* Returns whether mistakes in the files were reported that would have prevented loading them. */
bool brz_config_has_mistakes(const brz_config *c);

/* Reads the shipped file, too. Returns false after reporting an error. */
bool brz_config_complete(brz_config *c);

/* Stores the path of a file or folder that is installed with the program, at a fixed relative
 * position like plug-ins. Returns false if it is too long. */
bool brz_config_shipped_path(const brz_registry *r, const char *name, char path[PATH_MAX]);

/* Does the same, and returns false if the file does not exist. */
bool brz_config_find_shipped(const brz_registry *r, const char *name, char path[PATH_MAX]);

/* Returns the i-th key that is allowed at the top level of a file, or NULL after the last one. */
const char *brz_config_key(size_t i);

/* Reports that the key of `node` is not one of `words`, and suggests the nearest one. */
void brz_config_say_unknown(brz_console *console, const brz_yaml *node, const char *what,
                            const char *const *words);

/* Checks that a node, if it is a map, has no keys other than these and extra ones. Returns false
 * after reporting the others. */
bool brz_config_check_keys(brz_console *console, const brz_yaml *node, const char *what,
                           const char *const *keys);

/* Returns the name of the component in `NAME` or `{use: NAME, ...}`, or NULL after reporting an
 * error. */
const brz_yaml *brz_config_used_name(brz_console *console, const brz_yaml *node);

/* Returns true if `value` permits more than `than`; compares values of a setting that protects the
 * user. */
typedef bool brz_config_looser_fn(const void *context, const brz_yaml *value, const brz_yaml *than);

/* Decides which value of a setting that protects the user applies: a file that was found may only
 * tighten the setting of the next file. Returns `node` (which may be NULL) or, if `node` is from an
 * untrusted file and looser, the value that it replaced. In that case, prints a warning that
 * mentions `unless` ("--no-isolate") as an alternative. Values are not checked: `is_looser`
 * receives whatever the files contain and must return true when in doubt. */
const brz_yaml *brz_config_strictest(brz_console *console, const brz_yaml *node,
                                     brz_config_looser_fn *is_looser, const void *context,
                                     const char *unless);

/* Returns the path of a file named in a configuration, relative to the folder of that
 * configuration's file. The caller frees it. */
char *brz_config_path(const brz_yaml *node);

#endif
