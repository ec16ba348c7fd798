/* SPDX-License-Identifier: MIT */
/* Makes names of files with symbols, in `path` of symbols, and opens them. */
#ifndef PERF_DATA_SYMBOL_PATH_H
#define PERF_DATA_SYMBOL_PATH_H

#include "symbol_source.h"

/* Replaces the path by that of a file of the recorded machine. A relative one, which would lead to
 * the folder of the recording, is not opened. */
void symbol_path_start(symbols *s, brz_str first);

/* Replaces the path by that of a file of this machine or user. */
void symbol_path_start_own(symbols *s, brz_str first);

/* Appends to the path. */
void symbol_path_add(symbols *s, brz_str text);

/* Appends digits of a build id. */
void symbol_path_add_digits(symbols *s, const build_id *id, uint32_t from, uint32_t to);

/* Opens the file at the path. Returns false if it cannot be read, or is empty. */
bool symbol_path_open(symbols *s, brz_related_file *file);

/* Does the same for a file that grows. While the recording is shown, opens it again if it has
 * changed; *has_changed is false if the bytes are those of the last time. */
bool symbol_path_open_again(symbols *s, brz_related_file *file, bool *has_changed);

#endif
