/* SPDX-License-Identifier: MIT */
/* Parses the event line of `perf script`:
 *
 *     line   := comm ids tail | ids tail | comm time event
 *     ids    := [pid "/"] tid
 *     tail   := ["[" cpu "]"] [mode | flags] [date clock] ([time] event
 *               | time [period] [[payload] frame])
 *     event  := [period] label rest
 *     time   := digits "." digits ":"
 *     date   := digits "-" digits "-" digits
 *     clock  := digits ":" digits ":" digits "." digits
 *     label  := text without blanks that ends in ":"
 *
 * `comm` may contain spaces and words of digits, so the ids are the first word of that form before
 * a valid tail. The options of `perf script -F` determine which fields are present.
 */
#include "event_words.h"
#include "../../common/names/frame_line.h"

#include <brazier/text/trim.h>

#include <string.h>

/* Recognises the interrupt state between cpu and time, such as "d..2.". */
static bool is_flags(brz_str w)
{
    for (size_t i = 0; i < w.len; i++)
        if (w.data[i] == ':' || w.data[i] == '/' || word_is_gap(w.data[i]))
            return false;
    return w.len > 0 && w.len <= 6;
}

/* Skips the mode or the flags at the front of `tail`, if present. */
static void pass_flags(brz_str *tail, bool cpu)
{
    brz_str after = *tail, w = word_next(&after), rest = after, next = word_next(&rest);
    bool mode = word_is_mode(w) && (word_is_event(next) || word_is_digits(next));
    bool flags = cpu && is_flags(w) && !word_is_digits(w) && word_is_time(next);
    if (mode || flags)
        *tail = after;
}

/* Skips the date and the clock of `-F +tod`. Returns whether they are there. */
static bool pass_date(brz_str *tail)
{
    brz_str after = *tail, date = word_next(&after), clock = word_next(&after);
    if (!word_is_divided(date, "--") || !word_is_divided(clock, "::."))
        return false;
    *tail = after;
    return true;
}

/* Removes the period from the front of `tail`; without one the sample weighs 1. */
static void take_period(brz_str *tail, event_line *out)
{
    brz_str after = *tail, w = word_next(&after);
    out->has_period = word_is_digits(w);
    out->period = out->has_period ? word_period(w) : 1;
    if (out->has_period)
        *tail = after;
}

/* Parses [period] event rest. */
static bool parse_event(brz_str tail, event_line *out)
{
    take_period(&tail, out);
    brz_str w = word_next(&tail);
    if (!word_is_event(w) || word_is_time(w))
        return false;
    event_line_set(w, tail, out);
    return true;
}

/* Parses [period] [[payload] frame] after a time: options of perf left out the event. */
static bool parse_without_event(brz_str tail, event_line *out)
{
    frame_line frame;
    brz_str all = brz_trim(tail);
    take_period(&tail, out);
    tail = brz_trim(tail);
    bool stack = frame_line_parse_in_line(tail, &frame) && !brz_is_blank(frame.symbol.data[0]);
    if (!stack && tail.len > 0) { /* the apparent period is the address */
        out->has_period = false;
        out->period = 1;
        tail = all;
        stack =
            frame_line_parse_in_line(tail, &frame) || frame_line_parse_after_payload(tail, &frame);
    }
    out->label = out->event = brz_str_of(tail.data, 0);
    out->rest = tail;
    return stack || tail.len == 0;
}

/* Parses the part after the ids: cpu, time, period, event. */
static bool parse_tail(brz_str tail, event_line *out)
{
    brz_str after = tail, first = word_next(&after);
    bool cpu = word_is_cpu(first);
    out->cpu = brz_str_of(first.data, cpu ? first.len : 0);
    if (cpu)
        tail = after;
    pass_flags(&tail, cpu);
    out->has_date = pass_date(&tail);
    after = tail;
    out->time = word_next(&after);
    out->has_time = word_is_time(out->time);
    if (!out->has_time)
        return parse_event(tail, out);
    return parse_event(after, out) || parse_without_event(after, out);
}

static bool is_too_far(brz_str line, brz_str rest)
{
    return rest.data - line.data > LONGEST_COMM;
}

/* Parses comm ids tail. With `first`, the ids may be the first word of the line: comm is empty
 * then. */
static bool parse_with_ids(brz_str line, bool first, event_line *out)
{
    brz_str rest = line;
    if (!first && line.len > 0 && !word_is_gap(line.data[0]))
        word_next(&rest);
    for (;;) {
        brz_str w = word_next(&rest);
        if (w.len == 0 || is_too_far(line, rest))
            return false;
        if (word_is_time(w) || word_is_damaged_time(w)) /* a period follows */
            return false;
        if (!word_parse_ids(w, out) || !parse_tail(rest, out))
            continue;
        size_t at = (size_t)(w.data - line.data);
        out->comm = brz_trim(brz_str_of(line.data, at));
        return true;
    }
}

/* Parses comm time tail: options of perf left out the ids. */
static bool parse_with_time(brz_str line, event_line *out)
{
    brz_str rest = line;
    for (;;) {
        brz_str before = rest, w = word_next(&rest);
        if (w.len == 0 || is_too_far(line, before))
            return false;
        if (!word_is_time(w) || !parse_tail(before, out))
            continue;
        out->pid = out->tid = brz_str_of(w.data, 0);
        out->comm = words_without_cpu(brz_str_of(line.data, (size_t)(w.data - line.data)));
        return true;
    }
}

/* Returns whether a single number that was found as the ids stands right in front of the event. */
static bool is_number_at_event(const event_line *e)
{
    return !e->has_time && e->cpu.len == 0 && !e->has_period && e->pid.len == 0 &&
           word_is_digits(e->tid);
}

/* Takes the number in front of the event for the period, as perf prints it, if there are no ids:
 * "app    250000 cycles:". */
static void use_as_period(brz_str line, event_line *out)
{
    const char *from = out->comm.len > 0 ? out->comm.data + out->comm.len : line.data;
    if (!is_number_at_event(out) || !word_has_period_columns(from, out->tid))
        return;
    out->has_period = true;
    out->period = word_period(out->tid);
    out->tid = brz_str_of(line.data, 0);
    out->comm = words_without_cpu(out->comm);
}

/* Parses a line with ids. Of two numbers in front of the event, "34 250000 cycles:", the second one
 * is the period. */
static bool parse_ids(brz_str line, event_line *out)
{
    event_line ids;
    bool found = parse_with_ids(line, false, out);
    if (found && is_number_at_event(out) && word_parse_ids(words_without_cpu(out->comm), &ids))
        found = false;
    if (!found && !parse_with_ids(line, true, out))
        return false;
    use_as_period(line, out);
    return true;
}

bool event_line_parse(brz_str line, event_line *out)
{
    if (memchr(line.data, ':', line.len) == NULL)
        return false;
    out->start = line.data;
    return parse_ids(line, out) || parse_with_time(line, out);
}
