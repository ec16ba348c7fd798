/* A collapser for turns of processes: blocks of times in microseconds and of functions, leaf first.
 *
 *     turn  := "turn " process " " name " " begin " " duration LF (" " function LF)*
 *
 * SPDX-License-Identifier: MIT
 */
#include <brazier/block_format.h>
#include <brazier/plugin.h>
#include <brazier/symbol.h>

static bool begins(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("turn "));
}

static bool read_heading(brz_line_sample *sample, brz_str line)
{
    brz_str words[5], *word = words;
    int64_t process, begin;
    while (word < words + 5 && brz_take_piece(&line, ' ', word))
        word++;
    if (word < words + 5 || line.data != NULL || !brz_parse_i64(words[1], &process) ||
        !brz_parse_scaled(words[3], 3, &begin) || !brz_parse_scaled(words[4], 3, &sample->value))
        return false;
    brz_line_time(sample, begin);
    brz_line_thread(sample, process, words[2]);
    return true;
}

static int32_t read_turn(brz_line_sample *sample, brz_str block)
{
    brz_str line;
    if (!brz_block_line(&block, &line) || !begins(line) || !read_heading(sample, line))
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
    .id = "beam",
    .summary = "turns of processes, with their times",
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("beam", "1.0", "MIT", "https://example.org/brazier-beam/issues", components)
