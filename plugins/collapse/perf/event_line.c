/* The event line of `perf script`:
 *
 *     line   := comm ids tail | ids tail | comm time event
 *     ids    := [pid "/"] tid
 *     tail   := ["[" cpu "]"] [mode | flags] [date clock] ([time] event | time [period] [frame])
 *     event  := [period] label rest
 *     time   := digits "." digits ":"
 *     date   := digits "-" digits "-" digits
 *     clock  := digits ":" digits ":" digits "." digits
 *     label  := text without blanks that ends in ":"
 *
 * `comm` may hold blanks and words of digits, so the ids are the first word of that form behind
 * which a tail follows. Which fields are there depends on `perf script -F`.
 */
#include "event_line.h"

#include "frame_line.h"

#include <brazier/symbol.h>
#include <brazier/text/find.h>
#include <brazier/text/trim.h>

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool all_digits(brz_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!is_digit(s.data[i]))
            return false;
    return s.len > 0;
}

static bool is_gap(char c)
{
    return c == ' ' || c == '\t';
}

/* Takes the next word off the front of `s`; empty at the end. */
static brz_str next_word(brz_str *s)
{
    size_t i = 0, start;
    while (i < s->len && is_gap(s->data[i]))
        i++;
    for (start = i; i < s->len && !is_gap(s->data[i]); i++)
        ;
    brz_str word = brz_str_of(s->data + start, i - start);
    *s = brz_str_of(s->data + i, s->len - i);
    return word;
}

/* Digits, or "-1" for what perf does not know. */
static bool is_number(brz_str s)
{
    if (s.len > 1 && s.data[0] == '-')
        s = brz_str_of(s.data + 1, s.len - 1);
    return all_digits(s);
}

static bool is_cpu(brz_str w)
{
    return w.len > 2 && w.data[0] == '[' && w.data[w.len - 1] == ']' &&
           is_number(brz_str_of(w.data + 1, w.len - 2));
}

/* Digits, with each of `dividers` between two of them, in that order. */
static bool is_divided(brz_str w, const char *dividers)
{
    size_t digits = 0;
    for (size_t i = 0; i < w.len; i++) {
        if (is_digit(w.data[i]))
            digits++;
        else if (digits == 0 || *dividers == 0 || w.data[i] != *dividers++)
            return false;
        else
            digits = 0;
    }
    return digits > 0 && *dividers == 0;
}

static bool is_time(brz_str w)
{
    if (w.len < 4 || w.data[w.len - 1] != ':')
        return false;
    const char *dot = memchr(w.data, '.', w.len);
    if (dot == NULL)
        return false;
    size_t whole = (size_t)(dot - w.data);
    return all_digits(brz_str_of(w.data, whole)) &&
           all_digits(brz_str_of(dot + 1, w.len - whole - 2));
}

/* A processor as perf prints it, of three places at least: a process may be called "worker [3]". */
static bool is_padded_cpu(brz_str w)
{
    return w.len > 4 && is_cpu(w);
}

/* "K" or "U": the sample's mode, which `-F +misc` prints. */
static bool is_mode(brz_str w)
{
    for (size_t i = 0; i < w.len; i++)
        if (w.data[i] == 0 || strchr("KUHGg", w.data[i]) == NULL)
            return false;
    return w.len > 0 && w.len <= 3;
}

/* "d..2.": interrupt state, between cpu and time. */
static bool is_flags(brz_str w)
{
    for (size_t i = 0; i < w.len; i++)
        if (w.data[i] == ':' || w.data[i] == '/' || is_gap(w.data[i]))
            return false;
    return w.len > 0 && w.len <= 6;
}

static bool is_event(brz_str w)
{
    return w.len > 1 && w.data[w.len - 1] == ':';
}

/* [pid "/"] tid; the last "/" divides. Either may be -1. */
static bool parse_ids(brz_str w, event_line *out)
{
    size_t slash = w.len;
    for (size_t i = 0; i < w.len; i++) {
        bool starts = i == 0 || w.data[i - 1] == '/';
        bool minus = w.data[i] == '-' && starts && i + 1 < w.len && is_digit(w.data[i + 1]);
        if (w.data[i] == '/')
            slash = i;
        else if (!is_digit(w.data[i]) && !minus)
            return false;
    }
    if (w.len == 0)
        return false;
    out->pid = slash < w.len ? brz_str_of(w.data, slash) : brz_str_of(w.data, 0);
    out->tid = slash < w.len ? brz_str_of(w.data + slash + 1, w.len - slash - 1) : w;
    return true;
}

/* A period that does not fit is as good as none: 1. */
static int64_t parse_period(brz_str w)
{
    int64_t v = 0;
    for (size_t i = 0; i < w.len; i++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, w.data[i] - '0', &v))
            return 1;
    return v;
}

