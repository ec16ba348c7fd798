/* brazier plugin: which plug-ins there are, what they can do, and why one is not used. */
#include "cli.h"

static int run(brz_session *s, char **words)
{
    (void)s;
    (void)words;
    return CLI_USAGE;
}

const cli_command cmd_plugin = {
    "plugin", "list|info|why", "tell about plug-ins", run, NULL,
};
