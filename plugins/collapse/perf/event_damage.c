/* SPDX-License-Identifier: MIT */
/* Recognises lines that are parsed as event lines, but are damaged ones, and finds the period in
 * them.
 */
#include "reader.h"
#include "event_words.h"

#include <brazier/symbol.h>
#include <brazier/text/find.h>
#include <brazier/text/integer.h>
#include <brazier/text/trim.h>

#include <string.h>

/* Returns the length of "1.0:" at the front of a word, or 0. */
static size_t time_length(brz_str w)
{
    const char *colon = memchr(w.data, ':', w.len);
    size_t n = colon == NULL ? 0 : (size_t)(colon + 1 - w.data);
    return word_is_time(brz_str_of(w.data, n)) ? n : 0;
}

/* Returns whether a word is a time after another byte, which may have a word in front of it. */
static bool ends_in_time(brz_str w)
{
    for (size_t i = 1; i < w.len; i++)
        if (brz_is_digit(w.data[i]) && !brz_is_digit(w.data[i - 1]) && w.data[i - 1] != '.' &&
            word_is_time(brz_str_from(w, i)))
            return true;
    return false;
}

/* Returns whether a word is a part of a time that is divided: "1." or ".0:" or "0:", or "1.:". */
static bool is_part_of_time(brz_str w)
{
    bool has_colon = w.data[w.len - 1] == ':';
    if (w.len > 2 && has_colon && w.data[w.len - 2] == '.')
        return word_is_digits(brz_str_of(w.data, w.len - 2));
    if (word_is_digits(brz_str_of(w.data, w.len - 1)) && w.len > 1)
        return has_colon || w.data[w.len - 1] == '.';
    return w.len > 2 && w.data[0] == '.' && has_colon &&
           word_is_digits(brz_str_of(w.data + 1, w.len - 2));
}

/* Returns whether a word is a time with another byte in place of one. */
static bool is_time_but_one(brz_str w)
{
    size_t points = 0, odd = w.data[w.len - 1] != ':';
    bool ends_in_digit = brz_is_digit(w.data[w.len - 1]);
    for (size_t i = 0; i + 1 < w.len; i++) {
        points += w.data[i] == '.';
        odd += w.data[i] != '.' && !brz_is_digit(w.data[i]);
    }
    return w.len > 2 && odd == 1 && (points == 1 || (points == 0 && w.data[w.len - 1] == ':')) &&
           !(ends_in_digit && points == 0);
}

static bool is_damaged(brz_str w)
{
    return w.len > 1 && (is_time_but_one(w) || is_part_of_time(w) || ends_in_time(w) ||
                         (time_length(w) > 0 && time_length(w) < w.len));
}

/* Returns whether a process name has a damaged time in it: after the ids or the processor, or with
 * its colon. */
static bool hides_time(brz_str comm)
{
    event_line ids;
    brz_str rest = comm, before = word_next(&rest), w = before;
    if (brz_str_is(w, ":") || (w.len > 1 && (is_part_of_time(w) || time_length(w) > 0)))
        return true;
    while ((w = word_next(&rest)).len > 0) {
        bool is_after = word_is_cpu(before) || word_parse_ids(before, &ids);
        if ((is_after || w.data[w.len - 1] == ':' || time_length(w) > 0) && is_damaged(w))
            return true;
        before = w;
    }
    return false;
}

bool event_hides_time(const event_line *event)
{
    brz_str label = event->label;
    if (event->has_time)
        return false;
    return (label.len > 1 &&
            (ends_in_time(label) || is_part_of_time(label) || time_length(label) > 0)) ||
           hides_time(event->comm);
}

bool event_is_like(brz_str line)
{
    event_line ids;
    brz_str rest = line, before = word_next(&rest), w;
    while ((w = word_next(&rest)).len > 0 && rest.data - line.data < LONGEST_COMM) {
        bool is_after = word_is_cpu(before) || word_parse_ids(before, &ids);
        if (is_after && (word_is_time(w) || is_damaged(w)))
            return true;
        before = w;
    }
    return false;
}

/* Returns whether a word is a processor without its end: "[00". */
static bool is_cut_cpu(brz_str w)
{
    return w.len > 0 && w.data[0] == '[' &&
           (w.len == 1 || word_is_digits(brz_str_of(w.data + 1, w.len - 1)));
}

/* Returns whether a text ends in "pid/tid" or a processor, after another word. */
static bool ends_in_ids(brz_str text)
{
    event_line ids;
    brz_str word = brz_str_from(text, word_last(text));
    bool is_pair = memchr(word.data, '/', word.len) != NULL && word_parse_ids(word, &ids);
    return word.len < text.len && (word_is_cpu(word) || is_cut_cpu(word) || is_pair);
}

