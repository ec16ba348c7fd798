/* SPDX-License-Identifier: MIT */
/* Collapses the stacks of system calls that strace -k prints:
 *
 *     input  := (call frame* | prose)*
 *     call   := ["[pid " number "]" | number] [time] (name "(" ... | "<... " name " resumed>" ...)
 *               "= " result ["<" seconds ">"]
 *             | ... "--- " signal ... "---"
 *     frame  := " > " module "(" [function "+" offset] ") [" address "]"
 *
 * Frames run from leaf to root; the system call, or the signal, is the leaf. Calls are a column,
 * and so are times of -T. A call that another thread interrupts has its stack where it is resumed.
 */
#include "../common/dump/dump.h"
#include "../common/names/unresolved.h"
#include "../common/table/decimal.h"

/* Decimals of times: strace prints microseconds, or nanoseconds. */
#define DECIMALS 9

typedef struct strace {
    dump dump;
    brz_text scratch; /* for names of code without a function */
    uint32_t time;    /* column, if there are times */
    bool has_time;
    bool is_bare; /* the call before this line has counted without a frame */
    bool is_open; /* the line before is a call that lacks its result */
} strace;

/* ---- calls ----------------------------------------------------------------------------------- */

typedef struct call {
    brz_str name;
    uint64_t thread;
    bool has_thread, has_time;
    bool is_resumed;
    bool is_marked; /* a thread in brackets, or a time, shows that the line is of strace */
    int64_t time;
} call;

static bool is_frame(brz_str line)
{
    return brz_starts_with(line, BRZ_STR(" > ")) || brz_str_is(line, " >");
}

/* Removes a field of digits, points and colons from the front, with the blanks after it. */
static bool take_field(brz_str *s, brz_str *field)
{
    size_t n = 0;
    dump_take_blanks(s);
    while (n < s->len &&
           (brz_is_hex(s->data[n]) ? s->data[n] <= '9' : s->data[n] == '.' || s->data[n] == ':'))
        n++;
    *field = brz_str_of(s->data, n);
    if (n == 0 || n == s->len || s->data[n] != ' ')
        return false;
    *s = brz_str_from(*s, n);
    dump_take_blanks(s);
    return true;
}

/* Removes the thread and the time from the front. */
static void take_thread(brz_str *s, call *c)
{
    brz_str field;
    if (brz_str_take(s, "[pid ")) {
        dump_take_blanks(s);
        c->has_thread = c->is_marked = brz_take_u64(s, &c->thread);
        brz_str_take(s, "]");
    }
    while (take_field(s, &field)) {
        uint64_t number;
        bool is_number = brz_parse_u64(field, &number);
        c->is_marked |= !is_number;
        if (!is_number || c->has_thread)
            continue;
        c->thread = number;
        c->has_thread = true;
    }
    c->has_thread &= c->thread <= INT64_MAX;
}

/* Returns the length of a name of a system call or signal. */
static size_t name_length(brz_str s)
{
    size_t n = 0;
    while (n < s.len && (s.data[n] == '_' || (s.data[n] >= '0' && s.data[n] <= '9') ||
                         ((s.data[n] | 0x20) >= 'a' && (s.data[n] | 0x20) <= 'z')))
        n++;
    return n;
}

/* Returns whether a text is the front of a time. */
static bool is_front_of_time(brz_str s)
{
    size_t n = 0;
    while (n < s.len && (brz_is_digit(s.data[n]) || s.data[n] == ':' || s.data[n] == '.'))
        n++;
    return n > 0 && n == s.len;
}

/* Reads the time at the end of a line: "<0.000123>". */
static void read_time(brz_str line, call *c)
{
    brz_str before, text;
    decimal d;
    line = brz_trim_end(line);
    c->has_time = brz_ends_with(line, BRZ_STR(">")) && brz_cut_last(line, '<', &before, &text) &&
                  decimal_take(&text, false, &d) && brz_str_is(text, ">") &&
                  decimal_scale(&d, DECIMALS, &c->time);
}

/* Kinds of lines. */
typedef enum line_kind {
    PROSE,
    UNFINISHED, /* a call that counts where it is resumed */
    INCOMPLETE, /* a call without a result or a name */
    CALL,
} line_kind;

/* Returns whether a line ends like a call. Arguments may contain " = ", too. */
static bool has_result(brz_str line)
{
    size_t at = 0;
    while ((at = brz_str_find(line, BRZ_STR(" = "), at)) != SIZE_MAX)
        if (brz_ends_with(brz_trim_end(brz_str_of(line.data, at++)), BRZ_STR(")")))
            return true;
    return false;
}

