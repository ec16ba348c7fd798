/* SPDX-License-Identifier: MIT */
/* Copies the part of perf script's text that belongs to a range of time, as range-perf.pl does. */
#include "helpers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"

/* Returns whether one of the next two words has the colon of an event, as in "10101010 cycles:". */
static bool names_event(const char *text)
{
    for (int i = 0; i < 2; i++) {
        text += strspn(text, " ");
        size_t n = strcspn(text, " \t\r\n");
        if (n > 1 && memchr(text + 1, ':', n - 1) != NULL)
            return true;
        text += n;
    }
    return false;
}

/* Reads the time of the line of an event: " 252732.474759: cycles:". */
static bool read_time(const char *line, double *time)
{
    for (const char *at = strchr(line, ' '); at != NULL; at = strchr(at, ' ')) {
        at += strspn(at, " ");
        size_t n = strspn(at, "0123456789.");
        if (n > 0 && at[n] == ':' && names_event(at + n + 1)) {
            *time = strtod(at, NULL);
            return true;
        }
    }
    return false;
}

/* Copies the lines from the first event at `from` to the last one at `to`. Times count from the
 * first event, from the beginning of its second, or as they are. */
static void copy_range(double from, double to, bool is_raw, bool whole_seconds)
{
    char *line = NULL;
    size_t cap = 0;
    double start = 0, time;
    bool inside = false;
    ssize_t len;
    while (!ferror(stdout) && (len = getline(&line, &cap, stdin)) > 0) {
        if (line[0] == '#')
            continue;
        if (read_time(line, &time)) {
            start = start > 0 ? start : time;
            time -= is_raw ? 0 : whole_seconds ? floor(start) : start;
            inside |= time >= from;
            if (time > to)
                break;
        }
        if (inside)
            fwrite(line, 1, (size_t)len, stdout);
    }
    free(line);
}

static bool read_seconds(const char *word, double *seconds)
{
    char *end;
    *seconds = strtod(word, &end);
    return end != word && *end == '\0' && isfinite(*seconds);
}

int compat_copy_time_range(struct cli_compat *c)
{
    const compat_words *w = &c->theirs;
    double from, to;
    if (w->n != 2 || !read_seconds(w->list[0], &from) || !read_seconds(w->list[1], &to)) {
        brz_say(w->console, BRZ_FATAL,
                "%s: expected two numbers of seconds, such as 10 20 (--help describes the options)",
                w->tool->name);
        return w->tool->usage_status;
    }
    copy_range(from, to, compat_noted_value(w, HELPER_RAW_TIME) != NULL,
               compat_noted_value(w, HELPER_SECONDS_OF_START) != NULL);
    return 0;
}
