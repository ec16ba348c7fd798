/* Loads one plug-in, step by step, and says at which step and why one is refused.
 *
 * The steps, each with a message of its own: a readable regular file; trusted; a plug-in of an ABI
 * this host has, by its note; loadable; the entry symbol; its magic; its major and minor; its
 * size and members; each component's members, options and id.
 */
#ifndef BRZ_LOADER_H
#define BRZ_LOADER_H

#include "plugin/component_copy.h"

/* Where a plug-in was found: what may shadow it, and how much it is trusted. */
typedef enum brz_tier {
    BRZ_TIER_FILE,    /* --plugin FILE */
    BRZ_TIER_DIR,     /* --plugin-dir DIR */
    BRZ_TIER_CONFIG,  /* plugin_path: */
    BRZ_TIER_ENV,     /* $BRAZIER_PLUGIN_PATH */
    BRZ_TIER_USER,    /* $XDG_DATA_HOME/brazier/plugins-vN */
    BRZ_TIER_SHIPPED, /* installed with the program */
} brz_tier;

/* As users are told it: "shipped", "--plugin-dir". */
const char *brz_tier_name(brz_tier tier);

/* A loaded plug-in. */
typedef struct brz_plugin_file {
    const char *path;
    brz_tier tier;
    const brz_plugin *plugin;
    brz_loaded *components;
    size_t n_components; /* without those of a kind that this host does not know */
} brz_plugin_file;

/* One step of loading, as `plugin why` shows them. */
typedef struct brz_step {
    const char *name;
    bool passed;
    brz_buf detail; /* what was found, or why it was refused */
} brz_step;

#define BRZ_MAX_STEPS 16

typedef struct brz_steps {
    brz_step items[BRZ_MAX_STEPS];
    size_t n;
    int error; /* errno of a step that failed because of the system, not of the file; or 0 */
    /* Told before each step, for one may end the process, and after it; both may be NULL. */
    void (*begin)(void *watcher, const char *name);
    void (*end)(void *watcher, const brz_step *step);
    void *watcher;
} brz_steps;

/* Loads a file given by its absolute path. What is loaded stays loaded. On refusal returns false;
 * the last step of `steps` tells why. Memory is the arena's. */
bool brz_plugin_load(const char *path, brz_tier tier, const char *program, brz_arena *memory,
                     brz_plugin_file *file, brz_steps *steps);

void brz_steps_finish(brz_steps *s);

#endif
