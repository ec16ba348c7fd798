/* The command `brazier plugin check`. */
#ifndef BRZ_CHECK_COMMAND_H
#define BRZ_CHECK_COMMAND_H

#include "../cli.h"

extern const cli_option check_options[];

int check_command(brz_session *s, char **words);

#endif
