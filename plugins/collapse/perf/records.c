/* SPDX-License-Identifier: MIT */
/* Finds the beginnings of samples: event lines, and lines after a blank line.
 *
 * perf ends a sample that has a stack with a blank line; a sample without a stack has no end mark.
 * Both searches for a boundary, forwards for threads and backwards for the end of a chunk, use the
 * parser's own test of a line.
 */
#include "reader.h"

#include <brazier/symbol.h>

#include <string.h>

static bool is_blank(brz_str line)
{
    for (size_t i = 0; i < line.len; i++)
        if (!brz_is_blank(line.data[i]))
            return false;
    return true;
}

/* Returns whether an indented line has an address at its front and a module at its end. */
static bool looks_like_frame(brz_str line)
{
    brz_str s = brz_trim(line);
    size_t i = 0;
    while (i < s.len && brz_is_hex(s.data[i]))
        i++;
    return i > 0 && i < s.len && brz_is_blank(s.data[i]) && s.data[s.len - 1] == ')';
}

/* Recognises the lines that `perf script --show-task-events` and similar options print between
 * samples, with or without process and time. */
static bool is_record(brz_str line)
{
    size_t at = brz_str_find(line, BRZ_STR("PERF_RECORD_"), 0);
    return at == 0 || (at != SIZE_MAX && brz_is_blank(line.data[at - 1]));
}

/* Recognises source text (-F +srccode): "|17  for (;;)". */
static bool is_source_text(brz_str line)
{
    return line.len > 1 && line.data[0] == '|' && brz_is_digit(line.data[1]);
}

bool line_is_aside(brz_str line)
{
    return line.data[0] == '#' || is_source_text(line) || is_record(line);
}

/* Returns whether a stack of one line has text in front of its address. */
static bool has_name(brz_str line, const event_line *event)
{
    return brz_trim(brz_str_of(line.data, (size_t)(event->rest.data - line.data))).len > 0;
}

bool line_begins_sample(brz_str line, perf_flat flat, event_line *event)
{
    if (line.len == 0 || line.data[0] == '\t' || line_is_aside(line))
        return false;
    if (!event_line_parse(line, event))
        return flat != NOT_FLAT && event_line_parse_flat(line, event) &&
               (flat == FLAT || has_name(line, event));
    if (line.data[0] != ' ' || event->has_time || !looks_like_frame(line))
        return true;
    frame_line frame; /* the line begins with a process id, or with a name of hex digits */
    return looks_like_frame(event->rest) || frame_line_parse_after_payload(event->rest, &frame);
}

static brz_str line_between(const uint8_t *buf, size_t start, size_t end)
{
    return brz_str_of((const char *)buf + start, end - start);
}

/* Returns the smallest offset >= from at which a sample can begin, or n. Only complete lines
 * count. */
size_t next_boundary(const uint8_t *buf, size_t n, size_t from, perf_flat flat)
{
    size_t start = brz_line_start(buf, n, from);
    for (;;) {
        const uint8_t *newline = start < n ? memchr(buf + start, '\n', n - start) : NULL;
        if (newline == NULL)
            return n;
        size_t end = (size_t)(newline - buf);
        brz_str line = line_between(buf, start, end);
        event_line event;
        if (line_begins_sample(line, flat, &event))
            return start;
        start = end + 1;
        if (is_blank(line))
            return start;
    }
}

/* Returns the largest offset at which a sample can begin, or 0: the text before it consists of
 * complete records. */
size_t last_boundary(const uint8_t *buf, size_t n, perf_flat flat)
{
    const char *text = (const char *)buf;
    const char *newline = brz_rfind_near(text, text + n, '\n');
    while (newline != NULL) {
        const char *before = brz_rfind_near(text, newline, '\n');
        const char *start = before == NULL ? text : before + 1;
        brz_str line = brz_str_of(start, (size_t)(newline - start));
        event_line event;
        if (is_blank(line))
            return (size_t)(newline + 1 - text);
        if (line_begins_sample(line, flat, &event))
            return (size_t)(start - text);
        newline = before;
    }
    return 0;
}
