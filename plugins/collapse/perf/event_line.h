/* SPDX-License-Identifier: MIT */
/* The event line, which begins a sample of `perf script`. */
#ifndef PERF_EVENT_LINE_H
#define PERF_EVENT_LINE_H

#include "event_fields.h"

/* Parses a line that is certainly an event line: it has a process id or a time, and an event with
 * its colon; or a time followed only by a period and a stack of one line. Returns false for other
 * lines. */
bool event_line_parse(brz_str line, event_line *out);

/* Parses a line with a stack of one line but neither time nor event, from `-F comm,ip,sym` of a
 * recording without stacks. In other inputs such a line may be anything. */
bool event_line_parse_flat(brz_str line, event_line *out);

/* Fills in a line without an event (`-F comm,ip,sym`): all of it is the name of the process, up to
 * an id, which is the last word or else the first possible one. */
void event_line_guess(brz_str line, event_line *out);

/* Returns whether the line would be one with ids only, perhaps with a processor and a period. */
bool event_line_is_numbers(brz_str line);

#endif
