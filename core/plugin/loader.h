/* SPDX-License-Identifier: MIT */
/* Loads a plug-in step by step, and reports the step at which it is refused and the reason.
 *
 * The steps, each with its own messages, check: a readable regular file; trust; the note, which
 * names a supported ABI; loading; the entry symbol; its magic number; its major and minor version;
 * its size and members; the members, options and id of each component.
 */
#ifndef BRZ_LOADER_H
#define BRZ_LOADER_H

#include "plugin/built_in.h"
#include "plugin/component_copy.h"
#include "plugin/trust.h"

/* The place where a plug-in was found, which determines which plug-ins it shadows and how much it
 * is trusted. */
typedef enum brz_tier {
    BRZ_TIER_FORMAT,  /* formats: of the project and the user */
    BRZ_TIER_FILE,    /* --plugin FILE */
    BRZ_TIER_DIR,     /* --plugin-dir DIR */
    BRZ_TIER_CONFIG,  /* plugin_path: */
    BRZ_TIER_ENV,     /* $BRAZIER_PLUGIN_PATH */
    BRZ_TIER_USER,    /* $XDG_DATA_HOME/brazier/plugins-vN */
    BRZ_TIER_SHIPPED, /* installed with the program */
} brz_tier;

/* Returns the name of a tier in messages, such as "shipped" or "--plugin-dir". */
const char *brz_tier_name(brz_tier tier);

/* A loaded plug-in. */
typedef struct brz_plugin_file {
    const char *path;
    brz_tier tier;
    const brz_plugin *plugin;
    brz_loaded *components;
    size_t n_components; /* without components of unknown kinds, or with options of unknown types */
    /* Says which components are left out, and why, or NULL. */
    const char *left_out;
    /* The components are described, not loaded: see plugin/described.h. */
    bool is_described;
} brz_plugin_file;

/* A step of loading, as shown by `plugin why`. */
typedef struct brz_step {
    const char *name;
    bool passed;
    brz_buf detail; /* what was found, or the reason for refusal */
} brz_step;

#define BRZ_MAX_STEPS 16

typedef struct brz_steps {
    brz_step items[BRZ_MAX_STEPS];
    size_t n;
    int error; /* errno if a step failed because of the system rather than the file, or 0 */
    /* Called before each step, which may end the process, and after it; both may be NULL. Without
     * `end`, steps that pass have no detail. */
    void (*begin)(void *watcher, const char *name);
    void (*end)(void *watcher, const brz_step *step);
    void *watcher;
} brz_steps;

/* Loads a file given by its absolute path. Loaded files are never unloaded. Returns false if it is
 * refused; then the last step contains the reason. Allocates from the arena. */
bool brz_plugin_load(const char *path, brz_tier tier, brz_program *program, brz_arena *memory,
                     brz_plugin_file *file, brz_steps *steps);

/* Performs the first steps, which run no code of the plug-in: file, trust and note. */
bool brz_plugin_inspect(const char *path, brz_tier tier, brz_program *program, brz_arena *memory,
                        brz_plugin_file *file, brz_steps *steps);

/* Performs the other steps for a file that was inspected. */
bool brz_plugin_open(brz_plugin_file *file, brz_arena *memory, brz_steps *steps);

/* Performs the steps that follow loading for a plug-in that is linked into the program. `path` must
 * live as long as `memory`. */
bool brz_plugin_open_built_in(const brz_built_in *b, const char *path, brz_arena *memory,
                              brz_plugin_file *file, brz_steps *steps);

/* Performs the last two steps, entry and components, for an entry that describes a plug-in which is
 * not loaded in this process. Returns false and appends the reason to `error` if it is refused. */
bool brz_plugin_accept_description(brz_plugin_file *file, const brz_plugin *entry,
                                   brz_arena *memory, brz_buf *error);

/* Returns the name of a step of brz_plugin_open(), or NULL after the last one. */
const char *brz_plugin_open_step(size_t i);

/* Records a step that another process did. */
void brz_steps_add(brz_steps *s, const char *name, bool passed, brz_str detail);

/* Number of the steps of brz_plugin_inspect(). */
#define BRZ_STEPS_INSPECTING 3

/* Forgets all steps but the first `n`. */
void brz_steps_keep(brz_steps *s, size_t n);

void brz_steps_finish(brz_steps *s);

#endif
