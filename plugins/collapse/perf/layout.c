/* SPDX-License-Identifier: MIT */
/* Finds the fields and the events of the input's first event lines, and recognises event lines that
 * differ from them because a byte is damaged.
 */
#include "reader.h"
#include "../../common/names/event_name.h"

#include <brazier/symbol.h>

#include <string.h>

/* Number of event lines that show which fields the input has. */
#define FIRST_EVENT_LINES 64

/* The event lines that have a field, and all. */
typedef struct field_count {
    uint32_t lines, names, ids, times, events, periods;
} field_count;

/* The lines that are stacks, those that are a part of one, and event lines without a stack. */
typedef struct shape_count {
    uint32_t flat, parts, events, sources;
} shape_count;

/* Returns whether two thirds of the lines, and at least two, have a field. */
static bool is_usual(uint32_t with, uint32_t lines)
{
    return with >= 2 && 3 * with >= 2 * lines;
}

static const perf_seen_event *find_event(const perf_prelude *input, brz_str label)
{
    for (uint32_t i = 0; i < input->n_seen; i++)
        if (brz_str_equal(input->seen[i].label, label))
            return &input->seen[i];
    return NULL;
}

static void count_event(perf_prelude *found, brz_ctx *ctx, const event_line *event)
{
    const perf_seen_event *known = find_event(found, event->label);
    uint32_t i = known != NULL ? (uint32_t)(known - found->seen) : found->n_seen;
    if (event->label.len == 0 || i == SEEN_EVENTS)
        return;
    if (known == NULL) {
        found->seen[i].label = brz_text_keep(ctx, event->label);
        found->seen[i].event = brz_str_of(found->seen[i].label.data, event->event.len);
        found->n_seen++;
    }
    found->seen[i].lines++;
    found->seen[i].periods += event->has_period;
}

/* Returns whether an event is a raw one: "r1a8:" or "r1a8:u:". */
static bool is_raw(brz_str label)
{
    size_t n = 1;
    while (n < label.len && brz_is_hex(label.data[n]))
        n++;
    return label.data[0] == 'r' && n > 1 && (n == label.len || label.data[n] == ':');
}

/* Returns whether two bytes are digits of the number that names a raw event or a breakpoint. */
static bool are_digits_of_number(brz_str label, char a, char b)
{
    bool has_number = is_raw(label) || brz_str_find(label, BRZ_STR("0x"), 0) != SIZE_MAX;
    return (brz_is_digit(a) && brz_is_digit(b)) || (has_number && brz_is_hex(a) && brz_is_hex(b));
}

/* Returns whether texts of the same length differ in one byte. */
static bool differ_in_a_byte(brz_str a, brz_str b)
{
    size_t at = 0;
    while (at < a.len && a.data[at] == b.data[at])
        at++;
    return at < a.len && memcmp(a.data + at + 1, b.data + at + 1, a.len - at - 1) == 0 &&
           !are_digits_of_number(a, a.data[at], b.data[at]);
}

/* Returns whether a label is an event from `at` on, perhaps with modifiers, and a colon. */
static bool is_event_from(brz_str label, size_t at, brz_str event)
{
    if (label.len < at + 2)
        return false;
    brz_str name = brz_str_of(label.data + at, label.len - at - 1);
    return brz_str_equal(event_without_modifiers(name), event);
}

/* Returns whether a label is a period and a byte, instead of a blank, in front of an event. The
 * byte may be a digit, too. */
static bool is_joined_to_period(brz_str label, brz_str event)
{
    size_t digits = 0;
    while (digits < label.len && brz_is_digit(label.data[digits]))
        digits++;
    return (digits > 0 && is_event_from(label, digits + 1, event)) ||
           (digits > 1 && is_event_from(label, digits, event));
}

/* The most modifiers that an event has, with the two colons around them. */
#define LONGEST_MODIFIERS 8

/* Returns whether a label is that of an event with modifiers, one of which perf does not know, or
 * with another byte in place of the colon in front of them. */
