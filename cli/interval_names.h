/* SPDX-License-Identifier: MIT */
/* Names of files of continuous recording: "{time}" in them is the time at which an interval begins.
 */
#ifndef CLI_INTERVAL_NAMES_H
#define CLI_INTERVAL_NAMES_H

#include <stdbool.h>
#include <time.h>

#include "base/buf.h"
#include "base/diag.h"

/* The part of a name that is replaced, by a time such as 20260131T235900Z, in UTC. */
#define CLI_INTERVAL_TIME "{time}"

/* Returns whether a name has the time once, in its last part. */
bool cli_interval_name_is_good(const char *name);

/* Appends a word in which each "{time}" is replaced. */
void cli_interval_name_add(brz_buf *to, const char *word, time_t begin);

/* Removes the files of earlier intervals that began before a time. `name` is good; files of other
 * names stay. Reports what cannot be removed. */
void cli_interval_remove(const char *name, time_t before, brz_console *console);

#endif
