/* SPDX-License-Identifier: MIT */
/* Collapses the text output of `perf script`.
 *
 *     input   := (comment | blank | sample)*
 *     sample  := event-line (stack-line [source-line])* blank | event-line with a stack line in it
 *     comment := "#" ...
 *
 * event_line.c, event_guess.c and frame_line.c parse lines, records.c finds boundaries of samples,
 * frame_name.c converts symbols to names; events.c and symbols.c cache the results. sample.c reads
 * any sample line by line, fast_path.c is a fast path for most stacks. switches.c finds switches
 * and wake-ups of threads among the samples, side_records.c those between them; off_cpu.c measures
 * the time between switches.
 */
#include "address_columns.h"
#include "reader.h"
#include "../../common/shipped.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include <string.h>

static perf_flat flat_of(const perf_prelude *input)
{
    return input->event_lines ? NOT_FLAT : input->has_parts ? FLAT_WITH_NAME : FLAT;
}

/* ---- lines --------------------------------------------------------------------------------- */

static void report(brz_ctx *ctx, const char *code, brz_str line, brz_str msg)
{
    brz_report(ctx, BRZ_WARNING, code, line.data, line.len, msg);
}

/* Reports a sample that is left out, with its weight if that is known. A line at which the input
 * breaks off may be one of any event. */
static void report_sample(perf *p, brz_ctx *ctx, const char *code, brz_str where, brz_str msg)
{
    int64_t weight;
    bool is_of_any = p->is_cut && event_after_name(p->prelude, where).data == NULL;
    if (!is_of_any && event_weight_in(p->prelude, where, &weight))
        brz_report_lost_weight(ctx, code, where.data, where.len, msg, weight);
    else
        brz_report_lost(ctx, code, where.data, where.len, msg);
}

/* Returns whether a line that is no event line is a damaged one, and no damaged PERF_RECORD line.
 */
static bool is_damaged_event_line(const perf *p, brz_str line)
{
    if (brz_str_find(line, BRZ_STR("RECORD"), 0) != SIZE_MAX ||
        brz_str_find(line, BRZ_STR("PERF_"), 0) != SIZE_MAX || event_is_part_of_record(line))
        return false;
    return event_is_like(line) || event_is_front(line) ||
           event_after_name(p->prelude, line).data != NULL;
}

/* Returns whether an indented line is one with a source below a stack line. */
static bool is_source(brz_str line)
{
    brz_str file;
    uint32_t number;
    return source_line_parse(line, &file, &number);
}

/* Reports a line that is no event line. */
static void report_event_line(perf *p, brz_ctx *ctx, brz_str line)
{
    static const char code[] = "perf.event-line";
    brz_str msg = BRZ_STR("not an event line of perf script: left out");
    if (is_damaged_event_line(p, line))
        report_sample(p, ctx, code, line, msg);
    else
        report(ctx, code, line, msg);
}

static void drop_pending(perf *p, brz_ctx *ctx)
{
    if (p->pending.data == NULL)
        return;
    report_event_line(p, ctx, p->pending);
    p->pending.data = NULL;
}

static brz_rc end_sample(perf *p, brz_ctx *ctx)
{
    drop_pending(p, ctx);
    p->at_start = false;
    return sample_end(p, ctx);
}

static bool stack_in_line(brz_str text, frame_line *line)
{
    return frame_line_parse_after_payload(text, line) || frame_line_parse_in_line(text, line);
}

static void take_one_line_stack(perf *p, brz_ctx *ctx, const frame_line *line)
{
    sample_frame(p, ctx, line);
    if (p->has_second)
        report(ctx, "perf.joined-lines", line->symbol, BRZ_STR("two lines in one: left out"));
    p->one_line = true;
}

/* Returns whether the next line is a stack line: then the current one has no stack in it, whatever
 * its payload looks like. A chunk never ends between the two. */
static bool stack_follows(const perf *p)
{
    brz_str next = brz_lines_rest(&p->lines);
    return next.len > 18 && next.data[0] == '\t' && next.data[17] == ' ' &&
           memchr(next.data, '\n', 17) == NULL;
}

