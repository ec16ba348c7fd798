/* SPDX-License-Identifier: MIT */
/* Classifies the words of event lines. */
#ifndef PERF_EVENT_WORDS_H
#define PERF_EVENT_WORDS_H

#include "event_fields.h"

/* Maximum length of a process name: ids and time come before that. It bounds the time spent on long
 * lines, whose text is scanned again for each word. */
#define LONGEST_COMM 1024

/* Recognises digits only. */
bool word_is_digits(brz_str s);

/* Returns whether a character is a letter of ASCII. */
static inline bool word_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Returns whether a character is a space between words. */
bool word_is_gap(char c);

/* Removes the next word from the front of `s` and returns it; empty at the end. */
brz_str word_next(brz_str *s);

/* Recognises "[003]" and "[-1]". */
bool word_is_cpu(brz_str w);

/* Recognises digits separated by each of `dividers`, in that order. */
bool word_is_divided(brz_str w, const char *dividers);

/* Recognises "1.0:". */
bool word_is_time(brz_str w);

/* Recognises a time with one byte that is no digit, which is in front of it, within it, or in place
 * of its point. No process is called so. */
bool word_is_damaged_time(brz_str w);

/* Recognises "K" and "U", the sample's mode, which `-F +misc` prints. */
bool word_is_mode(brz_str w);

/* Recognises "cycles:". */
bool word_is_event(brz_str w);

/* Parses [pid "/"] tid; the last "/" separates them. Either may be -1. */
bool word_parse_ids(brz_str w, event_line *out);

/* Returns whether a number has the ten columns in which perf prints a period: ids have fewer. The
 * text before the number ends at `from`. */
bool word_has_period_columns(const char *from, brz_str number);

/* Parses a period. Returns 1 if it does not fit. */
int64_t word_period(brz_str w);

/* Fills in the event and the text after it. */
void event_line_set(brz_str label, brz_str rest, event_line *out);

/* Returns the position of the last word of a trimmed text. */
size_t word_last(brz_str s);

/* Returns a process name without the processor and the mode that may follow it. */
brz_str words_without_cpu(brz_str comm);

#endif
