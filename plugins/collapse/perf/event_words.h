/* The words of event lines. */
#ifndef PERF_EVENT_WORDS_H
#define PERF_EVENT_WORDS_H

#include "event_fields.h"

/* Behind so much of a line there are no ids and no time: a process's name is shorter by far. What
 * may be any text is not gone through again for each word of a long line. */
#define LONGEST_COMM 1024

/* Digits and nothing else. */
bool word_is_digits(brz_str s);

/* A blank between words. */
bool word_is_gap(char c);

/* Takes the next word off the front of `s`; empty at the end. */
brz_str word_next(brz_str *s);

/* "[003]", "[-1]". */
bool word_is_cpu(brz_str w);

/* Digits, with each of `dividers` between two of them, in that order. */
bool word_is_divided(brz_str w, const char *dividers);

/* "1.0:" */
bool word_is_time(brz_str w);

/* "K" or "U": the sample's mode, which `-F +misc` prints. */
bool word_is_mode(brz_str w);

/* "cycles:" */
bool word_is_event(brz_str w);

/* [pid "/"] tid; the last "/" divides. Either may be -1. */
bool word_parse_ids(brz_str w, event_line *out);

/* A period that does not fit is as good as none: 1. */
int64_t word_period(brz_str w);

/* Fills in the event and what follows it. */
void event_line_set(brz_str label, brz_str rest, event_line *out);

/* The text from `at` on. */
brz_str word_behind(brz_str s, size_t at);

/* Where the last word of a trimmed text begins. */
size_t word_last(brz_str s);

/* A process name, which the processor and the mode may follow. */
brz_str words_without_cpu(brz_str comm);

#endif
