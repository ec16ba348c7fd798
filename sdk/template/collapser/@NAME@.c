/* Collapses the output of @NAME@, which writes a line per stack: "main > load > parse : 12".
 *
 * SPDX-License-Identifier: MIT
 */
#include <brazier/line_format.h>
#include <brazier/plugin.h>

/* Parses a line: returns its type and stores the sample's frames, root first, and its count. */
static int32_t read_line(brz_line_sample *sample, brz_str line)
{
    brz_str stack, count, frame;
    line = brz_trim(line);
    if (line.len == 0 || line.data[0] == '#')
        return BRZ_LINE_NONE;
    if (!brz_cut_last(line, ':', &stack, &count) || !brz_parse_i64(brz_trim(count), &sample->value))
        return BRZ_LINE_ODD;
    while (brz_take_piece(&stack, '>', &frame))
        brz_line_frame(sample, brz_trim(frame));
    return BRZ_LINE_SAMPLE;
}

BRZ_LINE_COLLAPSER(collapser, read_line, 0)

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "@NAME@",
    .summary = "stacks of @NAME@",
    .help = "Record with `@NAME@ PROGRAM > FILE`.",
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("@NAME@", "0.1.0", "MIT", "https://example.org/@NAME@/issues", components)