/* Recognises a stack line after the event of an event line, which lost its line end. */
static bool frame_is_joined(brz_str text, const event_line *event, frame_line *line)
{
    const char *tab = brz_rfind(text, '\t');
    if (tab == NULL || event->label.len == 0 || tab < event->label.data + event->label.len)
        return false;
    brz_str frame = brz_str_from(text, (size_t)(tab - text.data));
    return frame.len > 18 && frame.data[17] == ' ' && frame_line_parse(frame, line);
}

/* Takes the first frame of a sample from its event line. */
static void take_joined_frame(perf *p, brz_ctx *ctx, brz_str text, const frame_line *line)
{
    report(ctx, "perf.joined-frame", text,
           BRZ_STR("an event line and a stack line in one: they are read apart"));
    sample_frame(p, ctx, line);
}

/* Ignores the lines of a sample whose event line cannot be read. */
static void skip_sample(perf *p)
{
    p->pending.data = NULL;
    p->at_start = false;
    p->state = LEFT_OUT;
}

/* Leaves out a sample whose event line cannot be read. */
static void leave_out_sample(perf *p, brz_ctx *ctx, const char *code, brz_str where, brz_str msg)
{
    report_sample(p, ctx, code, where, msg);
    skip_sample(p);
    p->skips_bad = true;
}

/* Reports a sample whose event is the name of another one with a damaged byte. */
static void report_damaged_name(perf *p, brz_ctx *ctx, brz_str text, const event_line *event,
                                const perf_seen_event *undamaged)
{
    brz_diag d = brz_diag_of(BRZ_WARNING, "perf.event-name", text.data, text.len,
                             BRZ_STR("event that differs in one byte from that of other lines: "
                                     "sample left out (event-filter or event=all counts it)"));
    d.records = 1;
    d.weighed = event_weight_of(p->prelude, undamaged, event, &d.missing);
    ctx->host->diag(ctx, &d);
}

/* Reports two samples whose event lines are one line, the second one in `rest`. */
static void report_joined(perf *p, brz_ctx *ctx, brz_str text, brz_str rest)
{
    brz_diag d = brz_diag_of(BRZ_WARNING, "perf.event-line", text.data, text.len,
                             BRZ_STR("two event lines in one: both samples left out"));
    int64_t first, second;
    d.records = 2;
    if (event_weight_in(p->prelude, text, &first) && event_weight_in(p->prelude, rest, &second) &&
        !__builtin_add_overflow(first, second, &d.missing))
        d.weighed = 2;
    ctx->host->diag(ctx, &d);
}

/* Leaves out a sample whose event line is damaged. Returns false if it is not. */
static bool leave_out_damaged(perf *p, brz_ctx *ctx, brz_str text, const event_line *event)
{
    brz_str after = event_after_name(p->prelude, text);
    bool lacks_name = event->label.len == 0 && after.data != NULL;
    if (lacks_name || layout_lacks_field(p->prelude, text, event)) {
        if (event_after_name(p->prelude, after).data != NULL) {
            report_joined(p, ctx, text, after);
            skip_sample(p);
            return true;
        }
        leave_out_sample(p, ctx, "perf.event-line", text,
                         BRZ_STR("event line without the fields of the others: sample left out"));
        return true;
    }
    if (layout_has_two_events(p->prelude, event)) {
        report_joined(p, ctx, text, event->rest);
        skip_sample(p);
        return true;
    }
    const perf_seen_event *other = layout_undamaged(p->prelude, event);
    if (other == NULL || event_is_chosen(p, event))
        return false;
    report_damaged_name(p, ctx, text, event, other);
    skip_sample(p);
    return true;
}

static brz_rc begin_sample(perf *p, brz_ctx *ctx, brz_str text, const event_line *event)
{
    stack_ends_check(p, false);
    brz_rc rc = end_sample(p, ctx);
    if (rc != BRZ_OK)
        return rc;
    if (event_is_damaged_record(event)) {
        report(ctx, "perf.record", text, BRZ_STR("a damaged line between samples: left out"));
        return BRZ_OK;
    }
    if (leave_out_damaged(p, ctx, text, event))
        return BRZ_OK;
    sample_begin(p, ctx, event);
    frame_line line;
    p->payload = event->rest.len > 0;
    bool follows = p->payload && stack_follows(p);
    if (follows && frame_is_joined(text, event, &line))
        take_joined_frame(p, ctx, text, &line);
    else if (p->payload && !follows && stack_in_line(event->rest, &line))
        take_one_line_stack(p, ctx, &line);
    else if (!p->off.is_on)
        fast_path_take_stack(p, ctx, &rc);
    return rc;
}

