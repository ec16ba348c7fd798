/* Collapses reports of wallClockProfiler:
 *
 *     input := line* stack*
 *     stack := share "%" "="+ "(" count "sample" ["s"] ")" frame*
 *     frame := number ":" function ["(at" file ":" line ")"]
 *
 * Frames run from leaf to root; a blank line ends a stack.
 */
#include "../common/dump/dump.h"

/* Returns the position of " (at a.c:9)", which may break off, in the text of a frame, or SIZE_MAX.
 */
static size_t find_place(brz_str text)
{
    return brz_str_find(text, BRZ_STR(" (at "), 0);
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    size_t at = find_place(text);
    if (at != SIZE_MAX && brz_ends_with(text, BRZ_STR(")")))
        dump_place(brz_str_of(text.data + at + 5, text.len - at - 6), frame);
    text = brz_trim(brz_str_of(text.data, at == SIZE_MAX ? text.len : at));
    if (!brz_str_is(text, "??"))
        frame->name = dump_repaired(d, text);
}

/* Parses " 59.167% ===== (71 samples)". */
static bool take_header(brz_str line, uint64_t *count)
{
    brz_str share, rest, bar;
    if (!brz_cut_first(brz_trim(line), '%', &share, &rest) || share.len == 0 ||
        !brz_is_digit(share.data[0]) || !brz_cut_last(rest, '(', &bar, &rest))
        return false;
    bar = brz_trim(bar);
    for (size_t i = 0; i < bar.len; i++)
        if (bar.data[i] != '=')
            return false;
    return brz_take_u64(&rest, count) && *count <= INT64_MAX &&
           (brz_str_is(rest, " samples)") || brz_str_is(rest, " sample)"));
}

static bool begins(brz_str line)
{
    uint64_t count;
    return take_header(line, &count);
}

/* Removes "1: " from the front. */
static bool take_position(brz_str *text, uint64_t *number)
{
    return brz_take_u64(text, number) && brz_str_take(text, ": ") && text->len > 0;
}

/* Reports the stacks in a block that have no share: their frames follow a blank line, or another
 * line that is no frame. */
static void report_others(dump *d, brz_str block)
{
    brz_str line;
    uint64_t number;
    bool reported = false;
    while (brz_block_line(&block, &line)) {
        brz_str text = brz_trim(line);
        bool is_frame = take_position(&text, &number) || brz_starts_with(text, BRZ_STR(": "));
        if (is_frame && !reported)
            brz_report_lost(d->ctx, "wcp.share", line.data, line.len,
                            BRZ_STR("stack without the line with its share: left out"));
        reported = is_frame;
    }
}

/* A stack that is being read. */
typedef struct stack {
    brz_str block;     /* its lines */
    uint64_t count;    /* from its share */
    uint64_t position; /* number of the last frame */
} stack;

/* Counts the stack that was read. */
static brz_rc end_stack(dump *d, const stack *s)
{
    if (dump_depth(d) == 0)
        dump_left_out(d, "wcp.stack", s->block, BRZ_STR("stack without a frame: left out"),
                      (int64_t)s->count);
    return dump_count(d, 0, (int64_t)s->count);
}

/* Reads a line of a share after a byte that was the blank line in front of it. Returns false for
 * other lines. */
static bool take_joined_header(dump *d, brz_str line, uint64_t *count)
{
    if (line.len < 2 || !take_header(brz_str_from(line, 1), count))
        return false;
    BRZ_WARN(d->ctx, "wcp.byte", line.data, line.len,
             "a byte in front of the line of a share: another stack begins");
    return true;
}

/* Adds a frame. Its number shows whether frames in front of it are missing. */
static void push_frame(dump *d, stack *s, brz_str line, brz_str text, uint64_t number)
{
    if (number != s->position + 1)
        dump_frames_missing(d, "wcp.position", line);
    if (find_place(text) != SIZE_MAX && !brz_ends_with(text, BRZ_STR(")")))
        BRZ_WARN(d->ctx, "wcp.cut-off", line.data, line.len, "the place of a frame breaks off");
    s->position = number;
    dump_push(d, text, 0, describe);
}

/* Finds the next frame after the place of a frame: the line end between them is damaged. Removes it
 * from the text. Returns it, or an empty text. */
static brz_str take_second(brz_str *text, uint64_t number)
{
    size_t at = brz_str_find(*text, BRZ_STR(")"), find_place(*text));
    uint64_t next;
    if (at == SIZE_MAX || at + 2 >= text->len)
        return brz_str_of(NULL, 0);
    brz_str second = brz_trim(brz_str_from(*text, at + 2)), rest = second;
    if (!take_position(&rest, &next) || next != number + 1)
        return brz_str_of(NULL, 0);
    text->len = at + 1;
    return second;
}

/* Adds the frames of a line, which has several if line ends are damaged. */
static void push_frames(dump *d, stack *s, brz_str line, brz_str text, uint64_t number)
{
    brz_str second;
    while (find_place(text) != SIZE_MAX && (second = take_second(&text, number)).len > 0) {
        BRZ_WARN(d->ctx, "wcp.joined", line.data, line.len, "several frames on one line: divided");
        push_frame(d, s, line, text, number);
        text = second;
        take_position(&text, &number);
    }
    push_frame(d, s, line, text, number);
}

/* Reads a line that is no frame. */
static brz_rc read_other(dump *d, stack *s, brz_str line)
{
    uint64_t count;
    brz_rc rc = BRZ_OK;
    if (take_joined_header(d, line, &count)) {
        rc = end_stack(d, s);
        *s = (stack){.block = line, .count = count};
    } else {
        dump_left_out(d, "wcp.frame", line, BRZ_STR("not a frame: left out"), 0);
        s->position++;
    }
    return rc;
}

static brz_rc read_block(void *instance, brz_str block)
{
    dump *d = instance;
    stack s = {.block = block};
    brz_str line = brz_str_of(NULL, 0), rest = block;
    uint64_t number;
    brz_rc rc = BRZ_OK;
    brz_block_line(&rest, &line);
    if (!take_header(line, &s.count)) {
        report_others(d, block);
        return BRZ_OK;
    }
    block = rest;
    while (rc == BRZ_OK && brz_block_line(&rest, &line) && brz_trim(line).len > 0) {
        brz_str text = brz_trim(line);
        bool is_frame = take_position(&text, &number);
        if (is_frame && number == 1 && dump_depth(d) > 0) /* of a stack without a share */
            break;
        if (is_frame)
            push_frames(d, &s, line, text, number);
        else
            rc = read_other(d, &s, line);
        block = rest;
    }
    report_others(d, block);
    return rc == BRZ_OK ? end_stack(d, &s) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    bool heading = false;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++) {
        heading |= brz_starts_with(line, BRZ_STR("Full stacks"));
        if (begins(line))
            return heading ? BRZ_SNIFF_HEADER : BRZ_SNIFF_RECORDS;
    }
    return BRZ_SNIFF_NO;
}

DUMP_PARSE_BLOCKS(begins, read_block)

SHIPPED_READER(dump, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS(" sample"))

SHIPPED_COLLAPSER("wcp", .summary = "wallClockProfiler, its full stacks",
                  .help = "Give it the whole report of wallClockProfiler.")