/* Drops the final colon and modifiers such as "u" or "ppH", which follow another one. */
static brz_str event_name(brz_str label)
{
    brz_str name = brz_str_of(label.data, label.len - 1);
    size_t i = name.len;
    while (i > 0 && strchr("ukhGHpPSDIWeb", name.data[i - 1]) != NULL && name.data[i - 1] != 0)
        i--;
    if (i > 1 && i < name.len && name.data[i - 1] == ':')
        name.len = i - 1;
    return name;
}

static void set_event(brz_str label, brz_str rest, event_line *out)
{
    out->label = label;
    out->event = event_name(label);
    out->rest = brz_trim(rest);
}

/* Passes over the mode or the flags in front of `tail`, if it begins with them. */
static void pass_flags(brz_str *tail, bool cpu)
{
    brz_str after = *tail, w = next_word(&after), rest = after, next = next_word(&rest);
    bool mode = is_mode(w) && (is_event(next) || all_digits(next));
    bool flags = cpu && is_flags(w) && !all_digits(w) && is_time(next);
    if (mode || flags)
        *tail = after;
}

/* Passes over the date and the clock of `-F +tod`. */
static void pass_date(brz_str *tail)
{
    brz_str after = *tail, date = next_word(&after), clock = next_word(&after);
    if (is_divided(date, "--") && is_divided(clock, "::."))
        *tail = after;
}

/* Takes the period off the front of `tail`; without one it weighs 1. */
static void take_period(brz_str *tail, event_line *out)
{
    brz_str after = *tail, w = next_word(&after);
    out->has_period = all_digits(w);
    out->period = out->has_period ? parse_period(w) : 1;
    if (out->has_period)
        *tail = after;
}

/* [period] event rest */
static bool parse_event(brz_str tail, bool time_is_none, event_line *out)
{
    take_period(&tail, out);
    brz_str w = next_word(&tail);
    if (!is_event(w) || (time_is_none && is_time(w)))
        return false;
    set_event(w, tail, out);
    return true;
}

/* [period] [frame], behind a time: perf was told to leave the event out. */
static bool parse_without_event(brz_str tail, event_line *out)
{
    frame_line frame;
    brz_str all = brz_trim(tail);
    take_period(&tail, out);
    tail = brz_trim(tail);
    bool stack = frame_line_parse_in_line(tail, &frame) && !brz_is_blank(frame.symbol.data[0]);
    if (!stack && tail.len > 0) { /* what looked like a period is the address */
        out->has_period = false;
        out->period = 1;
        tail = all;
        stack = frame_line_parse_in_line(tail, &frame);
    }
    out->label = out->event = brz_str_of(tail.data, 0);
    out->rest = tail;
    return stack || tail.len == 0;
}

/* What follows the ids: cpu, time, period, event. */
static bool parse_tail(brz_str tail, event_line *out)
{
    brz_str after = tail;
    bool cpu = is_cpu(next_word(&after));
    if (cpu)
        tail = after;
    pass_flags(&tail, cpu);
    pass_date(&tail);
    after = tail;
    if (!is_time(next_word(&after)))
        return parse_event(tail, !cpu, out);
    return parse_event(after, false, out) || parse_without_event(after, out);
}

/* Behind so much of a line there are no ids and no time: a process's name is shorter by far. What
 * may be any text is not gone through again for each word of a long line. */
#define LONGEST_COMM 1024

static bool is_too_far(brz_str line, brz_str rest)
{
    return rest.data - line.data > LONGEST_COMM;
}

/* comm ids tail. `first` allows the ids to be the line's first word: comm is empty. */
static bool parse_with_ids(brz_str line, bool first, event_line *out)
{
    brz_str rest = line;
    if (!first && line.len > 0 && !is_gap(line.data[0]))
        next_word(&rest);
    for (;;) {
        brz_str w = next_word(&rest);
        if (w.len == 0 || is_time(w) || is_too_far(line, rest)) /* behind the time is a period */
            return false;
        if (!parse_ids(w, out) || !parse_tail(rest, out))
            continue;
        size_t at = (size_t)(w.data - line.data);
        out->comm = brz_trim(brz_str_of(line.data, at));
        out->head = brz_str_of(line.data, at + w.len);
        return true;
    }
}

static brz_str behind(brz_str s, size_t at)
{
    return brz_str_of(s.data + at, s.len - at);
}

/* Where the last word of a trimmed text begins. */
static size_t last_word(brz_str s)
{
    const char *blank = brz_rfind(s, ' ');
    return blank == NULL ? 0 : (size_t)(blank + 1 - s.data);
}

/* Cuts off the mode, which perf fills up with blanks. */
static brz_str without_mode(brz_str comm)
{
    brz_str trimmed = brz_trim_end(comm);
    size_t at = last_word(trimmed);
    bool mode = is_mode(behind(trimmed, at));
    return at > 0 && mode && comm.len - trimmed.len > 2 ? brz_str_of(comm.data, at) : comm;
}