/* Reports a stack line outside of a sample. The first one of several counts as a
 * sample that is left out. */
static void report_lost_line(perf *p, brz_ctx *ctx, brz_str line)
{
    static const char code[] = "perf.lost-stack-line";
    brz_str msg = BRZ_STR("stack line outside of a sample: left out");
    bool is_known = is_stack_columns(line) && event_weighs_one(p->prelude);
    if (p->lost)
        report(ctx, code, line, msg);
    else if (is_known || is_damaged_event_line(p, line))
        report_sample(p, ctx, code, line, msg);
    else /* it may be the rest of a stack that is divided */
        brz_report_lost(ctx, code, line.data, line.len, msg);
    p->lost = true;
}

/* Begins a sample with the line above it. A number in it may be a time that is cut off. */
static void begin_guessed(perf *p, brz_ctx *ctx)
{
    event_line event;
    event_line_guess(p->pending, &event);
    if (event.has_period && p->prelude->some_times) {
        leave_out_sample(p, ctx, "perf.event-line", p->pending,
                         BRZ_STR("event line without the fields of the others: sample left out"));
        return;
    }
    p->pending.data = NULL;
    sample_begin(p, ctx, &event);
}

/* Handles a stack line outside of a sample: its event line is the line before it, or missing. */
static void begin_with_frame(perf *p, brz_ctx *ctx, brz_str line)
{
    bool odd = p->prelude->event_lines;
    if (odd && p->pending.data != NULL && is_damaged_event_line(p, p->pending)) {
        leave_out_sample(p, ctx, "perf.event-line", p->pending,
                         BRZ_STR("event line without the fields of the others: sample left out"));
    } else if (odd && p->prelude->periods && (p->pending.data != NULL || p->at_start)) {
        leave_out_sample(p, ctx, "perf.no-period", p->pending.data != NULL ? p->pending : line,
                         BRZ_STR("stack without an event line that tells its period: left out"));
    } else if (odd && p->pending.data != NULL) {
        report(ctx, "perf.odd-event-line", p->pending,
               BRZ_STR("not an event line: the stack below is counted under [unknown]"));
        p->pending.data = NULL;
        sample_begin_orphan(p, ctx);
    } else if (p->pending.data != NULL) {
        begin_guessed(p, ctx);
    } else if (p->at_start || !(odd || p->prelude->has_times || p->prelude->has_headers)) {
        if (odd)
            report(ctx, "perf.no-event-line", line,
                   BRZ_STR("stack without an event line: counted under [unknown]"));
        sample_begin_orphan(p, ctx);
    } else {
        report_lost_line(p, ctx, line);
    }
}

/* Returns whether a line is the last one of a payload of several lines, followed by a stack. */
static bool ends_payload(const perf *p, brz_str line, frame_line *frame)
{
    return p->payload && p->body.n == 0 && !brz_is_blank(line.data[0]) &&
           frame_line_parse_after_payload(line, frame);
}

/* Returns whether a line is an event line with a byte in front of it that makes it an indented one.
 */
static bool is_shifted(const perf *p, brz_str line, event_line *event)
{
    return line.data[0] == '\t' && event_line_parse(brz_trim(line), event) && event->has_time &&
           layout_names(p->prelude, event->label);
}

/* Ends a sample in front of a damaged event line, whose sample is left out. */
static brz_rc take_damaged_event_line(perf *p, brz_ctx *ctx, brz_str line)
{
    brz_rc rc = end_sample(p, ctx);
    leave_out_sample(p, ctx, "perf.event-line", line,
                     BRZ_STR("event line without the fields of the others: sample left out"));
    return rc;
}

/* Handles a line of a sample that is no stack line. At the margin, it is a damaged event line if it
 * has ids and a time, or ends after ids. */
static brz_rc take_odd_line(perf *p, brz_ctx *ctx, brz_str line)
{
    event_line event;
    if (is_shifted(p, line, &event))
        return begin_sample(p, ctx, brz_trim(line), &event);
    if (!brz_is_blank(line.data[0]) && p->body.n > 0 &&
        (event_is_like(line) || event_is_front(line)))
        return take_damaged_event_line(p, ctx, line);
    report(ctx, "perf.stack-line", line,
           BRZ_STR("not a stack line of perf script: frame left out"));
    return BRZ_OK;
}

