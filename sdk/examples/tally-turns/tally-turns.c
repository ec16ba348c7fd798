/* A collapser for tally --turns: blocks of "turn at TIME of thread NUMBER for ROUTE: DURATION", in
 * milliseconds, and a line for each frame, leaf first.
 *
 * SPDX-License-Identifier: MIT
 */
#include <brazier/block_format.h>
#include <brazier/plugin.h>
#include <brazier/symbol.h>

static bool begins(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("turn at "));
}

static void set_place(brz_line_sample *sample, uint64_t thread, brz_str route)
{
    brz_label label = {.key = BRZ_STR("route"), .text = route};
    brz_tag_desc tag = brz_tag_of_thread((int64_t)thread, BRZ_STR(""));
    tag.labels = &label;
    tag.n_labels = 1;
    brz_line_tag(sample, &tag);
}

static bool read_heading(brz_line_sample *sample, brz_str line)
{
    brz_str rest, time, route;
    int64_t begin;
    uint64_t thread;
    if (!brz_str_take(&line, "turn at ") || !brz_cut_first(line, ' ', &time, &rest) ||
        !brz_parse_scaled(time, 6, &begin) || !brz_str_take(&rest, "of thread ") ||
        !brz_take_u64(&rest, &thread) || !brz_str_take(&rest, " for ") ||
        !brz_cut_last(rest, ':', &route, &rest) ||
        !brz_parse_scaled(brz_trim(rest), 6, &sample->value))
        return false;
    brz_line_time(sample, begin);
    set_place(sample, thread, route);
    return true;
}

static int32_t read_turn(brz_line_sample *sample, brz_str block)
{
    brz_str line;
    if (!brz_block_line(&block, &line) || !read_heading(sample, line))
        return BRZ_LINE_ODD;
    while (brz_block_indented_line(sample, &block, &line))
        brz_line_frame(sample, brz_trim(line));
    return BRZ_LINE_SAMPLE;
}

static brz_rc open_turns(brz_ctx *ctx)
{
    BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("time"), .unit = BRZ_STR("nanoseconds"));
    return brz_line_format_open(ctx, BRZ_LEAF_FIRST);
}

BRZ_BLOCK_COLLAPSER_OPENED(collapser, begins, read_turn, open_turns)

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "tally-turns",
    .summary = "tally's turns, with their times and threads",
    .help = "Record with `tally --turns PROGRAM > FILE`.",
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("tally-turns", "0.1.0", "MIT", "https://example.org/tally/issues", components)
