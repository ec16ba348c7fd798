/* SPDX-License-Identifier: MIT */
/* Parses the lines of events that `perf trace` prints. */
#include "event.h"

#include <brazier/symbol.h>
#include <brazier/text.h>

#include "../../common/table/decimal.h"

#define NANOSECOND 6 /* decimals of milliseconds */

/* perf prints at most so many bytes of the name of a process. */
#define PROCESS_MAX 14

/* Parts of the front of an event are shorter. */
#define PREFIX_MAX 32

static bool is_of_name(char c)
{
    return brz_is_digit(c) || c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static void skip_blanks(brz_str *s)
{
    *s = brz_trim_start(*s);
}

/* Removes a time in milliseconds, which has three decimals. */
static bool take_time(brz_str *s, decimal *d)
{
    brz_str rest = *s;
    if (rest.len == 0 || !brz_is_digit(*rest.data) || !decimal_take(&rest, false, d) ||
        d->decimals != 3)
        return false;
    *s = rest;
    return true;
}

/* Removes the time at which an event began. */
static bool take_start(brz_str *s)
{
    decimal time;
    skip_blanks(s);
    if (!brz_str_take(s, "?") && !take_time(s, &time))
        return false;
    return brz_str_take(s, " ");
}

/* Removes "( 0.012 ms): " or "(         ): ", if it is there. Returns false if it is damaged. perf
 * prints a negative duration as a number near 2^64: it is unknown. */
static bool take_duration(brz_str *s, event *e)
{
    decimal d;
    if (!brz_str_take(s, "("))
        return true;
    skip_blanks(s);
    bool is_number = take_time(s, &d);
    e->has_time = is_number && decimal_scale(&d, NANOSECOND, &e->time);
    bool is_whole = (!is_number || brz_str_take(s, " ms")) && brz_str_take(s, "): ");
    e->goes_on = is_whole && !is_number;
    return is_whole;
}

/* Removes a thread and the blank after it. */
static bool take_thread(brz_str *s, event *e)
{
    uint64_t thread;
    brz_str rest = *s;
    if (!brz_take_u64(&rest, &thread) || thread > INT64_MAX || !brz_str_take(&rest, " "))
        return false;
    e->has_thread = true;
    e->thread = (int64_t)thread;
    *s = rest;
    return true;
}

/* Removes "process/thread ", if it is there. A name may contain slashes. */
static bool take_process(brz_str *s, event *e)
{
    for (size_t i = 0; i < s->len && i <= PROCESS_MAX; i++) {
        brz_str rest = brz_str_from(*s, i + 1);
        if (s->data[i] != '/' || !take_thread(&rest, e))
            continue;
        e->process = brz_str_of(s->data, i);
        *s = rest;
        return true;
    }
    return false;
}

/* Removes the name of a call or a tracepoint and what follows up to its arguments. */
static bool take_name(brz_str *s, event *e)
{
    brz_str rest = *s;
    size_t n = 0;
    skip_blanks(&rest);
    if (brz_str_take(&rest, "... [continued]: "))
        *s = rest;
    while (n < s->len && (is_of_name(s->data[n]) || s->data[n] == ':' || s->data[n] == '-'))
        n++;
    e->name = brz_str_of(s->data, n);
    *s = brz_str_from(*s, n);
    return n > 0 && brz_str_take(s, "(");
}

/* Removes the name of a page fault: "minfault [main+0x1] => …". */
static bool take_fault(brz_str *s, event *e)
{
    brz_str rest = *s;
    if (!brz_str_take(&rest, "minfault [") && !brz_str_take(&rest, "majfault ["))
        return false;
    e->name = brz_str_of(s->data, 8);
    *s = rest;
    return true;
}

/* Finds the result of a call, after the arguments and blanks. */
static bool find_result(brz_str s, brz_str *result)
{
    for (size_t i = s.len; i-- > 2;) {
        if (s.data[i] != ' ' || s.data[i - 1] != '=' || s.data[i - 2] != ' ')
            continue;
        *result = brz_str_from(s, i + 1);
        return brz_ends_with(brz_trim_end(brz_str_of(s.data, i - 1)), BRZ_STR(")"));
    }
    return false;
}

/* Returns whether a name is that of a tracepoint. */
static bool is_tracepoint(const event *e)
{
    return memchr(e->name.data, ':', e->name.len) != NULL;
}

/* Parses what follows the name of a call or a tracepoint and its bracket. */
static event_kind parse_arguments(brz_str rest, event *e)
{
    brz_str end = brz_trim_end(rest);
    e->is_call = !is_tracepoint(e);
    if (find_result(rest, &e->result)) {
        e->has_failed = brz_starts_with(e->result, BRZ_STR("-1 E"));
        return EVENT_CALL;
    }
    if (brz_ends_with(end, BRZ_STR(" =")) &&
        brz_ends_with(brz_trim_end(brz_str_of(end.data, end.len - 2)), BRZ_STR(")")))
        return EVENT_CALL; /* perf omits the result of some clone() in the new thread */
    if (brz_ends_with(end, BRZ_STR(" ...")))
        return EVENT_UNFINISHED;
    return is_tracepoint(e) && brz_ends_with(end, BRZ_STR(")")) ? EVENT_OTHER : EVENT_DAMAGED;
}

/* Parses what follows the time and the duration of an event. Returns EVENT_NONE for what shows no
 * event. */
static event_kind parse_rest(brz_str rest, event *e, bool has_duration)
{
    bool has_process = take_process(&rest, e) || take_thread(&rest, e);
    if (take_fault(&rest, e))
        return EVENT_OTHER;
    if (take_name(&rest, e))
        return parse_arguments(rest, e);
    e->is_call = has_duration;
    return has_process || has_duration ? EVENT_DAMAGED : EVENT_NONE;
}

/* Recognises a line that breaks off within the time in front of it. */
static bool is_front(brz_str line)
{
    size_t n = 0;
    brz_str rest = brz_trim_start(line);
    while (n < rest.len && (brz_is_digit(rest.data[n]) || rest.data[n] == '.'))
        n++;
    return n > 0 && n == rest.len && brz_starts_with(line, BRZ_STR("   "));
}

/* Returns what a line without a whole time is: prose, or an event that shows by its duration, its
 * result, or a thread in front of a tracepoint. */
static event_kind damaged_or_none(brz_str line, event *e)
{
    brz_str rest = brz_trim_start(line);
    e->goes_on |= brz_starts_with(rest, BRZ_STR("= ")); /* the rest of a line */
    e->is_call = brz_str_has(line, BRZ_STR(" ms): ")) ||
                 brz_str_has(line, BRZ_STR("(         ): ")) ||
                 brz_str_has(line, BRZ_STR(" [continued]: ")) ||
                 (e->has_end && brz_str_has(line, BRZ_STR("(")));
    if (e->is_call || e->goes_on || is_front(line))
        return EVENT_DAMAGED;
    return take_process(&rest, e) && take_name(&rest, e) && is_tracepoint(e) ? EVENT_DAMAGED
                                                                             : EVENT_NONE;
}

/* Looks at both ends of a line. */
static void look_at_ends(brz_str line, event *e)
{
    brz_str result, rest = line;
    bool is_unfinished = brz_ends_with(brz_trim_end(line), BRZ_STR(" ..."));
    e->has_start = take_start(&rest);
    e->has_end = is_unfinished || find_result(line, &result);
    e->goes_on = is_unfinished || (e->goes_on && !e->has_end);
}

event_kind event_parse(brz_str line, event *e)
{
    *e = (event){0};
    event_kind kind = EVENT_NONE;
    brz_str rest = line;
    if (take_start(&rest)) {
        bool has_duration = brz_starts_with(rest, BRZ_STR("("));
        e->is_call = has_duration;
        kind = take_duration(&rest, e) ? parse_rest(rest, e, has_duration) : EVENT_DAMAGED;
    }
    if (kind > EVENT_DAMAGED)
        return kind;
    look_at_ends(line, e);
    return kind == EVENT_DAMAGED ? kind : damaged_or_none(line, e);
}

/* Returns the offset at which the run of bytes of a kind in front of `at` begins. The runs in front
 * of a duration are short: long ones are no time. */
static size_t run_start(brz_str line, size_t at, const char *kind)
{
    size_t i = at;
    while (i > 0 && at - i < PREFIX_MAX && line.data[i - 1] != 0 &&
           strchr(kind, line.data[i - 1]) != NULL)
        i--;
    return i;
}

/* Returns whether a line begins with a time and a duration. */
static bool has_prefix(brz_str line)
{
    event e = {0};
    return take_start(&line) && brz_starts_with(line, BRZ_STR("(")) && take_duration(&line, &e);
}

size_t event_find_joined(brz_str line)
{
    for (size_t at = 0; (at = brz_str_find(line, BRZ_STR("): "), at)) != SIZE_MAX; at++) {
        size_t i = run_start(line, at, " .0123456789ms");
        i = run_start(line, i > 0 ? i - 1 : 0, " ");
        i = run_start(line, run_start(line, i, "0123456789.?"), " ");
        if (i > 0 && has_prefix(brz_str_from(line, i)))
            return i;
    }
    return SIZE_MAX;
}
