/* The names and options of the tools that brazier replaces. */
#ifndef BRZ_CLI_COMPAT_H
#define BRZ_CLI_COMPAT_H

#include "base/arena.h"
#include "base/diag.h"

/* Our words for what a tool was asked. */
typedef struct cli_compat {
    char **words; /* NULL if there are none */
    brz_arena text;
} cli_compat;

/* Finds the words of a command of ours that does what these words ask of the tool that the program
 * was called as: argv[0] is a path that ends in the tool's name. Returns what the program is to
 * exit with if the words are wrong, which was said, or were answered (--help); else -1. Without
 * such a name there are no words. */
int cli_compat_init(cli_compat *c, char **argv, brz_console *console);
void cli_compat_finish(cli_compat *c);

/* What the tool at argv[0] exits with where we exit with `status`. */
int cli_compat_status(const char *path, int status);

#endif
