/* The program under the names of the tools that it replaces. */
#ifndef BRZ_CLI_COMPAT_H
#define BRZ_CLI_COMPAT_H

#include "base/arena.h"
#include "base/diag.h"

/* Our words for those of a tool. */
typedef struct cli_compat {
    const struct compat_tool *tool; /* NULL: the program is called by its own name */
    char **words;
    brz_arena text;
} cli_compat;

/* Finds the words of a command of ours that does what the words in `argv` ask of the tool that the
 * program is called as: argv[0] is a path that ends in the tool's name, or argv[1] and argv[2] are
 * "--as" and that name. Returns the exit status if the words are refused, which is reported, or
 * answered (--help); else -1. */
int cli_compat_init(cli_compat *c, char **argv, brz_console *console);
void cli_compat_finish(cli_compat *c);

/* Returns true if SIGPIPE ends the tool, as it ends scripts: without a message. */
bool cli_compat_is_script(const cli_compat *c);

/* Returns the exit status of the tool for ours. */
int cli_compat_status(const cli_compat *c, int status);

#endif