/* Returns the kind of a line without the name of a call, which is damaged if the line ends like
 * one.
 */
static line_kind damaged_or_prose(brz_str line)
{
    return has_result(line) ? INCOMPLETE : PROSE;
}

/* Recognises the rest of a call that another thread interrupts. A byte may be damaged, or the end
 * may be missing. */
static bool is_unfinished(brz_str rest)
{
    brz_str before, mark;
    rest = brz_trim_end(rest);
    if (brz_ends_with(rest, BRZ_STR("<unfinished ...>")))
        return true;
    bool is_front = brz_cut_last(rest, '<', &before, &mark) &&
                    brz_ends_with(before, BRZ_STR(" ")) &&
                    brz_starts_with(BRZ_STR("unfinished ...>"), mark);
    return !brz_str_has(rest, BRZ_STR(" = ")) && (is_front || brz_str_has(rest, BRZ_STR(" <unf")) ||
                                                  brz_ends_with(rest, BRZ_STR("hed ...>")));
}

/* Reads a line of a call or signal. */
static line_kind read_call(brz_str line, call *c)
{
    *c = (call){0};
    take_thread(&line, c);
    c->is_resumed = brz_str_take(&line, "<... ");
    bool is_signal = !c->is_resumed && brz_str_take(&line, "--- ");
    c->name = brz_str_of(line.data, name_length(line));
    brz_str rest = brz_str_from(line, c->name.len);
    bool is_cut = is_front_of_time(line) || rest.len == 0;
    if (is_cut && c->has_thread && (c->is_marked || brz_str_has(line, BRZ_STR(":"))))
        return INCOMPLETE;
    if (c->name.len == 0)
        return damaged_or_prose(line);
    read_time(rest, c);
    if (is_signal)
        return CALL;
    if (!brz_starts_with(rest, c->is_resumed ? BRZ_STR(" resumed") : BRZ_STR("(")))
        return damaged_or_prose(line);
    if (!c->is_resumed && is_unfinished(rest))
        return UNFINISHED;
    return brz_str_find(rest, BRZ_STR(" = "), 0) != SIZE_MAX ? CALL : INCOMPLETE;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Parses "/usr/lib/libc.so.6(__mmap+0x23) [0x10b9a3]". */
static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    strace *s = (strace *)d;
    brz_str before, address, function, offset;
    size_t end = brz_str_find(text, BRZ_STR(") ["), 0);
    if (end != SIZE_MAX && !brz_ends_with(text, BRZ_STR("]"))) /* the address breaks off */
        text.len = end + 1;
    if (brz_ends_with(text, BRZ_STR("]")) && brz_cut_last(text, '[', &before, &address)) {
        dump_take_address(&address, &frame->address);
        text = brz_trim_end(before);
    }
    if (!brz_ends_with(text, BRZ_STR(")")) ||
        !brz_cut_first(text, '(', &frame->module, &function)) {
        frame->name = text;
        return;
    }
    function.len--;
    if (brz_cut_last(function, '+', &before, &offset))
        function = before;
    frame->name = dump_repaired(d, function);
    if (frame->name.len == 0)
        frame->name = unresolved_name(&s->scratch, d->ctx, frame->module, 0);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Recognises "+++ exited with 0 +++", which stands between the last call and its stack, and the
 * front of it. */
static bool is_exit(brz_str line)
{
    call c = {0};
    take_thread(&line, &c);
    return line.len > 0 &&
           brz_starts_with(BRZ_STR("+++ "), brz_str_of(line.data, line.len < 4 ? line.len : 4));
}

/* Recognises the rest of an address: "[0x1143e]", "43e]" or "]". */
static bool is_rest_of_address(brz_str line)
{
    size_t n = line.len - 1;
    while (n > 0 && (brz_is_hex(line.data[n - 1]) || line.data[n - 1] == 'x'))
        n--;
    return n == 0 || (n == 1 && *line.data == '[');
}

/* Recognises a damaged frame, or the rest of one in two lines, by the address at its end. */
static bool is_damaged_frame(brz_str line)
{
    call c;
    if (is_frame(line) || !brz_ends_with((line = brz_trim_end(line)), BRZ_STR("]")))
        return false;
    return is_rest_of_address(brz_trim_start(line)) ||
           (brz_str_has(line, BRZ_STR(") [0x")) && !brz_str_has(line, BRZ_STR(" = ")) &&
            read_call(line, &c) != CALL);
}

/* Returns whether a line begins a block. A blank line is the rest of a frame in two lines. */
static bool begins(brz_str line)
{
    return brz_trim(line).len > 0 && !is_frame(line) && !is_exit(line) && !is_damaged_frame(line);
}

static void set_tag(dump *d, const call *c)
{
    brz_tag_desc tag = {.thread = (int64_t)c->thread};
    tag.flags = c->has_thread ? BRZ_TAG_THREAD : 0;
    dump_tag(d, &tag);
}

static brz_rc count(strace *s, const call *c)
{
    dump *d = &s->dump;
    if (c->has_time && !s->has_time) {
        s->time = BRZ_DECLARE_COLUMN(d->ctx, .name = BRZ_STR("time"), .unit = BRZ_STR("seconds"),
                                     .decimals = DECIMALS);
        s->has_time = true;
    }
    brz_rc rc = BRZ_OK;
    brz_stacks_begin_sample(&d->stacks);
    if (c->has_time && c->time > 0)
        rc = brz_stacks_count(&d->stacks, d->ctx, s->time, c->time);
    if (rc == BRZ_OK)
        rc = dump_count(d, 0, 1);
    brz_stacks_end_sample(&d->stacks);
    return rc;
}

/* Divides a frame whose line break is damaged from the next line, which is stored in *next. */
static brz_str take_joined(brz_str line, brz_str *next)
{
    size_t at = brz_str_find(line, BRZ_STR(" [0x"), 0), end = at + 4;
    if (at == SIZE_MAX)
        return line;
    while (end < line.len && brz_is_hex(line.data[end]))
        end++;
    if (end + 2 >= line.len || line.data[end] != ']' ||
        brz_trim(brz_str_from(line, end + 2)).len == 0)
        return line;
    brz_str rest = brz_str_from(line, end + 1); /* with the byte between them, or without it */
    brz_str_take(&rest, "\r");
    *next = is_frame(rest) ? rest : brz_str_from(rest, 1);
    return brz_str_of(line.data, end + 1);
}

static void push_frame(strace *s, brz_str line)
{
    brz_str text = brz_trim(brz_str_from(line, 2));
    if (text.len > 0 && !brz_ends_with(text, BRZ_STR("]")))
        BRZ_WARN(s->dump.ctx, "strace.cut-off", line.data, line.len,
                 "a frame without an address at its end: it may have another name");
    if (text.len > 0)
        dump_push(&s->dump, text, 0, describe);
    else
        dump_left_out(&s->dump, "strace.frame", line, BRZ_STR("a frame without a place: left out"),
                      0);
}

/* Pushes the frames at the front of a block. Stores the line after them in *next. Skips the line
 * "+++ exited with 0 +++" if it is the first. */
static void take_frames(strace *s, brz_str *block, brz_str *next)
{
    brz_str line;
    size_t depth = dump_depth(&s->dump);
    while (next->len == 0 && brz_block_line(block, &line)) {
        if (is_frame(line))
            push_frame(s, take_joined(line, next));
        else if (is_damaged_frame(line))
            dump_left_out(&s->dump, "strace.frame", line, BRZ_STR("not a frame: left out"), 0);
        else if (begins(line) || (is_exit(line) && dump_depth(&s->dump) > depth))
            *next = line;
        while (is_frame(*next)) {
            line = *next;
            *next = brz_str_of(line.data, 0);
            push_frame(s, take_joined(line, next));
        }
    }
}

/* Adds the first frame of a call from its line, which lost its line end. */
static void push_joined(strace *s, brz_str line)
{
    size_t at = brz_str_find(line, BRZ_STR(" > "), 0);
    brz_str frame =
        at == SIZE_MAX ? brz_str_of(line.data, 0) : brz_trim_end(brz_str_from(line, at));
    if (!brz_ends_with(frame, BRZ_STR("]")) || !brz_str_has(frame, BRZ_STR(") [0x")))
        return;
    BRZ_WARN(s->dump.ctx, "strace.joined", line.data, line.len,
             "a call and a frame in one line: they are read apart");
    push_frame(s, frame);
}

static brz_rc read_stack(strace *s, const call *c, brz_str line, brz_str *block, brz_str *next)
{
    dump_push(&s->dump, c->name, 1, dump_describe_system_call);
    push_joined(s, line);
    take_frames(s, block, next);
    s->is_bare = dump_depth(&s->dump) == 1;
    s->is_open = s->is_bare && !has_result(line);
    set_tag(&s->dump, c);
    return count(s, c);
}

/* Leaves out the stack at the front of a block. Reports it if its call is not known: it may be that
 * of the call before, which has counted without it. Returns whether there is a stack. */
static bool leave_out_stack(strace *s, bool is_known, brz_str *block, brz_str *next)
{
    brz_str at = *block;
    take_frames(s, block, next);
    bool has_stack = dump_depth(&s->dump) > 0;
    if (has_stack && !is_known)
        dump_left_out(&s->dump, "strace.stack", at, BRZ_STR("a stack without a call: left out"),
                      s->is_bare || s->is_open ? 0 : 1);
    brz_path_cut(s->dump.stacks.path, 0);
    return has_stack;
}

/* Returns whether the lines after a call have a frame. */
static bool has_frame(brz_str block)
{
    brz_str line;
    while (brz_block_line(&block, &line))
        if (is_frame(line))
            return true;
    return false;
}

/* Returns whether text follows the arguments of a call: a result, whole or damaged. */
static bool has_text_after_arguments(brz_str line)
{
    const char *end = memrchr(line.data, ')', line.len);
    return end != NULL && brz_trim(brz_str_from(line, (size_t)(end + 1 - line.data))).len > 0;
}

/* Returns whether a line is the last one of the input and lacks its line end. */
static bool is_cut_off(brz_str line, brz_str block)
{
    return block.len == 0 && line.data + line.len == block.data;
}

/* Returns whether a call without a name or a result may go on elsewhere, where it counts: another
 * thread interrupts it, or a byte in it became a line end. Such a part has no stack. */
static bool may_go_on(const call *c, brz_str line, brz_str block)
{
    return !c->is_resumed && !has_text_after_arguments(line) && !has_frame(block) &&
           !is_cut_off(line, block);
}

/* Reports a call without a name or a result, with the lines after it. It has no weight if it may go
 * on elsewhere, or if the line before is its beginning, which was reported with its weight. */
static void report_incomplete(strace *s, const call *c, brz_str line, brz_str block)
{
    bool is_rest = s->is_open && has_result(line), goes_on = may_go_on(c, line, block);
    dump_left_out(&s->dump, "strace.call", line,
                  BRZ_STR("a call without a name or a result: left out"),
                  is_rest || goes_on ? 0 : 1);
    s->is_open = !has_result(line) && !goes_on;
}

/* Reads a line that is no frame, and the stack in the block after it. Stores the line that ends the
 * stack in *next: the last one of the input, or one that is joined with a frame. */
static brz_rc read_event(strace *s, brz_str first, brz_str *block, brz_str *next)
{
    call c;
    line_kind kind = read_call(first, &c);
    if (kind == PROSE && first.len > 0 && is_cut_off(first, *block) && !is_exit(first))
        kind = INCOMPLETE; /* no whole line shows that it is not of strace */
    if (kind == CALL)
        return read_stack(s, &c, first, block, next);
    if (kind == INCOMPLETE)
        report_incomplete(s, &c, first, *block);
    bool has_stack = leave_out_stack(s, kind == INCOMPLETE, block, next);
    s->is_open &= kind == INCOMPLETE && !has_stack;
    s->is_bare &= kind == PROSE && !has_stack;
    return BRZ_OK;
}

static brz_rc read_block(void *instance, brz_str block)
{
    strace *s = instance;
    brz_str nothing = brz_str_of(block.data, 0), rest = block, first = nothing;
    brz_block_line(&rest, &first);
    if (is_frame(first))
        first = nothing;
    else
        block = rest;
    brz_rc rc;
    do {
        brz_str next = nothing;
        rc = read_event(s, first, &block, &next);
        first = next;
    } while (rc == BRZ_OK && first.len > 0);
    return rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Recognises a call with a stack. */
static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    bool was_call = false;
    call c;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++) {
        if (was_call && brz_starts_with(line, BRZ_STR(" > ")) && brz_ends_with(line, BRZ_STR("]")))
            return BRZ_SNIFF_HEADER;
        was_call = read_call(line, &c) == CALL;
    }
    return BRZ_SNIFF_NO;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    dump_declare(ctx, BRZ_STR("calls"), BRZ_STR("calls"));
    return dump_open(ctx);
}

DUMP_PARSE_BLOCKS(begins, read_block)

SHIPPED_READER(strace, .open = open_instance, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS(" > "))

SHIPPED_COLLAPSER("strace", .summary = "strace -k, the stacks of system calls",
                  .help = "Record with `strace -k -f -T -o calls.txt PROGRAM`. Calls and, with -T, "
                          "their times are weights: see --weight.")
