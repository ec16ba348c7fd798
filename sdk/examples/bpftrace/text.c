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

/* Recognises bpftrace's own messages. */
static bool is_noise(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("Attaching ")) ||
           brz_starts_with(line, BRZ_STR("Attached ")) ||
           (brz_starts_with(line, BRZ_STR("Lost ")) && brz_ends_with(line, BRZ_STR(" events")));
}

/* Returns whether a line begins a new record: it starts an entry or an event, or lies between them,
 * independent of the lines before it. */
bool line_begins_record(brz_str line, bool plain)
{
    brz_str name, rest;
    line = brz_trim_end(line);
    if (plain)
        return map_begins(line, &name, &rest);
    if (line.len == 0 || brz_is_blank(line.data[0]) || strchr(",]([", line.data[0]) != NULL)
        return false;
    size_t hex = 0;
    while (hex < line.len && brz_is_hex(line.data[hex]))
        hex++;
    return hex < 16 && hex < line.len && !is_noise(line) && !stack_line_is_flat(line);
}

/* Returns the position of the "]:" that ends a key; SIZE_MAX: not on this line. A name in the key
 * may contain "]:" too, so the last one counts. */
static size_t key_end(brz_str line)
{
    for (size_t i = line.len; i-- > 1;)
        if (line.data[i] == ':' && line.data[i - 1] == ']' &&
            (i + 1 == line.len || line.data[i + 1] == ' '))
            return i - 1;
    return SIZE_MAX;
}