bool event_is_front(brz_str line)
{
    brz_str text = brz_trim(line), number = brz_str_from(text, word_last(text));
    brz_str before = brz_trim_end(brz_str_of(text.data, text.len - number.len));
    return ends_in_ids(text) || (word_is_digits(number) && ends_in_ids(before));
}

/* Returns whether a text is an event line with ids, time and event. */
static bool is_whole_event(brz_str text)
{
    event_line event;
    return event_is_like(text) && line_begins_sample(text, NOT_FLAT, &event) && event.has_time &&
           (event.pid.len > 0 || event.tid.len > 0) && event.label.len > 0;
}

bool event_has_other_after(brz_str rest)
{
    brz_str module;
    if (brz_str_find(rest, BRZ_STR(": "), 0) == SIZE_MAX)
        return false;
    while (brz_cut_first(rest, ')', &module, &rest))
        if (brz_str_find(module, BRZ_STR(" ("), 0) != SIZE_MAX && rest.len > 1 &&
            is_whole_event(brz_trim(brz_str_from(rest, 1))))
            return true;
    return false;
}

/* ---- records between samples ----------------------------------------------------------------- */

static const char record_name[] = "PERF_RECORD_";

/* Returns whether a line has a time and then the text of a switch, without the name in front of it.
 */
static bool is_switch(brz_str line)
{
    brz_str rest = line, w;
    while ((w = word_next(&rest)).len > 0 && !word_is_time(w))
        ;
    rest = brz_trim(rest);
    return w.len > 0 &&
           (brz_str_is(rest, "IN") || brz_str_is(rest, "OUT") || brz_str_is(rest, "OUT preempt"));
}

bool event_is_part_of_record(brz_str line)
{
    brz_str text = brz_trim_end(line), word = brz_str_from(text, word_last(text));
    bool is_front = word.len > 0 && word.len < sizeof record_name &&
                    memcmp(word.data, record_name, word.len) == 0;
    return is_front || is_switch(line);
}

static bool has_damaged_record_name(const event_line *event)
{
    const char *name = record_name;
    size_t n = sizeof record_name - 1, others = 0;
    if (event->label.len <= n)
        return false;
    for (size_t i = 0; i < n; i++)
        others += event->label.data[i] != name[i];
    return others == 1;
}

/* Returns whether a word has a letter. */
static bool has_letter(brz_str w)
{
    for (size_t i = 0; i < w.len; i++)
        if (word_is_letter(w.data[i]))
            return true;
    return false;
}

/* Returns whether the text after a time is that of a record whose name is missing: "-1/0: [0x…" or
 * "exec: name:pid/tid". */
static bool lacks_record_name(const event_line *event)
{
    event_line ids;
    brz_str name, pair;
    if (!event->has_time || event->label.len == 0)
        return false;
    if (brz_str_is(event->label, "exec:") && brz_cut_last(event->rest, ':', &name, &pair))
        return memchr(pair.data, '/', pair.len) != NULL && word_parse_ids(pair, &ids);
    return !has_letter(event->label) && brz_starts_with(event->rest, BRZ_STR("[0x"));
}

bool event_is_damaged_record(const event_line *event)
{
    return has_damaged_record_name(event) || lacks_record_name(event);
}

/* ---- periods --------------------------------------------------------------------------------- */

static bool is_last_word_time(brz_str text)
{
    return word_is_time(brz_str_from(text, word_last(text)));
}

/* Returns the position of a label as a word of a line, or SIZE_MAX. The blank in front of it may be
 * damaged, or missing after a time. */
static size_t find_label(brz_str line, brz_str label)
{
    size_t at = brz_str_find(line, label, 0);
    if (at == SIZE_MAX || at == 0)
        return SIZE_MAX;
    char c = line.data[at - 1];
    if (is_last_word_time(brz_str_of(line.data, at - brz_is_digit(c))))
        return at;
    bool is_in_name = word_is_letter(c) || brz_is_digit(c) || strchr("-_.:/", c) != NULL;
    return c != 0 && is_in_name ? SIZE_MAX : at;
}

/* Sets the weight of an event that is not in the first column to 0. Returns false if it might be
 * the first one, if the first line were not damaged. */
static bool is_first_or_other(const perf_prelude *input, const perf_seen_event *event,
                              int64_t *weight)
{
    if (brz_str_equal(event->event, input->event))
        return true;
    *weight = 0;
    return event->lines > 1;
}