/* Returns whether a symbol has blanks alone: its line is a part of one. perf prints no symbol at
 * all where it knows none. */
static bool is_blank(brz_str symbol)
{
    return symbol.len > 0 && brz_trim(symbol).len == 0;
}

/* Returns whether a stack line has a symbol, or an address alone in front of its module. */
static inline bool has_address(const frame_line *frame)
{
    brz_str symbol = frame->symbol;
    return symbol.len != 1 || !brz_is_blank(symbol.data[0]) ||
           brz_all_hex(frame->address.data, frame->address.len);
}

/* Returns whether a line in a sample is an event line, although it has the form of a stack line. */
static bool is_indented_event_line(const perf *p, brz_str line)
{
    return line.data[0] == ' ' && p->prelude->event_lines && is_damaged_event_line(p, line);
}

static inline brz_rc take_counted_line(perf *p, brz_ctx *ctx, brz_str line)
{
    frame_line frame;
    brz_str file;
    uint32_t number;
    if (source_line_parse(line, &file, &number))
        sample_source(p, ctx, brz_trim(line), file, number);
    else if (ends_payload(p, line, &frame))
        take_one_line_stack(p, ctx, &frame);
    else if (line.data[0] != '\t' && extra_line_is(line))
        return BRZ_OK;
    else if (is_indented_event_line(p, line))
        return take_damaged_event_line(p, ctx, line);
    else if (frame_line_parse(line, &frame) && has_address(&frame))
        sample_frame(p, ctx, &frame);
    else
        return take_odd_line(p, ctx, line);
    return BRZ_OK;
}

/* Returns the stack line after another line, whose line break is damaged, or an empty text. */
static brz_str second_frame(brz_str line)
{
    const char *tab = brz_rfind(line, '\t');
    brz_str frame = brz_str_from(line, tab == NULL ? line.len : (size_t)(tab - line.data));
    return brz_str_of(frame.data, frame.len < line.len && is_stack_columns(frame) ? frame.len : 0);
}

/* Takes two lines of a stack that are one line, which may have a byte in the place of the line
 * break. */
static brz_rc take_joined_lines(perf *p, brz_ctx *ctx, brz_str line, brz_str second)
{
    brz_str first = brz_str_of(line.data, line.len - second.len);
    first.len -=
        first.len > 2 && first.data[first.len - 1] != ')' && first.data[first.len - 2] == ')';
    report(ctx, "perf.joined-lines", line, BRZ_STR("two lines in one: they are read apart"));
    brz_rc rc = line_is_aside(first) ? BRZ_OK : take_counted_line(p, ctx, first);
    return rc == BRZ_OK ? take_counted_line(p, ctx, second) : rc;
}

static brz_rc take_sample_line(perf *p, brz_ctx *ctx, brz_str line)
{
    event_line event;
    if (p->state == LEFT_OUT && p->skips_bad && line.data[0] != '\t' && event_is_like(line))
        return take_damaged_event_line(p, ctx, line);
    if (p->state == LEFT_OUT) {
        bool ends_in_event = line.data[line.len - 1] == ':' && is_shifted(p, line, &event);
        return ends_in_event ? begin_sample(p, ctx, brz_trim(line), &event) : BRZ_OK;
    }
    brz_str second = line.data[0] == '\t' ? BRZ_STR("") : second_frame(line);
    if (second.len > 0)
        return take_joined_lines(p, ctx, line, second);
    brz_rc rc = take_counted_line(p, ctx, line);
    return rc == BRZ_OK && p->has_second ? take_joined_lines(p, ctx, line, second_frame(line)) : rc;
}

/* Handles a line that is no stack, although the others are: a damaged stack, or the source of one.
 */
static void take_odd_one_line(perf *p, brz_ctx *ctx, brz_str line)
{
    bool is_deep = line.len > 2 && brz_is_blank(line.data[2]);
    if (p->prelude->has_sources && !is_deep && !is_damaged_event_line(p, line))
        report(ctx, "perf.source-line", line, BRZ_STR("not the source of a stack line: left out"));
    else
        report_sample(p, ctx, "perf.one-line", line,
                      BRZ_STR("not a stack of one line, unlike others: left out"));
}

/* Takes a stack line and the line above it, which are one line: they may have a byte in the place
 * of the line break. */
