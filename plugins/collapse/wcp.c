/* Collapses reports of wallClockProfiler:
 *
 *     input := line* stack*
 *     stack := share "%" "="+ "(" count "sample" ["s"] ")" frame*
 *     frame := number ":" function ["(at" file ":" line ")"]
 *
 * Frames run from leaf to root; a blank line ends a stack.
 */
#include "../common/dump/dump.h"

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    size_t at = brz_str_find(text, BRZ_STR("(at "), 0);
    if (at != SIZE_MAX && brz_ends_with(text, BRZ_STR(")"))) {
        dump_place(brz_str_of(text.data + at + 4, text.len - at - 5), frame);
        text.len = at;
    }
    text = brz_trim(text);
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
static bool take_position(brz_str *text)
{
    uint64_t number;
    return brz_take_u64(text, &number) && brz_str_take(text, ": ") && text->len > 0;
}

/* Reports the stacks in a block that have no share: their frames follow a blank line, or another
 * line that is no frame. */
static void report_others(dump *d, brz_str block)
{
    brz_str line;
    bool reported = false;
    while (brz_block_line(&block, &line)) {
        brz_str text = brz_trim(line);
        bool is_frame = take_position(&text);
        if (is_frame && !reported)
            brz_report_lost(d->ctx, "wcp.share", line.data, line.len,
                            BRZ_STR("stack without the line with its share: left out"));
        reported = is_frame;
    }
}

/* Counts the stack that was read. */
static brz_rc end_stack(dump *d, brz_str block, uint64_t count)
{
    if (dump_depth(d) == 0)
        dump_left_out(d, "wcp.stack", block, BRZ_STR("stack without a frame: left out"),
                      (int64_t)count);
    return dump_count(d, 0, (int64_t)count);
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

static brz_rc read_block(void *instance, brz_str block)
{
    dump *d = instance;
    brz_str whole = block, line = brz_str_of(NULL, 0);
    uint64_t count, next;
    brz_rc rc = BRZ_OK;
    brz_block_line(&block, &line);
    if (!take_header(line, &count)) {
        report_others(d, whole);
        return BRZ_OK;
    }
    while (rc == BRZ_OK && brz_block_line(&block, &line) && brz_trim(line).len > 0) {
        brz_str text = brz_trim(line);
        if (take_position(&text)) {
            dump_push(d, text, 0, describe);
        } else if (take_joined_header(d, line, &next)) {
            rc = end_stack(d, whole, count);
            count = next;
            whole = line;
        } else {
            dump_left_out(d, "wcp.frame", line, BRZ_STR("not a frame: left out"), 0);
        }
    }
    report_others(d, block);
    return rc == BRZ_OK ? end_stack(d, whole, count) : rc;
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