static bool has_odd_modifiers(brz_str label, const perf_seen_event *seen)
{
    brz_str event = seen->event;
    if (label.len <= event.len + 2 || label.len > event.len + LONGEST_MODIFIERS ||
        !brz_starts_with(label, event))
        return false;
    if (label.data[event.len] == ':')
        return event_without_modifiers(brz_str_of(label.data, label.len - 1)).len == label.len - 1;
    for (size_t i = event.len + 1; i + 1 < label.len; i++)
        if (label.data[i] == 0 || strchr("ukhGHIpPSDWeb", label.data[i]) == NULL)
            return false;
    return true;
}

/* Returns whether a label is that of a tracepoint up to the colon within, after which the line is
 * divided. */
static bool is_cut(brz_str label, const perf_seen_event *seen)
{
    return label.len <= seen->event.len && brz_starts_with(seen->event, label);
}

/* Returns whether a name lacks a byte of an event that is no digit. */
static bool lacks_a_byte(brz_str name, brz_str event)
{
    size_t at = 0;
    if (name.len + 1 != event.len)
        return false;
    while (at < name.len && name.data[at] == event.data[at])
        at++;
    return memcmp(name.data + at, event.data + at + 1, name.len - at) == 0 &&
           !are_digits_of_number(event, event.data[at], event.data[at]);
}

/* Returns whether a label is that of an event after damage to one byte. A blank in its place makes
 * it shorter, and a colon in place of the blank after it longer. */
static bool is_damaged_from(brz_str label, const perf_seen_event *seen)
{
    brz_str event = seen->label;
    if (label.len == event.len)
        return differ_in_a_byte(label, event);
    if (lacks_a_byte(label, event))
        return true;
    if (label.len == event.len + 1 && brz_starts_with(label, event))
        return true;
    brz_str name = event_without_modifiers(brz_str_of(label.data, label.len - 1));
    return (name.len == seen->event.len && differ_in_a_byte(name, seen->event)) ||
           lacks_a_byte(name, seen->event) || is_cut(label, seen) ||
           is_joined_to_period(label, seen->event) || has_odd_modifiers(label, seen);
}

/* Returns whether the label and the text after it are that of an event with a blank in it, which is
 * after a colon. */
static bool is_divided(const event_line *line, brz_str event)
{
    brz_str label = line->label, rest = line->rest;
    if (label.len + 1 >= event.len || !brz_starts_with(event, label) ||
        rest.data != label.data + label.len + 1)
        return false;
    return brz_starts_with(rest, brz_str_from(event, label.len + 1));
}

/* Shorter names differ in a byte without damage. */
#define SHORTEST_LABEL 5

static const perf_seen_event *find_undamaged(const perf_prelude *input, brz_str label)
{
    if (label.len < SHORTEST_LABEL)
        return NULL;
    for (uint32_t i = 0; i < input->n_seen; i++)
        if (input->seen[i].lines > 1 && is_damaged_from(label, &input->seen[i]))
            return &input->seen[i];
    return NULL;
}

/* Counts events as repeated that the lines after the first ones name again. */
static void count_later(perf_prelude *found, brz_str text)
{
    for (uint32_t i = 0; i < found->n_seen; i++) {
        perf_seen_event *event = &found->seen[i];
        bool is_suspect = event->lines == 1 && find_undamaged(found, event->label) != NULL;
        if (is_suspect && brz_str_find(text, event->label, 0) != SIZE_MAX)
            event->is_repeated = true;
    }
}

/* Counts one of the first lines by its shape. */
static void count_shape(shape_count *n, brz_str line, bool is_event, const event_line *event)
{
    frame_line frame;
    event_line flat;
    brz_str file;
    uint32_t number;
    if (line.len == 0 || line_is_aside(line))
        return;
    bool has_stack = is_event && (frame_line_parse_after_payload(event->rest, &frame) ||
                                  frame_line_parse_in_line(event->rest, &frame));
    n->flat +=
        has_stack || (!is_event && line.data[0] != '\t' && event_line_parse_flat(line, &flat));
    n->sources += source_line_parse(line, &file, &number);
    n->parts += line.data[0] == '\t';
    n->events += is_event && !has_stack;
}