static void take_joined_header(perf *p, brz_ctx *ctx, brz_str line, brz_str second)
{
    frame_line frame;
    brz_str first = brz_str_of(line.data, line.len - second.len);
    char last = first.data[first.len - 1];
    first.len -= first.len > 1 && last > ' ' && strchr("#;@", last) != NULL;
    report(ctx, "perf.joined-lines", line, BRZ_STR("two lines in one: they are read apart"));
    drop_pending(p, ctx);
    p->pending = first;
    begin_with_frame(p, ctx, second);
    if (p->state != OUTSIDE && frame_line_parse(second, &frame))
        sample_frame(p, ctx, &frame);
}

static brz_rc take_outside_line(perf *p, brz_ctx *ctx, brz_str line)
{
    frame_line frame;
    event_line event;
    bool indented = brz_is_blank(line.data[0]);
    if (p->prelude->is_flat) {
        if (!is_source(line)) /* of a stack that is left out */
            take_odd_one_line(p, ctx, line);
        return BRZ_OK;
    }
    bool has_numbers =
        !p->prelude->event_lines && line.data[0] == ' ' && event_line_is_numbers(line);
    if (line.data[0] == ' ' && !has_numbers && (event_is_like(line) || event_is_front(line))) {
        drop_pending(p, ctx);
        leave_out_sample(p, ctx, "perf.event-line", line,
                         BRZ_STR("not an event line of perf script: left out"));
        return BRZ_OK;
    }
    if (indented && !has_numbers && frame_line_parse(line, &frame) && !is_blank(frame.symbol)) {
        begin_with_frame(p, ctx, line);
        if (p->state == OUTSIDE)
            return BRZ_OK;
        sample_frame(p, ctx, &frame);
        return p->has_second ? take_joined_lines(p, ctx, line, second_frame(line)) : BRZ_OK;
    }
    if (is_shifted(p, line, &event))
        return begin_sample(p, ctx, brz_trim(line), &event);
    brz_str second = second_frame(line);
    if (second.len > 0) {
        take_joined_header(p, ctx, line, second);
        return BRZ_OK;
    }
    bool is_rest_of_line = p->pending.data != NULL && is_damaged_event_line(p, p->pending);
    drop_pending(p, ctx);
    if (is_rest_of_line)
        skip_sample(p);
    else if (line.data[0] == ' ' && p->prelude->event_lines && !is_source(line))
        leave_out_sample(p, ctx, "perf.event-line", line,
                         BRZ_STR("not an event line of perf script: left out"));
    else if (indented && p->prelude->event_lines)
        report_event_line(p, ctx, line);
    else
        p->pending = line;
    return BRZ_OK;
}

/* Ends a sample whose stack is on the event line, unless a source line follows. */
static brz_rc end_one_line_sample(perf *p, brz_ctx *ctx, brz_str line)
{
    brz_str file;
    uint32_t number;
    if (!p->one_line || source_line_parse(line, &file, &number))
        return BRZ_OK;
    return end_sample(p, ctx);
}

/* Returns whether a comment is an event line: its '#' was the blank line or a blank before it. */
static bool hides_event_line(const perf *p, brz_str line)
{
    event_line event;
    if (line.data[0] != '#' || !event_line_parse(brz_str_from(line, 1), &event))
        return false;
    if (event.label.len == 0)
        return event.has_time && event.rest.len == 0 && p->prelude->has_times &&
               !p->prelude->has_events;
    return (event.has_time || p->state != OUTSIDE) && layout_names(p->prelude, event.label);
}

/* Returns whether a comment in a sample is a stack line: its '#' was the tab. */
static bool hides_frame(const perf *p, brz_str line)
{
    return line.data[0] == '#' && p->state == COUNTING && is_stack_columns(line);
}

/* Leaves out the sample whose event line is a comment, and ends the one above it. */
static brz_rc leave_out_hidden(perf *p, brz_ctx *ctx, brz_str line)
{
    brz_rc rc = end_sample(p, ctx);
    if (rc == BRZ_OK)
        leave_out_sample(p, ctx, "perf.event-line", line,
                         BRZ_STR("event line after '#': the sample is left out"));
    return rc;
}

