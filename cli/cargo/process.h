/* SPDX-License-Identifier: MIT */
/* Runs other programs. */
#ifndef BRZ_CLI_CARGO_PROCESS_H
#define BRZ_CLI_CARGO_PROCESS_H

#include "base/buf.h"
#include "base/diag.h"

/* Words of a command, up to a NULL. Initially zeroed. The words themselves belong to others. */
typedef struct command_words {
    const char **list;
    size_t n, cap;
} command_words;

void command_add(command_words *c, const char *word);

/* Adds two words, unless `value` is NULL. */
void command_add_option(command_words *c, const char *option, const char *value);

/* Adds the words of a text, divided at blanks. The text is modified, and must outlive the command.
 */
void command_add_text(command_words *c, char *text);

/* Prints the words. */
void command_say(const command_words *c, brz_console *console);

void command_finish(command_words *c);

/* Runs a command. `in` and `out` are descriptors for its standard input and output, which are
 * closed in this process; -1: those of this process. Returns its process id, or -1 after reporting
 * that it cannot be run. */
int command_start(const command_words *c, int in, int out, brz_console *console);

/* Runs a command and waits for it. Signals from the keyboard end the command and not this process.
 * Returns its status, or -1 after reporting that it cannot be run. */
int command_run(const command_words *c, brz_console *console);

/* Runs a command and collects its standard output. Returns its status, or -1 likewise. */
int command_capture(const command_words *c, brz_buf *output, brz_console *console);

#endif
