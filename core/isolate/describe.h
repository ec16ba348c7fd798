/* Describes a plug-in without running its code in this process. */
#ifndef BRZ_DESCRIBE_H
#define BRZ_DESCRIBE_H

#include "plugin/described.h"

/* Seconds that a plug-in may take to load. */
#define BRZ_DESCRIBE_SECONDS 10

/* Loads a plug-in in a confined child process and fills in *file with its description, see
 * brz_describe_fn. Steps that run no code of the plug-in are done in this process. A plug-in that
 * crashes, hangs or ends the child fails the step that it was in. */
bool brz_describe_plugin(const char *path, brz_tier tier, brz_program *program, brz_arena *memory,
                         brz_plugin_file *file, brz_steps *steps);

#endif