/* Returns whether the stack lines in the keys of `text` are neither indented nor have offsets. */
bool keys_are_plain(brz_str text)
{
    brz_str line, name, rest;
    bool in_key = false, plain = false;
    while (brz_take_line(&text, &line)) {
        if (map_begins(line, &name, &rest)) {
            in_key = key_end(rest) == SIZE_MAX;
            plain = false;
        } else if (in_key && key_end(line) != SIZE_MAX) {
            if (plain)
                return true;
            in_key = false;
        } else if (in_key && line.len > 0 && brz_is_blank(line.data[0])) {
            in_key = false;
        } else if (in_key && line_begins_record(line, false)) {
            plain = true;
        }
    }
    return false;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Counts an event that has several stacks, or may have. */
static brz_rc count_event(bpftrace *b, brz_ctx *ctx)
{
    size_t n = b->n_parts;
    stack second = n > 1 ? b->parts[1] : (stack){0};
    bool apart = !b->headed && n == 2 && (second.evidence & (KERNEL_ADDRESS | KERNEL_NAME));
    if (!apart)
        return sample_end(b, ctx, BRZ_STR(""), 1);
    b->n_parts = 1; /* two kernel stacks are two events */
    brz_rc rc = sample_end(b, ctx, BRZ_STR(""), 1);
    b->parts[0] = second;
    return rc == BRZ_OK ? sample_end(b, ctx, BRZ_STR(""), 1) : rc;
}

static brz_rc end_event(bpftrace *b, brz_ctx *ctx)
{
    if (b->state != IN_EVENT)
        return BRZ_OK;
    b->state = OUTSIDE;
    brz_rc rc = count_event(b, ctx);
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
    return b->n_parts == 1 && (b->parts[0].evidence & (KERNEL_ADDRESS | KERNEL_NAME)) != 0;
}

static brz_rc take_event_frame(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    brz_rc rc = BRZ_OK;
    if (b->state == IN_EVENT && b->gap) {
        if (next_stack_is_same_event(b))
            sample_stack(b, ctx);
        else
            rc = end_event(b, ctx);
    }
    if (b->state != IN_EVENT)
        begin_event(b, ctx);
    b->gap = false;
    sample_frame(b, ctx, line);
    return rc;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Recognises a line of a histogram: "[4, 8)   12 |@@@@   |". */
static bool is_histogram(brz_str line)
{
    return (line.data[0] == '[' || line.data[0] == '(') && line.data[line.len - 1] == '|';
}

static brz_rc take_header(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    brz_rc rc = end_event(b, ctx);
    b->headed = true;
    b->header.len = 0;
    brz_text_append(&b->header, ctx, line);
    return rc;
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
    b->state = OUTSIDE;
    return value_take(b, ctx, brz_str_of(text.data + end + 2, text.len - end - 2));
}

/* Returns whether a line outside of a key continues in one: its beginning is damaged or missing. */
static bool is_rest_of_key(brz_str line)
{
    if (line.data[0] == ']')
        return line.len > 1 && line.data[1] == ':';
    return line.data[0] == ',' &&
           (brz_trim(line).len == 1 || (line.data[1] == ' ' && key_end(line) != SIZE_MAX));
}

/* Leaves out an entry whose beginning is damaged or missing: the stack before this line is its. */
static void leave_out_rest(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    sample_begin(b);
    b->state = OUTSIDE;
    b->headed = b->gap = false;
    if (key_end(line) != SIZE_MAX || line.data[0] == ']')
        report_lost(b, ctx, "bpftrace.no-key",
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
    b->entry = b->where;
    return rc == BRZ_OK ? take_items(b, ctx, rest) : rc;
}

static brz_rc take_outside_line(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    brz_str name, rest, trimmed = brz_trim(line);
    if (trimmed.len == 0) {
        b->gap = true;
        return BRZ_OK;
    }
    if (map_begins(line, &name, &rest))
        return take_map(b, ctx, name, rest);
    if (is_rest_of_key(line)) {
        leave_out_rest(b, ctx, line);
        return BRZ_OK;
    }
    if (brz_is_blank(line.data[0])) {
        if (stack_line_is(trimmed))
            return take_event_frame(b, ctx, trimmed);
        if (b->state == IN_EVENT && !b->gap)
            report(b, ctx, "bpftrace.stack-line", BRZ_STR("not a stack line: frame left out"));
        return BRZ_OK;
    }
    if (stack_line_is_flat(trimmed))
        return take_event_frame(b, ctx, trimmed);
    if (is_noise(trimmed) || is_histogram(trimmed))
        return BRZ_OK;
    if (line.data[0] == '@') { /* a map without keys */
        brz_rc rc = end_event(b, ctx);
        b->headed = false;
        return rc;
    }
    return take_header(b, ctx, trimmed);
}

static void report_cut_off(bpftrace *b, brz_ctx *ctx)
{
    brz_str where = b->where;
    if (!b->prelude->json)
        b->where = b->entry;
    report_lost(b, ctx, "bpftrace.cut-off", BRZ_STR("map entry without an end: left out"));
    b->where = where;
}

static brz_rc take_key_line(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    if (line.len > 0 && line.data[0] == ',') {
        size_t n = line.len > 1 && line.data[1] == ' ' ? 2 : 1;
        return take_items(b, ctx, brz_str_of(line.data + n, line.len - n));
    }
    if (line.len > 1 && line.data[0] == ']' && line.data[1] == ':') {
        b->state = OUTSIDE;
        return value_take(b, ctx, brz_str_of(line.data + 2, line.len - 2));
    }
    if (is_noise(brz_trim_end(line)))
        return BRZ_OK;
    if (line_begins_record(line, b->prelude->plain)) {
        report_cut_off(b, ctx);
        b->state = OUTSIDE;
        return take_outside_line(b, ctx, line);
    }
    sample_frame(b, ctx, line);
    return BRZ_OK;
}

/* Parses a line without its newline. */
brz_rc text_line(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    return b->state == IN_KEY ? take_key_line(b, ctx, line) : take_outside_line(b, ctx, line);
}

/* Ends the input. */
brz_rc text_end(bpftrace *b, brz_ctx *ctx)
{
    if (b->state == IN_KEY)
        report_cut_off(b, ctx);
    brz_rc rc = end_event(b, ctx);
    b->state = OUTSIDE;
    b->headed = b->gap = false;
    return rc;
}