/* A process name, which the processor and the mode may follow. */
static brz_str without_cpu(brz_str comm)
{
    comm = brz_trim(without_mode(comm));
    size_t at = last_word(comm);
    if (is_padded_cpu(behind(comm, at)))
        comm = brz_trim_end(brz_str_of(comm.data, at));
    return comm;
}

/* comm time tail: perf was told to leave the ids out. */
static bool parse_with_time(brz_str line, event_line *out)
{
    brz_str rest = line;
    for (;;) {
        brz_str before = rest, w = next_word(&rest);
        if (w.len == 0 || is_too_far(line, before))
            return false;
        if (!is_time(w) || !parse_tail(before, out))
            continue;
        out->pid = out->tid = brz_str_of(w.data, 0);
        out->comm = without_cpu(brz_str_of(line.data, (size_t)(w.data - line.data)));
        out->head = brz_str_of(line.data, 0);
        return true;
    }
}

bool event_line_parse(brz_str line, event_line *out)
{
    if (memchr(line.data, ':', line.len) == NULL)
        return false;
    return parse_with_ids(line, false, out) || parse_with_ids(line, true, out) ||
           parse_with_time(line, out);
}

/* Takes a period off the end, if it stands behind "pid/tid". */
static brz_str take_last_period(brz_str comm, event_line *out)
{
    size_t at = last_word(comm);
    brz_str before = brz_trim_end(brz_str_of(comm.data, at)), period = behind(comm, at);
    brz_str ids = behind(before, last_word(before));
    if (!all_digits(period) || brz_rfind(ids, '/') == NULL || !parse_ids(ids, out))
        return comm;
    out->has_period = true;
    out->period = parse_period(period);
    return before;
}

static bool begins_with_letter(brz_str s)
{
    char c = s.len > 0 ? s.data[0] : 0;
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Takes ids, and a cpu, a mode or a period behind them, off the end of the process's name. */
static bool take_last_ids(event_line *out)
{
    brz_str comm = without_cpu(take_last_period(out->comm, out));
    size_t at = last_word(comm);
    if (at > 0 && is_mode(behind(comm, at))) {
        comm = brz_trim_end(brz_str_of(comm.data, at));
        at = last_word(comm);
    }
    if (at == 0 || !parse_ids(behind(comm, at), out))
        return false;
    out->comm = brz_trim_end(brz_str_of(comm.data, at));
    return true;
}

/* Takes an event with nothing behind it off the end of the process's name. */
static bool take_last_event(event_line *out)
{
    brz_str comm = out->comm;
    size_t at = last_word(comm);
    brz_str label = behind(comm, at);
    if (at == 0 || !is_event(label) || is_time(label))
        return false;
    set_event(label, brz_str_of(comm.data, 0), out);
    out->comm = without_cpu(brz_str_of(comm.data, at));
    return true;
}

/* A blank, and the 16 columns that perf prints an address in. */
#define ADDRESS_COLUMNS 17

bool event_line_parse_flat(brz_str line, event_line *out)
{
    brz_str rest = line, w;
    frame_line frame;
    const char *end = line.data;
    while ((w = next_word(&rest)).len > 0) {
        size_t columns = (size_t)(w.data + w.len - end), head = (size_t)(end - line.data);
        end = w.data + w.len;
        if (columns < ADDRESS_COLUMNS || (head == 0 && columns > ADDRESS_COLUMNS))
            continue;
        brz_str stack = behind(line, (size_t)(w.data - line.data));
        if (!brz_all_hex(w.data, w.len) || !frame_line_parse_in_line(stack, &frame))
            continue;
        event_line_guess(brz_str_of(line.data, head), out);
        out->comm = out->comm.len > 0 ? out->comm : BRZ_STR("[unknown]");
        out->rest = stack;
        return true;
    }
    return false;
}

void event_line_guess(brz_str line, event_line *out)
{
    memset(out, 0, sizeof *out);
    out->period = 1;
    out->comm = brz_trim(line);
    brz_str rest = line, label = brz_str_of(line.data, 0);
    if (take_last_ids(out) || take_last_event(out))
        return;
    if (line.len > 0 && !is_gap(line.data[0]))
        next_word(&rest);
    for (brz_str w; (w = next_word(&rest)).len > 0;) {
        if (!begins_with_letter(brz_trim_start(rest)) && parse_ids(w, out)) {
            out->comm = brz_trim(brz_str_of(line.data, (size_t)(w.data - line.data)));
            break;
        }
        if (is_event(w) && brz_trim(brz_str_of(line.data, (size_t)(w.data - line.data))).len > 0) {
            out->comm = without_cpu(brz_str_of(line.data, (size_t)(w.data - line.data)));
            label = is_time(w) ? label : w;
            break;
        }
    }
    if (label.len > 0)
        set_event(label, rest, out);
}
