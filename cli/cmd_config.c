/* brazier config. */
#include "cli.h"

static int run(brz_session *s, char **words)
{
    (void)s;
    (void)words;
    return CLI_USAGE;
}

const cli_command cmd_config = {
    "config", "check|show|schema|init", "tell about the configuration", run, NULL,
};