/* Returns whether the last word of a text is a whole number: after a blank, and after another
 * word than a number, which may be its front. */
static bool ends_in_number(const perf_prelude *input, brz_str text, brz_str *number)
{
    brz_str word = *number = brz_str_from(text, word_last(text));
    brz_str front = brz_trim_end(brz_str_of(text.data, text.len - word.len));
    brz_str last = brz_str_from(front, word_last(front));
    return word_is_digits(word) && word.len < text.len &&
           !(input->some_times && word_is_digits(last));
}

/* Returns whether no sample of an event has a period. One line may have lost it. */
static bool lacks_periods(const perf_seen_event *event)
{
    return event->periods == 0 && event->lines > 1;
}

/* Returns what a sample of an event weighs in the first column, whose event line has the text
 * `before` in front of its event, the blank included. */
static bool weigh(const perf_prelude *input, const perf_seen_event *event, brz_str before,
                  int64_t *weight)
{
    brz_str word;
    if (lacks_periods(event)) {
        *weight = 1;
        return is_first_or_other(input, event, weight);
    }
    before = brz_trim_end(brz_str_of(before.data, before.len - 1));
    bool is_number = ends_in_number(input, before, &word);
    bool is_time = word.len > 0 &&
                   (memchr(word.data, '.', word.len) != NULL || word.data[word.len - 1] == ':');
    *weight = 1;
    if (!is_number && (event->periods > 0 || (input->some_times && !is_time)))
        return false;
    if (is_number && (event->periods > 0 || input->some_times)) /* a time is in front of it */
        *weight = word_period(word);
    return is_first_or_other(input, event, weight);
}

/* Returns the number after the time of a line, which has more words after that, or 1 if the only
 * event of the input has no periods. */
static bool weigh_after_time(const perf_prelude *input, brz_str line, int64_t *weight)
{
    brz_str rest = line, w = {0};
    *weight = 1;
    if (input->n_seen == 0)
        return !input->periods;
    if (input->n_seen != 1 || input->seen[0].periods == 0)
        return input->n_seen == 1;
    while ((w = word_next(&rest)).len > 0 && !word_is_time(w))
        ;
    brz_str period = word_next(&rest);
    if (!word_is_digits(period) || brz_trim(rest).len == 0)
        return false;
    *weight = word_period(period);
    return true;
}

bool event_weighs_one(const perf_prelude *input)
{
    return input->n_seen == 0 ? !input->periods
                              : input->n_seen == 1 && lacks_periods(&input->seen[0]);
}

#define SHORTEST_CUT 3

/* Returns the only event whose label begins with the last word of a line, or NULL. */
static const perf_seen_event *event_cut_at(const perf_prelude *input, brz_str line, size_t at)
{
    const perf_seen_event *found = NULL;
    brz_str word = brz_str_from(line, at);
    for (uint32_t i = 0; i < input->n_seen && word.len >= SHORTEST_CUT; i++) {
        if (!brz_starts_with(input->seen[i].label, word))
            continue;
        if (found != NULL)
            return NULL;
        found = &input->seen[i];
    }
    return found;
}

bool event_weight_in(const perf_prelude *input, brz_str line, int64_t *weight)
{
    for (uint32_t i = 0; i < input->n_seen; i++) {
        const perf_seen_event *event = &input->seen[i];
        size_t at = find_label(line, event->label);
        if (at != SIZE_MAX)
            return weigh(input, event, brz_str_of(line.data, at), weight);
    }
    brz_str text = brz_trim_end(line);
    size_t last = word_last(text);
    const perf_seen_event *cut = event_cut_at(input, text, last);
    if (cut != NULL && last > 0)
        return weigh(input, cut, brz_str_of(text.data, last), weight);
    return weigh_after_time(input, line, weight);
}

bool event_weight_of(const perf_prelude *input, const perf_seen_event *seen,
                     const event_line *event, int64_t *weight)
{
    *weight = event->has_period ? event->period : 1;
    if (!event->has_period && event->label.len > 0 && brz_is_digit(event->label.data[0]))
        return false; /* the period is joined with the event */
    return (event->has_period || seen->periods == 0) && is_first_or_other(input, seen, weight);
}

brz_str event_after_name(const perf_prelude *input, brz_str line)
{
    for (uint32_t i = 0; i < input->n_seen; i++) {
        size_t at = find_label(line, input->seen[i].label);
        if (at != SIZE_MAX)
            return brz_str_from(line, at + input->seen[i].label.len);
    }
    return brz_str_of(NULL, 0);
}
