/* SPDX-License-Identifier: MIT */
/* Classifies the words of event lines: ids, processors, times, events. */
#include "event_words.h"

#include "../../common/names/event_name.h"

#include <brazier/text/find.h>
#include <brazier/text/integer.h>
#include <brazier/text/trim.h>

#include <string.h>

bool word_is_digits(brz_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!brz_is_digit(s.data[i]))
            return false;
    return s.len > 0;
}

bool word_is_gap(char c)
{
    return c == ' ' || c == '\t';
}

brz_str word_next(brz_str *s)
{
    size_t i = 0, start;
    while (i < s->len && word_is_gap(s->data[i]))
        i++;
    for (start = i; i < s->len && !word_is_gap(s->data[i]); i++)
        ;
    brz_str word = brz_str_of(s->data + start, i - start);
    *s = brz_str_of(s->data + i, s->len - i);
    return word;
}

/* Recognises digits, and "-1", which perf prints for unknown numbers. */
static bool is_number(brz_str s)
{
    if (s.len > 1 && s.data[0] == '-')
        s = brz_str_of(s.data + 1, s.len - 1);
    return word_is_digits(s);
}

bool word_is_cpu(brz_str w)
{
    return w.len > 2 && w.data[0] == '[' && w.data[w.len - 1] == ']' &&
           is_number(brz_str_of(w.data + 1, w.len - 2));
}

bool word_is_divided(brz_str w, const char *dividers)
{
    size_t digits = 0;
    for (size_t i = 0; i < w.len; i++) {
        if (brz_is_digit(w.data[i]))
            digits++;
        else if (digits == 0 || *dividers == 0 || w.data[i] != *dividers++)
            return false;
        else
            digits = 0;
    }
    return digits > 0 && *dividers == 0;
}

bool word_is_time(brz_str w)
{
    if (w.len < 4 || w.data[w.len - 1] != ':')
        return false;
    const char *dot = memchr(w.data, '.', w.len);
    if (dot == NULL)
        return false;
    size_t whole = (size_t)(dot - w.data);
    return word_is_digits(brz_str_of(w.data, whole)) &&
           word_is_digits(brz_str_of(dot + 1, w.len - whole - 2));
}

/* Recognises a processor as perf prints it, with at least three digits: a process may be called
 * "worker [3]". */
static bool is_padded_cpu(brz_str w)
{
    return w.len > 4 && word_is_cpu(w);
}

bool word_is_mode(brz_str w)
{
    for (size_t i = 0; i < w.len; i++)
        if (w.data[i] == 0 || strchr("KUHGg", w.data[i]) == NULL)
            return false;
    return w.len > 0 && w.len <= 3;
}

/* Shorter words may be names of processes. */
#define SHORTEST_TIME 5

/* Returns whether a word is a time with one byte that is no digit, without its point, or without
 * its digits in front of that. No event is called so. */
static bool is_damaged_time(brz_str w)
{
    size_t points = 0, odd = 0, odd_at = 0;
    for (size_t i = 0; i + 1 < w.len; i++) {
        bool is_point = w.data[i] == '.', is_odd = !is_point && !brz_is_digit(w.data[i]);
        points += is_point;
        odd += is_odd;
        odd_at = is_odd ? i : odd_at;
    }
    if (odd == 0)
        return w.len >= SHORTEST_TIME && (points == 0 || (points == 1 && w.data[0] == '.'));
    if (odd != 1 || (odd_at == 1 && w.data[0] == '0' && w.data[1] == 'x'))
        return false;
    return points == 1 || (points == 0 && odd_at > 0 && odd_at + 2 < w.len);
}

bool word_is_damaged_time(brz_str w)
{
    return w.len >= SHORTEST_TIME && w.data[w.len - 1] == ':' && is_damaged_time(w);
}

bool word_is_event(brz_str w)
{
    return w.len > 1 && w.data[w.len - 1] == ':' && !is_damaged_time(w);
}

bool word_parse_ids(brz_str w, event_line *out)
{
    size_t slash = w.len;
    for (size_t i = 0; i < w.len; i++) {
        bool starts = i == 0 || w.data[i - 1] == '/';
        bool minus = w.data[i] == '-' && starts && i + 1 < w.len && brz_is_digit(w.data[i + 1]);
        if (w.data[i] == '/')
            slash = i;
        else if (!brz_is_digit(w.data[i]) && !minus)
            return false;
    }
    if (w.len == 0 || slash == 0 || slash + 1 == w.len)
        return false;
    out->pid = slash < w.len ? brz_str_of(w.data, slash) : brz_str_of(w.data, 0);
    out->tid = slash < w.len ? brz_str_of(w.data + slash + 1, w.len - slash - 1) : w;
    return true;
}

bool word_has_period_columns(const char *from, brz_str number)
{
    return number.data + number.len - from >= 10;
}

int64_t word_period(brz_str w)
{
    int64_t v = 0;
    for (size_t i = 0; i < w.len; i++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, w.data[i] - '0', &v))
            return 1;
    return v;
}

void event_line_set(brz_str label, brz_str rest, event_line *out)
{
    out->label = label;
    out->event = event_without_modifiers(brz_str_of(label.data, label.len - 1));
    out->rest = brz_trim(rest);
}

size_t word_last(brz_str s)
{
    const char *blank = brz_rfind(s, ' ');
    return blank == NULL ? 0 : (size_t)(blank + 1 - s.data);
}

/* Removes the mode, which perf pads with spaces. */
static brz_str without_mode(brz_str comm)
{
    brz_str trimmed = brz_trim_end(comm);
    size_t at = word_last(trimmed);
    bool mode = word_is_mode(brz_str_from(trimmed, at));
    return at > 0 && mode && comm.len - trimmed.len > 2 ? brz_str_of(comm.data, at) : comm;
}

brz_str words_without_cpu(brz_str comm)
{
    comm = brz_trim(without_mode(comm));
    size_t at = word_last(comm);
    if (is_padded_cpu(brz_str_from(comm, at)))
        comm = brz_trim_end(brz_str_of(comm.data, at));
    return comm;
}