void layout_find(perf_prelude *found, brz_ctx *ctx, brz_str text)
{
    field_count n = {0};
    shape_count shapes = {0};
    stack_ends ends = {0};
    brz_str line;
    event_line event;
    while (n.lines < FIRST_EVENT_LINES && shapes.flat < FIRST_EVENT_LINES &&
           brz_take_line(&text, &line)) {
        line = brz_trim_end(line);
        bool is_event = line_begins_sample(line, NOT_FLAT, &event);
        stack_ends_take(&ends, found, ctx, line, is_event);
        count_shape(&shapes, line, is_event, &event);
        if (!is_event || event_is_damaged_record(&event))
            continue;
        n.lines++;
        n.names += event.comm.len > 0 && !event_hides_time(&event);
        n.ids += event.pid.len > 0 || event.tid.len > 0;
        n.times += event.has_time || event.has_date;
        n.events += event.label.len > 0;
        n.periods += event.label.len > 0 && event.has_period;
        if (!event_hides_time(&event))
            count_event(found, ctx, &event);
    }
    found->has_sources = shapes.sources > 0;
    found->has_parts = shapes.parts > shapes.flat;
    found->is_flat = shapes.flat > 0 && shapes.parts == 0 && shapes.events == 0;
    found->has_names = 3 * n.names >= 2 * n.lines || (n.lines == 2 && n.names == 1);
    found->has_ids = 3 * n.ids > 2 * n.lines;
    found->has_times = is_usual(n.times, n.lines);
    found->some_times = n.times > 0;
    found->has_events = is_usual(n.events, n.lines);
    found->has_periods = is_usual(n.periods, n.events);
    for (uint32_t i = 0; i < found->n_seen; i++)
        found->seen[i].is_repeated = found->seen[i].lines > 1;
    count_later(found, text);
}

/* Returns whether a text has a word. */
static bool has_word(brz_str text, brz_str word)
{
    size_t at = brz_str_find(text, word, 0);
    return at != SIZE_MAX && at > 0 && brz_is_blank(text.data[at - 1]);
}

bool layout_has_two_events(const perf_prelude *input, const event_line *event)
{
    if (event->label.len < SHORTEST_LABEL || event->rest.len < event->label.len)
        return false;
    for (uint32_t i = 0; i < input->n_seen; i++)
        if (has_word(event->rest, input->seen[i].label) &&
            (input->seen[i].lines > 1 || event_is_like(event->rest)))
            return true;
    return has_word(event->rest, event->label) || event_has_other_after(event->rest);
}

bool layout_lacks_field(const perf_prelude *input, brz_str line, const event_line *event)
{
    bool has_ids = event->pid.len > 0 || event->tid.len > 0;
    bool has_time = event->has_time || event->has_date;
    bool has_name = event->comm.len > 0 || (has_time && brz_is_blank(line.data[0]));
    if ((input->has_times && !has_time) || (input->has_ids && !has_ids) ||
        (input->has_events && event->label.len == 0) || (input->has_names && !has_name))
        return true;
    if (input->some_times && event_hides_time(event))
        return true;
    if (event->has_period || event->label.len == 0)
        return false;
    const perf_seen_event *known = find_event(input, event->label);
    return known != NULL && known->periods > 0 &&
           (input->has_periods || 3 * known->periods >= 2 * known->lines);
}

bool layout_names(const perf_prelude *input, brz_str label)
{
    return find_event(input, label) != NULL;
}

bool layout_repeats(const perf_prelude *input, brz_str label)
{
    const perf_seen_event *known = find_event(input, label);
    return known != NULL && known->is_repeated;
}

const perf_seen_event *layout_undamaged(const perf_prelude *input, const event_line *event)
{
    for (uint32_t i = 0; i < input->n_seen; i++)
        if (input->seen[i].lines > 1 && is_divided(event, input->seen[i].label))
            return &input->seen[i];
    for (uint32_t i = 0; i < input->n_seen; i++)
        if (is_joined_to_period(event->label, input->seen[i].event))
            return &input->seen[i];
    return layout_repeats(input, event->label) ? NULL : find_undamaged(input, event->label);
}