/* Handles a line of any type. */
static brz_rc take_line(perf *p, brz_ctx *ctx, brz_str line)
{
    event_line event;
    line = brz_trim_end(line);
    if (line.len == 0)
        return end_sample(p, ctx);
    if (hides_event_line(p, line))
        return leave_out_hidden(p, ctx, line);
    if (hides_frame(p, line))
        return take_odd_line(p, ctx, line);
    if (line.data[0] == '#' && p->state == COUNTING && second_frame(line).len > 0)
        return take_joined_lines(p, ctx, line, second_frame(line));
    if (line_is_aside(line))
        return p->off.is_on ? side_record_take(p, ctx, line) : BRZ_OK;
    brz_rc rc = end_one_line_sample(p, ctx, line);
    if (rc != BRZ_OK)
        return rc;
    if (line_begins_sample(line, flat_of(p->prelude), &event))
        return begin_sample(p, ctx, line, &event);
    return p->state != OUTSIDE ? take_sample_line(p, ctx, line) : take_outside_line(p, ctx, line);
}

/* Skips further empty lines after an empty line. */
static brz_rc take_empty_lines(perf *p, brz_ctx *ctx)
{
    brz_lines_skip_empty(&p->lines);
    return end_sample(p, ctx);
}

/* Returns whether a sample that begins here can be read on the fast path. */
static inline bool may_be_fast(const perf *p)
{
    return !p->needs_places && !p->off.is_on && p->state == OUTSIDE && p->pending.data == NULL;
}

/* Handles the lines of a text one by one. A known event line is read faster, too. */
static brz_rc take_lines(perf *p, brz_ctx *ctx, brz_str text)
{
    brz_str line;
    brz_rc rc = BRZ_OK;
    brz_lines_start(&p->lines, (const uint8_t *)text.data, text.len);
    while (rc == BRZ_OK && brz_lines_next(&p->lines, &line)) {
        if (may_be_fast(p) && event_begin_known(p, line)) {
            sample_continue(p);
            fast_path_take_stack(p, ctx, &rc);
        } else {
            rc = line.len == 0 ? take_empty_lines(p, ctx) : take_line(p, ctx, line);
        }
    }
    return rc;
}

/* Handles the samples of a chunk. Nearly all of them are read on the fast path. */
static brz_rc take_samples(perf *p, brz_ctx *ctx, const brz_chunk *chunk, size_t n)
{
    const char *at = (const char *)chunk->data, *end = at + n;
    brz_rc rc = BRZ_OK;
    p->chunk++; /* invalidates pointers into the previous chunk */
    p->fast_path_from = chunk->data;
    brz_lines_start(&p->lines, chunk->data + n, 0);
    while (rc == BRZ_OK && at < end) {
        const char *stop;
        if (may_be_fast(p)) {
            at = fast_path_take_samples(p, ctx, brz_str_of(at, (size_t)(end - at)), &stop, &rc);
            sample_continue(p); /* for a sample of which only the event line was read */
        } else {
            stop = p->blank_line(at, end, p->newlines);
        }
        if (rc == BRZ_OK && at < stop)
            rc = take_lines(p, ctx, brz_str_of(at, (size_t)(stop - at)));
        at = stop;
    }
    return rc == BRZ_OK ? fast_path_count_pending(p, ctx) : rc;
}

/* ---- entry points -------------------------------------------------------------------------- */

/* Uses a line with an event, but neither ids nor a time, unless an event is known. */
static void take_lone_event(perf_prelude *found, brz_ctx *ctx, brz_str line)
{
    event_line event;
    line = brz_trim_end(line);
    if (found->event.len > 0 || line.len == 0 || brz_is_blank(line.data[0]) || line_is_aside(line))
        return;
    event_line_guess(line, &event);
    if (event.label.len > 0)
        found->event = brz_text_keep(ctx, event.event);
}

/* Uses a line until the event is known. The first line that names its event shows it; any one
 * before it shows whether there are periods. */
static void take_first_line(perf_prelude *found, brz_ctx *ctx, brz_str line)
{
    event_line event;
    if (!line_begins_sample(brz_trim_end(line), NOT_FLAT, &event)) {
        take_lone_event(found, ctx, line);
        return;
    }
    if (event_is_damaged_record(&event) || layout_lacks_field(found, line, &event) ||
        layout_undamaged(found, &event) != NULL)
        return;
    found->periods = event.has_period;
    found->event_lines = event.label.len > 0;
    if (found->event_lines)
        found->event = brz_text_keep(ctx, event.event);
}

