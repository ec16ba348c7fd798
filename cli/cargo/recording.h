/* SPDX-License-Identifier: MIT */
/* Records programs. */
#ifndef BRZ_CLI_CARGO_RECORDING_H
#define BRZ_CLI_CARGO_RECORDING_H

#include "compat/words.h"
#include "options.h"
#include "process.h"

/* Makes brazier's command `record`, with --pid or without what to record. */
void cargo_add_record_words(compat_words *w);

/* Checks these words. Returns the exit status if they are refused, which is reported; otherwise
 * -1. */
int cargo_check_record_words(compat_words *w);

/* Adds the command to record, unless it is empty. */
void cargo_add_command(compat_words *w, const command_words *command);

/* Records a command, or with --pid running processes, by the words of --cmd. Stores the name of the
 * recording, which lives as long as the words. Returns the exit status if that fails, which is
 * reported; otherwise -1. */
int cargo_record(compat_words *w, const command_words *command, const char **recording);

/* Sets CARGO_MANIFEST_DIR, as `cargo run` does, to the folder of a manifest. */
void cargo_set_folder(const char *manifest);

#endif
