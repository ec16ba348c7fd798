/* SPDX-License-Identifier: MIT */
/* Collapses stacks that SystemTap prints, each followed by its count:
 *
 *     input := (stack count)*
 *     stack := (address [":" function ["+" offset "/" size]] ["[" module "]"])+
 *     count := number
 *
 * Frames run from leaf to root.
 */
#include "../common/dump/dump.h"

typedef struct stap {
    dump dump;
    bool after_blanks; /* the line before, in a stack, has blanks alone */
    bool after_empty;  /* the line before, in a stack, has blanks alone or nothing */
    bool after_word;   /* the last line with text, in a stack, may be a damaged count */
    size_t indent;     /* indentation of the last frame */
} stap;

/* Removes " [module]" from the end. */
static void take_module(brz_str *s, brz_frame_desc *frame)
{
    brz_str inner, function;
    if (!brz_ends_with(*s, BRZ_STR("]")))
        return;
    inner = brz_str_of(s->data, s->len - 1);
    if (!brz_cut_last(inner, '[', &function, &inner) ||
        (function.len > 0 && !brz_ends_with(function, BRZ_STR(" "))))
        return;
    frame->module = inner;
    *s = brz_trim_end(function);
}

/* Removes "+0xb/0x10" from the end. */
static void take_offset(brz_str *s)
{
    brz_str function, offset;
    uint64_t number;
    if (brz_cut_last(*s, '+', &function, &offset) && function.len > 0 &&
        dump_take_address(&offset, &number) && (offset.len == 0 || offset.data[0] == '/'))
        *s = function;
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    dump_take_address(&text, &frame->address);
    dump_take_blanks(&text);
    brz_str_take(&text, ":");
    dump_take_blanks(&text);
    if (brz_ends_with(text, BRZ_STR(" (inexact)")))
        text = brz_trim_end(brz_str_of(text.data, text.len - 10));
    take_module(&text, frame);
    take_offset(&text);
    if (brz_str_is(frame->module, "kernel"))
        frame->kind = BRZ_KIND_KERNEL;
    if (!brz_starts_with(text, BRZ_STR("0x")))
        frame->name = dump_repaired(d, text);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Recognises "0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]" and an address alone. */
static bool is_frame(brz_str text)
{
    uint64_t address;
    return dump_take_address(&text, &address) &&
           (text.len == 0 || brz_starts_with(brz_trim_start(text), BRZ_STR(":")));
}

/* Recognises digits with an optional sign. */
static bool is_number(brz_str text)
{
    size_t n = text.data[0] == '-' ? 1 : 0;
    while (n < text.len && brz_is_digit(text.data[n]))
        n++;
    return n == text.len;
}

/* Recognises a part of an address, which unlike counts may begin with 0, or be 0 at the place of a
 * frame. */
static bool is_part_of_address(const stap *s, brz_str line, brz_str text)
{
    size_t indent = (size_t)(text.data - line.data);
    return text.data[0] == '0' && is_number(text) &&
           (text.len > 1 || (indent > 0 && indent == s->indent));
}

/* Recognises a count of which one byte is damaged: digits and another character. */
static bool is_damaged_count(brz_str text)
{
    size_t others = 0;
    for (size_t i = 0; i < text.len; i++)
        others += !brz_is_digit(text.data[i]);
    return others == 1;
}

/* Recognises a line that is no damaged count: several words, and what is left of a frame, which is
 * a part of its address, or has a sign that counts do not have. */
static bool is_between_frames(brz_str text)
{
    size_t digits = 0;
    for (size_t i = 0; i < text.len; i++) {
        digits = brz_is_hex(text.data[i]) ? digits + 1 : 0;
        if (digits == 8 || memchr(" :[]+/", text.data[i], 6) != NULL)
            return true;
    }
    return false;
}

/* Returns whether a count is after the module of a frame, whose line end is damaged. Stores -1 in
 * *count if another digit may have taken the place of the line end. */
static bool has_joined_count(brz_str text, int64_t *count)
{
    brz_str frame, rest;
    if (!brz_cut_last(text, ']', &frame, &rest))
        return false;
    brz_str_take(&rest, "\r");
    bool is_unknown = rest.len > 0 && brz_is_digit(rest.data[0]);
    if (!is_unknown)
        rest = brz_str_from(rest, rest.len > 0);
    if (!brz_parse_i64(brz_trim_start(rest), count))
        return false;
    *count = is_unknown ? -1 : *count;
    return true;
}

/* Leaves out the stack of a line with a frame and a count, which is unknown if it is -1. */
static void leave_out_joined(dump *d, brz_str line, int64_t count)
{
    brz_str msg = BRZ_STR("a frame and a count in one line: stack left out");
    if (count < 0)
        brz_report_lost(d->ctx, "stap.joined", line.data, line.len, msg);
    else
        dump_left_out(d, "stap.joined", line, msg, count);
    brz_path_cut(d->stacks.path, 0);
}

static void leave_out_stack(dump *d, brz_str line)
{
    brz_report_lost(d->ctx, "stap.count", line.data, line.len,
                    BRZ_STR("not a count from 0 on: stack left out"));
    brz_path_cut(d->stacks.path, 0);
}

/* Adds a frame. If it is indented like the last one, an empty line above it is what is left of a
 * count, which a word may be, too. */
static void take_frame(stap *s, brz_str line, brz_str text, bool after_empty, bool after_word)
{
    size_t indent = (size_t)(text.data - line.data);
    if (after_word || (after_empty && indent == s->indent)) {
        brz_report_lost(s->dump.ctx, "stap.no-count", line.data, line.len,
                        BRZ_STR("the stack above has no count: left out"));
        brz_path_cut(s->dump.stacks.path, 0);
    }
    s->indent = indent;
    dump_push(&s->dump, text, 0, describe);
}

/* Handles the count of a stack and the first frame of the next one in one line: the line break
 * between them is damaged. It is a digit of the number if there are fewer bytes than in front of
 * other frames. Returns false for other lines. */
static bool take_joined_frame(stap *s, brz_str line, brz_str text)
{
    dump *d = &s->dump;
    brz_str frame = text, msg = BRZ_STR("a count and a frame in one line: stack left out");
    uint64_t number;
    if (!brz_take_u64(&frame, &number) || number > INT64_MAX || frame.len == 0)
        return false;
    frame = brz_trim_start(brz_str_from(frame, 1));
    if (!is_frame(frame))
        return false;
    size_t digits = 0;
    while (brz_is_digit(text.data[digits]))
        digits++;
    if ((size_t)(frame.data - text.data) == digits + 1 + s->indent)
        dump_left_out(d, "stap.joined", line, msg, (int64_t)number);
    else
        brz_report_lost(d->ctx, "stap.joined", line.data, line.len, msg);
    brz_path_cut(d->stacks.path, 0);
    dump_push(d, frame, 0, describe);
    return true;
}

/* Divides the frame of a line from another one after its module: the line end between them is
 * damaged. Returns the other one, or an empty text. */
static brz_str take_second_frame(brz_str *text)
{
    brz_str frame = *text, rest;
    if (!brz_cut_first(*text, ']', &frame, &rest) || rest.len == 0)
        return brz_str_of(NULL, 0);
    if (!brz_starts_with(rest, BRZ_STR("0x")))
        rest = brz_str_from(rest, 1);
    rest = brz_trim_start(rest);
    if (!is_frame(rest))
        return brz_str_of(NULL, 0);
    text->len = frame.len + 1;
    return rest;
}

/* Adds the frame of a line, or the frames of a line whose end is damaged. */
static void take_frames(stap *s, brz_str line, brz_str text, bool after_empty, bool after_word)
{
    brz_str second = take_second_frame(&text);
    take_frame(s, line, text, after_empty, after_word);
    if (second.len == 0)
        return;
    BRZ_WARN(s->dump.ctx, "stap.joined-frames", line.data, line.len,
             "several frames on one line: divided");
    dump_push(&s->dump, second, 0, describe);
}

static brz_rc read_line(void *instance, brz_str line)
{
    stap *s = instance;
    dump *d = &s->dump;
    brz_str text = brz_trim(line);
    bool after_blanks = s->after_blanks, after_empty = s->after_empty;
    int64_t count;
    s->after_empty = text.len == 0 && dump_depth(d) > 0;
    s->after_blanks = s->after_empty && line.len > 0;
    if (text.len == 0)
        return BRZ_OK;
    bool after_word = s->after_word;
    s->after_word = false;
    if (after_blanks && is_number(text)) { /* a count whose line is divided */
        leave_out_stack(d, line);
        return BRZ_OK;
    }
    if (is_frame(text) && has_joined_count(text, &count)) {
        leave_out_joined(d, line, count);
        return BRZ_OK;
    }
    if (is_frame(text)) {
        take_frames(s, line, text, after_empty, after_word);
        return BRZ_OK;
    }
    if (dump_depth(d) > 0 && take_joined_frame(s, line, text))
        return BRZ_OK;
    bool is_count = brz_parse_i64(text, &count);
    if (is_part_of_address(s, line, text)) {
        brz_report_lost(d->ctx, "stap.line", line.data, line.len,
                        BRZ_STR("neither a frame nor a count: left out"));
        return BRZ_OK;
    }
    if ((is_count && count < 0) || (!is_count && (is_number(text) || is_damaged_count(text)))) {
        leave_out_stack(d, line);
        return BRZ_OK;
    }
    if (!is_count && dump_depth(d) > 0 && !is_between_frames(text)) {
        BRZ_WARN(d->ctx, "stap.line", line.data, line.len, "neither a frame nor a count: left out");
        s->after_word = true;
        return BRZ_OK;
    }
    if (!is_count && brz_is_digit(text.data[0])) { /* it may have a count */
        brz_report_lost(d->ctx, "stap.line", line.data, line.len,
                        BRZ_STR("neither a frame nor a count: left out"));
        return BRZ_OK;
    }
    if (!is_count) {
        dump_left_out(d, "stap.line", line, BRZ_STR("neither a frame nor a count: left out"), 0);
        return BRZ_OK;
    }
    if (dump_depth(d) == 0)
        dump_left_out(d, "stap.count", line, BRZ_STR("count without a stack: left out"), count);
    return dump_count(d, 0, count);
}

/* Reports a stack without a count after the last line. */
static brz_rc end_input(void *instance, const char *at)
{
    dump *d = instance;
    if (dump_depth(d) > 0)
        brz_report_lost(d->ctx, "stap.cut-off", at, 0,
                        BRZ_STR("the input ends before the count of a stack: left out"));
    return BRZ_OK;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    size_t frames = 0;
    int64_t count;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++) {
        line = brz_trim(line);
        if (line.len == 0)
            continue;
        if (!is_frame(line))
            return frames > 0 && brz_parse_i64(line, &count) ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
        frames += brz_str_find(line, BRZ_STR("+0x"), 0) != SIZE_MAX;
    }
    return frames > 0 && !(head->flags & BRZ_CHUNK_LAST) ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

DUMP_PARSE_LINES(read_line, end_input)

SHIPPED_READER(stap, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("+0x"))

SHIPPED_COLLAPSER(
    "stap", .summary = "SystemTap's stacks with counts",
    .help = "Print `print_stack(s)` and the count of each stack on a line of its own.")
