/* SPDX-License-Identifier: MIT */
/* Parses the text output of bpftrace, line by line:
 *
 *     input := (entry | event | noise)*
 *     event := [header newline] (newline* (line newline)+)+
 *
 * key.c parses entries of maps. An event is the output of printf, print or a bare kstack when a
 * probe fires: stacks, usually preceded by a line that identifies them. Any other line that is not
 * indented is noise, or the header of an event if a stack follows it.
 *
 * Old versions do not indent stack lines. Then a stack line is recognised by its offset or by being
 * an address; within a key, any line is a stack line if the keys of the input have such lines
 * (`plain`).
 */
#include "reader.h"

#include <brazier/symbol.h>

/* ---- events ---------------------------------------------------------------------------------- */

static bool is_kernel(const stack *s)
{
    return (s->evidence & (KERNEL_ADDRESS | KERNEL_NAME)) != 0;
}

/* Counts the first stack of an event without a header if the second one is a kernel stack, too: it
 * is another event. */
static brz_rc count_first(bpftrace *b, brz_ctx *ctx)
{
    if (b->headed || b->n_parts != 2 || !is_kernel(&b->parts[1]))
        return BRZ_OK;
    b->n_parts = 1;
    brz_rc rc = sample_end(b, ctx, BRZ_STR(""), 1);
    b->parts[0] = b->parts[1];
    memmove(b->found, b->found + b->parts[0].first, b->parts[0].n * sizeof *b->found);
    b->n_found = b->parts[0].n;
    b->parts[0].first = 0;
    return rc;
}

static brz_rc end_event(bpftrace *b, brz_ctx *ctx)
{
    if (b->state != IN_EVENT)
        return BRZ_OK;
    b->state = OUTSIDE;
    brz_rc rc = count_first(b, ctx);
    if (rc == BRZ_OK)
        rc = sample_end(b, ctx, BRZ_STR(""), 1);
    b->headed = false;
    return rc;
}

static void begin_event(bpftrace *b, brz_ctx *ctx)
{
    sample_begin(b);
    b->state = IN_EVENT;
    if (b->headed)
        sample_header(b, ctx, brz_text_str(&b->header));
    sample_stack(b, ctx);
}

/* Returns whether the next stack belongs to the same event. Without headers, only a user stack
 * after a kernel stack does; otherwise every stack is a new event. */
static bool next_stack_is_same_event(const bpftrace *b)
{
    if (b->headed)
        return true;
    return b->n_parts == 1 && is_kernel(&b->parts[0]);
}

/* Begins an event whose header is missing if a stack begins that the event before it cannot have:
 * each of its stacks has a blank line in front of it and one after it, or one alone if it is
 * empty. */
static brz_rc begin_without_header(bpftrace *b, brz_ctx *ctx)
{
    size_t slots = b->prelude->layout.slots;
    if (slots == 0 || (b->headed && b->blanks < slots + 1 + b->n_stacks))
        return BRZ_OK;
    b->blanks -= b->headed ? slots + b->n_stacks : 0;
    brz_rc rc = end_event(b, ctx);
    b->n_stacks = 0;
    b->headed = true;
    b->header.len = 0;
    report(b, ctx, "bpftrace.no-header", BRZ_STR("an event without a header line, unlike others"));
    return rc;
}