/* Reads the first event lines. */
static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **prelude_data)
{
    perf_prelude *found = ctx->host->alloc(ctx, sizeof *found, 0);
    brz_str text = brz_str_of((const char *)chunk->data, chunk->len), line;
    const perf_options *options = ctx->cfg;
    *used = 0;
    *prelude_data = found;
    if (off_cpu_needs_order(&options->off))
        ctx->host->in_order(ctx);
    layout_find(found, ctx, text);
    if (options->weight_field.count > 0)
        fields_find(found, ctx, text);
    while (!found->event_lines && brz_take_line(&text, &line))
        take_first_line(found, ctx, line);
    return BRZ_OK;
}

static size_t boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from)
{
    const perf_prelude *found = prelude_data;
    return next_boundary(buf, n, from, flat_of(found));
}

static brz_rc open_instance(brz_ctx *ctx)
{
    perf *p = ctx->inst;
    p->options = ctx->cfg;
    p->prelude = ctx->prelude_data;
    weight_fields_init(&p->fields, ctx, &p->options->weight_field);
    p->needs_places = (ctx->flags & (BRZ_CTX_WANTS_TAGS | BRZ_CTX_WANTS_TIME)) != 0 ||
                      weight_fields_are_on(&p->fields);
    p->common_suffix = brz_suffix_best();
    p->blank_line = blank_line_best();
    brz_lines_init(&p->lines, ctx);
    brz_stacks_init(&p->stacks, ctx, 0);
    symbols_init(p, ctx);
    events_init(p, ctx);
    off_cpu_init(&p->off, ctx, &p->options->off, &p->stacks);
    fast_path_init(p, ctx);
    return BRZ_OK;
}

/* Takes the last line of the input, which has no newline, and ends the sample. */
static brz_rc take_last_line(perf *p, brz_ctx *ctx, brz_str line)
{
    bool ends_in_module = stack_ends_in_module(p, line);
    p->is_cut = true;
    brz_rc rc = take_line(p, ctx, line);
    if (rc != BRZ_OK)
        return rc;
    if (ends_in_module)
        p->n_parts++;
    else
        stack_ends_check(p, true);
    return end_sample(p, ctx);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    perf *p = ctx->inst;
    bool last = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    size_t n = last ? chunk->len : last_boundary(chunk->data, chunk->len, flat_of(p->prelude));
    *used = n;
    if (chunk->flags & BRZ_CHUNK_RANGE_START)
        p->at_start = (chunk->flags & BRZ_CHUNK_INPUT_START) != 0;
    brz_rc rc = take_samples(p, ctx, chunk, n);
    brz_str rest = brz_lines_rest(&p->lines); /* a last line without a newline */
    if (rc == BRZ_OK && rest.len > 0)
        rc = take_last_line(p, ctx, rest);
    if (rc == BRZ_OK && (last || p->state == COUNTING)) {
        stack_ends_check(p, false);
        return end_sample(p, ctx);
    }
    drop_pending(p, ctx); /* an event line follows */
    return rc;
}

static brz_rc merge(brz_ctx *into, brz_ctx *from)
{
    perf *to = into->inst, *of = from->inst;
    weight_fields_merge(&to->fields, &of->fields);
    return BRZ_OK;
}

static brz_rc finish(brz_ctx *ctx)
{
    perf *p = ctx->inst;
    brz_rc rc = fast_path_count_pending(p, ctx);
    events_report(p, ctx);
    if (rc == BRZ_OK)
        rc = off_cpu_finish(&p->off, ctx);
    switches_report(p, ctx);
    if (rc == BRZ_OK)
        rc = fields_report(p, ctx);
    return rc == BRZ_OK ? brz_stacks_finish(&p->stacks, ctx) : rc;
}

/* ---- format detection ---------------------------------------------------------------------- */

/* Limit of other lines: text about profiles may contain lines of a profile. */
#define MOST_STRANGE 5

/* Returns whether a label can be an event's. The state of a thread, with which py-spy, Go and
 * others end a line, begins with a bracket. */
static bool is_event_label(brz_str label)
{
    if (label.len == 0)
        return true;
    char c = label.data[0];
    return brz_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Recognises the heading of `trace-cmd report`, whose lines look like event lines. */
static bool is_of_trace_cmd(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("cpus=")) && line.len > 5 && brz_is_digit(line.data[5]);
}

