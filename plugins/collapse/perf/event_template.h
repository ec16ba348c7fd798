/* SPDX-License-Identifier: MIT */
/* Recognises event lines that differ from an earlier one at most in processor, time and period, as
 * nearly all do.
 *
 * A line is compared in vectors: another digit may be in place of each digit of processor and time.
 * If it differs after its time, its period is parsed.
 */
#ifndef PERF_EVENT_TEMPLATE_H
#define PERF_EVENT_TEMPLATE_H

#include "event_fields.h"

#include <brazier/text/integer.h>

#include <string.h>

#define TEMPLATE_TEXT 128 /* longer lines have no template; a multiple of 16 */

/* Bytes on which operators work one by one. */
typedef unsigned char template_bytes __attribute__((vector_size(16)));

/* The period of a line that has none. */
#define NO_PERIOD (-1)

/* A byte of another line matches if its exclusive or with the text is at most as large as a limit:
 * 0 for an equal byte, 9 for any digit, which is '0' in the text, and 255 after the end. */
typedef struct event_template {
    size_t len;       /* of the line, up to the end of its event; 0: no template */
    size_t front_len; /* up to the end of its time */
    size_t label_at;  /* position of the event */
    int64_t period;
    bool has_period; /* the line has one; a line without it is another layout */
    char text[TEMPLATE_TEXT];
    unsigned char line[TEMPLATE_TEXT];  /* limits of an equal line */
    unsigned char front[TEMPLATE_TEXT]; /* limits of an equal front */
} event_template;

/* Returns the end of the run of spaces that begins at p. */
static inline const char *template_skip_blanks(const char *p, const char *end)
{
    while (p < end && *p == ' ')
        p++;
    return p;
}

/* Parses " [period] " in front of an event. *period is NO_PERIOD if there is none. Returns the
 * beginning of the event, or NULL if the text has another form. */
static inline const char *template_parse_period(const char *p, const char *end, int64_t *period)
{
    if (p == end || *p != ' ')
        return NULL;
    const char *digits = p = template_skip_blanks(p, end);
    int64_t value = 0;
    for (; p < end && brz_is_digit(*p) && p - digits < 18; p++)
        value = value * 10 + (*p - '0');
    if (p == end || (p > digits && *p != ' '))
        return NULL;
    *period = p == digits ? NO_PERIOD : value;
    return template_skip_blanks(p, end);
}

/* Returns whether the first `n` bytes of a line match. */
static inline bool template_matches(const event_template *t, const unsigned char *limits, size_t n,
                                    const char *line)
{
    template_bytes good = ~(template_bytes){0};
    for (size_t i = 0; i < n; i += sizeof good) {
        template_bytes bytes, text, most;
        memcpy(&bytes, line + i, sizeof bytes);
        memcpy(&text, t->text + i, sizeof text);
        memcpy(&most, limits + i, sizeof most);
        good &= (template_bytes)((bytes ^ text) <= most);
    }
    uint64_t halves[2];
    memcpy(halves, &good, sizeof halves);
    return (halves[0] & halves[1]) == UINT64_MAX;
}

/* Parses a line that has another text after its time. */
static inline const char *template_parse_rest(const event_template *t, brz_str line,
                                              int64_t *period)
{
    const char *end = line.data + line.len;
    size_t label_len = t->len - t->label_at;
    if (!template_matches(t, t->front, t->front_len, line.data))
        return NULL;
    const char *label = template_parse_period(line.data + t->front_len, end, period);
    if (label == NULL || (*period != NO_PERIOD) != t->has_period)
        return NULL;
    *period = t->has_period ? *period : 1;
    bool same =
        (size_t)(end - label) >= label_len && memcmp(label, t->text + t->label_at, label_len) == 0;
    return same ? label + label_len : NULL;
}

/* Parses a line. Returns false if it differs in more than processor, time and period, or has text
 * after its event. Reads up to 15 bytes after the line. */
static inline bool event_template_parse(const event_template *t, brz_str line, int64_t *period)
{
    const char *end = line.data + line.len, *rest = line.data + t->len;
    *period = t->period;
    if (t->len == 0 || line.len <= t->front_len)
        return false;
    if (line.len < t->len || !template_matches(t, t->line, t->len, line.data))
        rest = template_parse_rest(t, line, period);
    return rest != NULL && template_skip_blanks(rest, end) == end;
}

/* Allows other digits in a part of the line. */
static inline void template_free_digits(event_template *t, const char *line, brz_str part)
{
    size_t from = (size_t)(part.data - line);
    for (size_t i = from; i < from + part.len; i++) {
        if (!brz_is_digit(line[i]))
            continue;
        t->text[i] = '0';
        t->line[i] = t->front[i] = 9;
    }
}

/* Makes a line the template, if it has only fields that templates know. */
static inline void event_template_init(event_template *t, const event_line *e)
{
    memset(t, 0, sizeof *t);
    if (!e->has_time || e->label.len == 0 || e->rest.len > 0)
        return;
    const char *rest = e->time.data + e->time.len, *end = e->label.data + e->label.len;
    size_t len = (size_t)(end - e->start);
    if (len > TEMPLATE_TEXT || template_parse_period(rest, end, &t->period) != e->label.data)
        return;
    t->has_period = t->period != NO_PERIOD;
    if (t->has_period && t->period != e->period)
        return;
    t->period = e->period;
    t->len = len;
    t->front_len = (size_t)(rest - e->start);
    t->label_at = (size_t)(e->label.data - e->start);
    memcpy(t->text, e->start, len);
    memset(t->line + len, 0xff, TEMPLATE_TEXT - len);
    memset(t->front + t->front_len, 0xff, TEMPLATE_TEXT - t->front_len);
    template_free_digits(t, e->start, e->time);
    if (e->cpu.len > 0)
        template_free_digits(t, e->start, e->cpu);
}

#endif
