/* The event line, which begins a sample of `perf script`. */
#ifndef PERF_EVENT_LINE_H
#define PERF_EVENT_LINE_H

#include "event_fields.h"

/* Takes a line apart if it is beyond doubt an event line: it has a process id or a time, and an
 * event with its colon; or a time, and nothing behind it but a period and a stack of one line. */
bool event_line_parse(brz_str line, event_line *out);

/* Takes a line apart that has a stack of one line but neither a time nor an event: `-F comm,ip,sym`
 * of a recording without stacks. In other inputs it may be anything. */
bool event_line_parse_flat(brz_str line, event_line *out);

/* Fills in a line of which perf printed no event (`-F comm,ip,sym`): all of it is the name of the
 * process, up to an id, which is the last word or else the first that can be one. */
void event_line_guess(brz_str line, event_line *out);

#endif