/* Recognises a line of `perf script --call-trace`, whose functions follow a tab: states of the
 * processor between its lines, "cbr: 42 freq: 4219 MHz (156%)", look like samples. */
static bool is_of_call_trace(brz_str line)
{
    size_t at = brz_str_find(line, BRZ_STR(")\t"), 0);
    return at != SIZE_MAX && line.data[0] != '\t' &&
           brz_str_has(brz_str_of(line.data, at), BRZ_STR(" ("));
}

/* Detects the format: one complete sample, an event line with a stack line below or in it, is
 * unmistakable. */
static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_str_of((const char *)head->data, head->len), line;
    bool in_sample = false;
    int32_t score = BRZ_SNIFF_NO;
    size_t strange = 0;
    for (size_t lines = 0; lines < 2000 && strange < MOST_STRANGE && brz_take_line(&text, &line);
         lines++) {
        event_line event;
        frame_line frame;
        line = brz_trim_end(line);
        if (is_of_trace_cmd(line) || is_of_call_trace(line))
            return BRZ_SNIFF_NO;
        if (line_begins_sample(line, NOT_FLAT, &event) && is_event_label(event.label)) {
            in_sample = true;
            if (event.label.len > 0 && score < BRZ_SNIFF_SHAPE)
                score = BRZ_SNIFF_SHAPE;
            if (stack_in_line(event.rest, &frame))
                return BRZ_SNIFF_HEADER;
        } else if (line.len > 0 && frame_line_parse(line, &frame)) {
            if (in_sample)
                return BRZ_SNIFF_HEADER;
        } else if (line.len > 0 && !line_is_aside(line)) {
            strange++;
        }
    }
    return score;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const char *const event_choices[] = {"first", "all", NULL};
static const char *const compat_choices[] = {"none", "inferno", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(perf_options, "addrs", BOOL, addrs, "false",
               "put the address into the names of unresolved frames"),
    BRZ_OPTION(perf_options, "all", BOOL, all, "false", "the same as kernel and jit"),
    BRZ_OPTION(perf_options, "compat", ENUM, compat, "none",
               "shorten names like another tool: inferno cuts them at the first bracket",
               .choices = compat_choices),
    BRZ_OPTION(perf_options, "event", ENUM, event, "first",
               "which events to count: the first one of the input, or each as its own weight",
               .choices = event_choices),
    BRZ_OPTION(perf_options, "event-filter", STR, event_filter, NULL, "count only this event"),
    BRZ_OPTION(perf_options, "frameless", BOOL, frameless, "false",
               "count samples without a stack under the name of their process"),
    BRZ_OPTION(perf_options, "inlined", BOOL, inlined, "false",
               "mark functions that perf found inlined with _[i]"),
    BRZ_OPTION(perf_options, "jit", BOOL, jit, "false", "mark JIT-compiled code with _[j]"),
    BRZ_OPTION(perf_options, "kernel", BOOL, kernel, "false", "mark kernel code with _[k]"),
    OFF_CPU_OPTIONS(perf_options),
    BRZ_OPTION(perf_options, "pid", BOOL, pid, "false",
               "add the process id to the name of the process"),
    BRZ_OPTION(perf_options, "skip-after", LIST, skip_after, NULL,
               "make this function the root, without its callers"),
    BRZ_OPTION(perf_options, "srcline", BOOL, srcline, "false",
               "add file and line to names, if perf script printed them (-F +srcline)"),
    BRZ_OPTION(perf_options, "tid", BOOL, tid, "false",
               "add process and thread id to the name of the process"),
    WEIGHT_FIELD_OPTION(perf_options),
};

static void validate(const void *cfg, brz_option_faults *faults)
{
    const perf_options *o = cfg;
    weight_fields_validate(&o->weight_field, faults);
}

SHIPPED_READER(perf, .flags = BRZ_SPLITTABLE, .prelude = prelude, .boundary = boundary,
               .open = open_instance, .merge = merge, .finish = finish)

SHIPPED_COLLAPSER(
    "perf", .summary = "Linux perf, as perf script prints it",
    .help = "Record with `perf record -g`, print with `perf script`. With -F +srcline, frames "
            "carry file and line.",
    BRZ_OPTIONS(option_table, perf_options), .validate = validate)