static brz_rc take_event_frame(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    bool is_first = b->state != IN_EVENT || b->gap;
    brz_rc rc = is_first ? begin_without_header(b, ctx) : BRZ_OK;
    if (rc == BRZ_OK && b->state == IN_EVENT && b->gap) {
        rc = count_first(b, ctx);
        if (rc == BRZ_OK && next_stack_is_same_event(b))
            sample_stack(b, ctx);
        else if (rc == BRZ_OK)
            rc = end_event(b, ctx);
    }
    if (b->state != IN_EVENT)
        begin_event(b, ctx);
    b->n_stacks += is_first;
    b->gap = false;
    sample_frame(b, ctx, line);
    return rc;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Reports an event whose only lines are missing: the blank lines around them are there. */
static void check_event(bpftrace *b, brz_ctx *ctx)
{
    size_t slots = b->prelude->layout.slots;
    if (slots > 0 && b->headed && b->n_stacks == 0 && b->blanks > slots)
        brz_report_lost_weight(ctx, "bpftrace.no-lines", b->where.data, b->where.len,
                               BRZ_STR("the event above lacks the lines of a stack"), 1);
}

static brz_rc take_header(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    check_event(b, ctx);
    brz_rc rc = end_event(b, ctx);
    b->headed = true;
    b->gap = false;
    b->blanks = b->n_stacks = 0;
    b->header.len = 0;
    brz_text_append(&b->header, ctx, line);
    return rc;
}

/* ---- lines that may be headers -------------------------------------------------------------- */

/* Returns whether the line that is pending is a header, although it lacks one of the blank lines
 * around it: an event is complete there. */
static bool is_header(const bpftrace *b, bool next_is_blank)
{
    size_t slots = b->prelude->layout.slots;
    if (b->pending_in_stack && !next_is_blank)
        return false;
    if ((!b->headed && b->state == OUTSIDE) || (!b->pending_in_stack && next_is_blank))
        return true;
    return slots > 0 ? b->blanks + b->pending_in_stack == slots + b->n_stacks : next_is_blank;
}

static void report_odd(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    brz_str where = b->where;
    b->where = line;
    report(b, ctx, "bpftrace.odd-line",
           BRZ_STR("neither a header nor a stack line like the others: left out"));
    b->where = where;
}

/* Decides what the line that is pending is, by the line after it. */
static brz_rc decide_pending(bpftrace *b, brz_ctx *ctx, bool next_is_blank)
{
    if (b->pending.len == 0)
        return BRZ_OK;
    brz_rc rc = BRZ_OK;
    brz_str where = b->where;
    b->where = b->pending_line;
    if (is_header(b, next_is_blank))
        rc = take_header(b, ctx, brz_text_str(&b->pending));
    else
        report_odd(b, ctx, b->pending_line);
    b->where = where;
    b->pending.len = 0;
    return rc;
}

/* Returns whether a line is a blank one with a damaged newline. */
static bool is_damaged_blank(const bpftrace *b, brz_str text)
{
    bool in_stack = b->pending.len > 0 && b->pending_in_stack;
    size_t slots = b->prelude->layout.slots;
    return slots > 0 && text.len == 1 && b->headed && !in_stack && b->blanks != slots + b->n_stacks;
}

/* Handles a line that is neither indented nor a stack line, when no line is pending. */
static brz_rc take_odd_line(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    const event_layout *l = &b->prelude->layout;
    brz_str text = brz_trim(line);
    bool is_blank = is_damaged_blank(b, text);
    if (l->is_headless || is_blank || layout_is_damaged(l, line)) {
        report_odd(b, ctx, line);
        b->gap |= is_blank;
        b->blanks += is_blank;
        return BRZ_OK;
    }
    if (!l->has_blanks)
        return take_header(b, ctx, text);
    b->pending_in_stack = b->state == IN_EVENT && !b->gap;
    b->pending_line = line;
    brz_text_append(&b->pending, ctx, text);
    return BRZ_OK;
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* Ends an entry with its value. Its lines are in memory as a whole only now. */
static brz_rc end_entry(bpftrace *b, brz_ctx *ctx, brz_str value)
{
    b->state = OUTSIDE;
    b->after_entry = true;
    if (b->odd_in_key.len > 0)
        brz_report(ctx, BRZ_WARNING, "bpftrace.odd-key-line", b->odd_in_key.data, b->odd_in_key.len,
                   BRZ_STR("a line of a map entry that is unlike the others"));
    if (b->joined_in_key.len > 0)
        brz_report(ctx, BRZ_WARNING, "bpftrace.joined", b->joined_in_key.data, b->joined_in_key.len,
                   BRZ_STR("two lines in one: they are read apart"));
    return value_take(b, ctx, value);
}

/* Adds items that may end the key. */
static brz_rc take_items(bpftrace *b, brz_ctx *ctx, brz_str text)
{
    size_t end = key_end(text);
    brz_str trimmed = brz_trim_end(text);
    bool goes_on = trimmed.len > 0 && trimmed.data[trimmed.len - 1] == ',';
    if (end == SIZE_MAX || goes_on) {
        key_items(b, ctx, text, true);
        return BRZ_OK;
    }
    key_items(b, ctx, brz_str_of(text.data, end), true);
    return end_entry(b, ctx, brz_str_from(text, end + 2));
}

/* Leaves out an entry whose beginning is damaged or missing: the stack before this line is its, and
 * so are the lines up to its end. */
static void leave_out_rest(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    sample_begin(b);
    b->state = OUTSIDE;
    b->headed = b->gap = false;
    b->pending.len = 0; /* a line of the key */
    b->lost_key = key_end(line) == SIZE_MAX && line.data[0] != ']';
    if (!b->lost_key)
        report_lost_entry(b, ctx, "bpftrace.no-key", line,
                          BRZ_STR("end of a map entry without its beginning: left out"));
}

static brz_rc take_map(bpftrace *b, brz_ctx *ctx, brz_str name, brz_str rest)
{
    brz_rc rc = end_event(b, ctx);
    b->headed = false;
    b->map.len = 0;
    brz_text_append(&b->map, ctx, name);
    sample_begin(b);
    b->state = IN_KEY;
    b->gap = b->lost_key = false;
    b->blanks = b->n_stacks = 0;
    b->entry = b->where;
    b->last_in_key.len = b->odd_in_key.len = b->joined_in_key.len = 0;
    return rc == BRZ_OK ? take_items(b, ctx, rest) : rc;
}

/* Takes a line that stands in an event for a stack line with a damaged byte, so that the stack does
 * not fall apart. Its name shows the damage. */
static brz_rc take_damaged_frame(bpftrace *b, brz_ctx *ctx, brz_str text)
{
    report(b, ctx, "bpftrace.damaged-line", BRZ_STR("a stack line without a valid offset"));
    return take_event_frame(b, ctx, text);
}

/* Handles a header with a damaged byte in front. If it is presented again, that byte is, too. */
static brz_rc take_shifted_line(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    brz_rc rc = take_odd_line(b, ctx, brz_trim(line));
    if (b->pending.len > 0)
        b->pending_line = line;
    return rc;
}

/* Handles an indented line outside of a key. */
static brz_rc take_indented_line(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    brz_str text = brz_trim(line);
    const event_layout *l = &b->prelude->layout;
    if (stack_line_is(text))
        return take_event_frame(b, ctx, text);
    bool is_deep = line.len > 2 && brz_is_blank(line.data[1]);
    if (l->is_indented && is_deep && ((l->slots > 0 && b->headed) || stack_line_is_damaged(text)))
        return take_damaged_frame(b, ctx, text);
    bool is_shifted = line.len > 1 && !brz_is_blank(line.data[1]);
    size_t complete = l->slots + b->n_stacks;
    if (l->slots > 0 && is_shifted && b->headed && b->blanks <= complete &&
        b->blanks + 1 >= complete)
        return take_shifted_line(b, ctx, line);
    if (b->state == IN_EVENT ? !b->gap || b->headed : b->headed && b->gap)
        report(b, ctx, "bpftrace.stack-line", BRZ_STR("not a stack line: frame left out"));
    return BRZ_OK;
}

/* Handles a line that is not indented and may be a header. What it is depends on the lines before
 * it, of which none is pending: a line that is pending at the end of a chunk is presented again. */
static brz_rc take_flat_line(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    brz_str text = brz_trim(line);
    bool is_damaged = !b->prelude->layout.is_indented && (b->headed || b->state == IN_EVENT) &&
                      stack_line_is_damaged(text);
    return is_damaged ? take_damaged_frame(b, ctx, text) : take_odd_line(b, ctx, line);
}

/* Reports the rest of a value that is divided: digits alone, below the end of an entry. */
static bool is_rest_of_value(bpftrace *b, brz_ctx *ctx, brz_str text)
{
    int64_t value;
    bool is_rest = b->after_entry && brz_parse_i64(text, &value) && text.data[0] != '-';
    b->after_entry = false;
    if (is_rest)
        report_lost(b, ctx, "bpftrace.divided", BRZ_STR("the rest of the value above: left out"));
    return is_rest;
}

static brz_rc take_outside_line(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    brz_str name, rest, trimmed = brz_trim(line);
    if (is_rest_of_value(b, ctx, trimmed))
        return BRZ_OK;
    if (trimmed.len == 0) {
        b->lost_key = false;
        brz_rc rc = decide_pending(b, ctx, true);
        b->gap = true;
        b->blanks++;
        return rc;
    }
    bool is_indented = brz_is_blank(line.data[0]);
    if (b->lost_key && (is_indented || stack_line_is_flat(trimmed)))
        return BRZ_OK;
    if (line_is_rest_of_key(line) || (b->lost_key && line.data[0] == ',')) {
        leave_out_rest(b, ctx, line);
        return BRZ_OK;
    }
    b->lost_key = false;
    bool is_map = map_begins(line, &name, &rest);
    bool is_stack = is_indented || (!is_map && stack_line_is_flat(trimmed) &&
                                    !layout_is_damaged(&b->prelude->layout, line));
    if (!is_stack && !is_map && line_may_be_header(line)) {
        brz_rc rc = decide_pending(b, ctx, is_damaged_blank(b, trimmed));
        return rc == BRZ_OK ? take_flat_line(b, ctx, line) : rc;
    }
    if (is_map)
        b->pending.len = 0; /* a header without stacks */
    brz_rc rc = decide_pending(b, ctx, false);
    if (rc != BRZ_OK)
        return rc;
    if (is_indented)
        return take_indented_line(b, ctx, line);
    if (is_stack)
        return take_event_frame(b, ctx, trimmed);
    if (is_map)
        return take_map(b, ctx, name, rest);
    if (!line_is_scalar_map(line))
        return BRZ_OK;
    rc = end_event(b, ctx); /* a map without keys */
    b->headed = false;
    return rc;
}

/* Reports the entry that is not complete. The last line may be a damaged end, and tell its value.
 */
static void report_cut_off(bpftrace *b, brz_ctx *ctx)
{
    brz_str where = b->where, last = b->last_in_key;
    bool is_end = last.len > 0 && !stack_line_is(brz_trim(last)) &&
                  (!b->prelude->plain || strchr("],", last.data[0]) != NULL);
    if (!b->prelude->json)
        b->where = b->entry;
    report_lost_entry(b, ctx, "bpftrace.cut-off", is_end ? last : BRZ_STR(""),
                      BRZ_STR("map entry without an end: left out"));
    b->where = where;
}

/* Leaves out the entry that ends on this line, which is joined with another one or damaged. */
static void leave_out_entry(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    b->state = OUTSIDE;
    report_lost_entry(b, ctx, "bpftrace.bad-end", line,
                      BRZ_STR("map entry with a damaged end: left out"));
}

/* Returns whether a line in a key that looks like the beginning of a record is a damaged line of
 * the key: nothing else is printed there. A header has a blank line after it. */
static bool is_damaged_in_key(const bpftrace *b, brz_str line)
{
    const event_layout *l = &b->prelude->layout;
    brz_str name, rest, next = brz_lines_rest(&b->lines);
    if (map_begins(line, &name, &rest) || line_is_scalar_map(line))
        return false;
    return (l->few_headers || (l->has_blanks && !b->after_blank)) &&
           !brz_starts_with(next, BRZ_STR("\n")) && !brz_starts_with(next, BRZ_STR("\r\n"));
}

/* Returns the second one of two stack lines on a line, whose line break is damaged, or an empty
 * text: one with an address after a tab, or an address after blanks. Names that are joined are one
 * name. */
static brz_str second_address(brz_str line)
{
    brz_str text = brz_trim(line);
    const char *tab = text.len > 0 ? memchr(text.data, '\t', text.len) : NULL;
    size_t at =
        brz_starts_with(text, BRZ_STR("0x")) ? brz_str_find(text, BRZ_STR(" 0x"), 0) : SIZE_MAX;
    if (at == SIZE_MAX)
        at = brz_str_find(text, BRZ_STR("    0x"), 0);
    if (tab != NULL && at == SIZE_MAX)
        at = (size_t)(tab - text.data);
    brz_str second = brz_trim_start(brz_str_from(text, at == SIZE_MAX ? text.len : at));
    stack_line l = {0};
    if (second.len > 0)
        stack_line_parse(second, &l);
    return l.address.len > 0 ? second : brz_str_from(text, text.len);
}

/* Returns a stack line without the byte that is in the place of its line break. */
static brz_str without_break(brz_str line)
{
    brz_str without = brz_str_of(line.data, line.len > 0 ? line.len - 1 : 0);
    bool is_after_module = brz_ends_with(without, BRZ_STR(")")) && line.data[without.len] != ')';
    return is_after_module || (!stack_line_is(line) && stack_line_is(without)) ? without : line;
}

/* Adds a line to the last stack of a key, or two lines that are one. */
static void take_frame_in_key(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    brz_str second = second_address(line);
    if (second.len == 0) {
        sample_frame(b, ctx, line);
        return;
    }
    brz_str first = brz_trim(brz_str_of(line.data, (size_t)(second.data - line.data)));
    b->joined_in_key = line;
    sample_frame(b, ctx, without_break(first));
    sample_frame(b, ctx, second);
}

/* Handles a line of a key that is neither its end nor a list of its items. */
static brz_rc take_line_in_key(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    if (line_begins_record(line, b->prelude->plain)) {
        if (!is_damaged_in_key(b, line)) {
            report_cut_off(b, ctx);
            b->state = OUTSIDE;
            return take_outside_line(b, ctx, line);
        }
        b->odd_in_key = line;
    }
    take_frame_in_key(b, ctx, line);
    b->last_in_key = line;
    return BRZ_OK;
}

static brz_rc take_key_line(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    if (line.len > 0 && line.data[0] == ',') {
        size_t n = line.len > 1 && line.data[1] == ' ' ? 2 : 1;
        b->last_in_key = line;
        return take_items(b, ctx, brz_str_of(line.data + n, line.len - n));
    }
    if (brz_starts_with(line, BRZ_STR("]:")) && (line.len == 2 || line.data[2] == ' '))
        return end_entry(b, ctx, brz_str_from(line, 2));
    if (brz_starts_with(line, BRZ_STR("]:"))) {
        leave_out_entry(b, ctx, line);
        return BRZ_OK;
    }
    if (line_is_noise(brz_trim_end(line)))
        return BRZ_OK;
    if (line.len > 0 && line_is_rest_of_key(line)) {
        leave_out_entry(b, ctx, line);
        return BRZ_OK;
    }
    return take_line_in_key(b, ctx, line);
}

/* Returns the end of a value in front of another entry at `at`, without its line break, or the byte
 * in the place of that. A digit may be one of the value. */
static size_t joined_value_end(brz_str line, size_t at)
{
    size_t end = at - (!brz_is_digit(line.data[at - 1]) || line.data[at - 2] == '\r');
    return end - (line.data[end - 1] == '\r');
}

/* Returns the position of "@name[" after "]: 5" and a damaged or missing line break, or 0. */
static size_t joined_map(brz_str line)
{
    brz_str name, rest;
    if (line.len == 0 || strchr(",]@", line.data[0]) == NULL)
        return 0;
    for (size_t i = 4; i < line.len; i++) {
        if (line.data[i] != '@' || !map_begins(brz_str_from(line, i), &name, &rest))
            continue;
        size_t end = joined_value_end(line, i), digits = end;
        while (digits > 0 && brz_is_digit(line.data[digits - 1]))
            digits--;
        if (digits < end && brz_ends_with(brz_str_of(line.data, digits), BRZ_STR("]: ")))
            return i;
    }
    return 0;
}

static brz_rc take_part(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    brz_rc rc = b->state == IN_KEY ? take_key_line(b, ctx, line) : take_outside_line(b, ctx, line);
    b->after_blank = brz_trim(line).len == 0;
    return rc;
}

/* Returns the line after bpftrace's start message on one line, or an empty text. The byte in the
 * place of the line break is left out if no line begins with it. */
static brz_str after_message(brz_str line)
{
    size_t dots = brz_str_find(line, BRZ_STR("..."), 0);
    brz_str rest = brz_str_of(line.data, 0), message = brz_str_of(line.data, dots + 3);
    if (!brz_starts_with(line, BRZ_STR("Attaching ")) || dots == SIZE_MAX ||
        !line_is_noise(message) || brz_trim(brz_str_from(line, message.len)).len < 2)
        return rest;
    rest = brz_trim_start(brz_str_from(line, message.len));
    char c = rest.data[0];
    bool begins = brz_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '@' ||
                  (unsigned char)c >= 0x80;
    return brz_str_from(rest, !begins);
}

/* Parses a line without its newline. */
brz_rc text_line(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    brz_rc rc = BRZ_OK;
    size_t at;
    brz_str rest = after_message(line);
    if (rest.len > 0) {
        if (b->state == IN_KEY) /* reported with the entry, which may be read again */
            b->joined_in_key = line;
        else
            report(b, ctx, "bpftrace.joined", BRZ_STR("two lines in one: they are read apart"));
        line = b->where = rest;
    }
    while (rc == BRZ_OK && (at = joined_map(line)) > 0) {
        size_t end = joined_value_end(line, at);
        b->is_value_joined = end == at;
        rc = take_part(b, ctx, brz_str_of(line.data, end));
        b->is_value_joined = false;
        line = brz_str_from(line, at);
        b->where = line; /* where an entry begins */
    }
    return rc == BRZ_OK ? take_part(b, ctx, line) : rc;
}

/* Ends the input. */
brz_rc text_end(bpftrace *b, brz_ctx *ctx)
{
    if (b->state == IN_KEY)
        report_cut_off(b, ctx);
    b->pending.len = 0;
    check_event(b, ctx);
    brz_rc rc = end_event(b, ctx);
    b->state = OUTSIDE;
    b->headed = b->gap = b->lost_key = false;
    b->blanks = b->n_stacks = 0;
    return rc;
}
