/* brazier plugin new: writes the project that a plug-in begins as. */
#ifndef BRZ_CLI_PLUGIN_NEW_H
#define BRZ_CLI_PLUGIN_NEW_H

#include "cli.h"

/* Its options, for help. */
extern const cli_option cli_plugin_new_options[];

int cli_plugin_new(brz_session *s, char **words);

#endif
