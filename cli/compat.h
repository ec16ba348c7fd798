/* The names and options of the tools that brazier replaces. */
#ifndef BRZ_CLI_COMPAT_H
#define BRZ_CLI_COMPAT_H

#include "diag.h"

/* The words of a command of ours that does what these words ask of the tool that the program was
 * called as: argv[0] is a path that ends in the tool's name. NULL if it is no such name; then
 * *status is -1. NULL, too, if the words are wrong, which was said, or were answered (--help): then
 * *status is what to exit with. The list is the caller's, the words are not: they live as long as
 * the program. */
char **cli_compat_words(char **argv, brz_console *console, int *status);

#endif
