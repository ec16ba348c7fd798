/* SPDX-License-Identifier: MIT */
/* Chooses how callers are recorded: by frame pointers, or by copies of stacks. */
#ifndef BRZ_RECORD_CALL_GRAPH_H
#define BRZ_RECORD_CALL_GRAPH_H

#include "base/buf.h"
#include "record/request.h"

/* Parses "fp", "dwarf", "dwarf,SIZE", "auto" or "none". Returns false for any other text. */
bool brz_call_graph_parse(const char *text, brz_call_graph *g, uint32_t *stack_size);

/* Chooses for a program, and appends the reason. `path` is a file, which the reason calls `name`;
 * NULL: unknown. */
brz_call_graph brz_call_graph_choose(const char *path, const char *name, brz_buf *reason);

/* Appends the file that a command executes: searched in $PATH, and the interpreter of a script.
 * Appends nothing if no such file exists. */
void brz_program_find(const char *word, brz_buf *path);

/* Returns whether there is a file of a command's name, which may not be executable. */
bool brz_program_is_there(const char *word);

/* Returns whether a program runs with the rights of another user than this process, or with
 * capabilities. */
bool brz_program_gains_rights(const char *path);

/* Returns whether there is a program or script of this name. The interpreter that it names may be
 * missing. */
bool brz_program_exists(const char *word);

#endif
