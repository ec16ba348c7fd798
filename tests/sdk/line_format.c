/* SPDX-License-Identifier: MIT */
/* Collapsers that use <brazier/line_format.h>: "root<callee 3" and, leaf first, "callee>root
 * 3". A name "*" stands for one that is not in the line, "+" before the number selects the second
 * column. The last one reads "time thread stack number", with "-" for what is unknown. */
#include <brazier/line_format.h>
#include <brazier/plugin.h>

static void describe(brz_ctx *ctx, brz_str text, brz_frame_desc *frame)
{
    (void)ctx;
    brz_cut_last(text, '@', &frame->name, &frame->module);
}

static int32_t read_line(brz_line_sample *sample, brz_str line, char divider)
{
    brz_str stack, count, frame;
    if (line.len == 0 || line.data[0] == '#')
        return BRZ_LINE_NONE;
    if (!brz_cut_last(line, ' ', &stack, &count))
        return BRZ_LINE_ODD;
    if (count.len > 0 && count.data[0] == '+') {
        count = brz_str_of(count.data + 1, count.len - 1);
        sample->column = 1;
    }
    if (count.len > 0 && !brz_parse_i64(count, &sample->value))
        return BRZ_LINE_ODD;
    while (stack.len > 0 && brz_take_piece(&stack, divider, &frame))
        brz_line_described_frame(sample,
                                 frame.len == 1 && frame.data[0] == '*' ? BRZ_STR("star") : frame,
                                 divider == '|' ? describe : NULL);
    return BRZ_LINE_SAMPLE;
}

static int32_t read_root_first(brz_line_sample *sample, brz_str line)
{
    return read_line(sample, line, '<');
}

static int32_t read_leaf_first(brz_line_sample *sample, brz_str line)
{
    return read_line(sample, line, '>');
}

static int32_t read_described(brz_line_sample *sample, brz_str line)
{
    return read_line(sample, line, '|');
}

static int32_t read_timed(brz_line_sample *sample, brz_str line)
{
    brz_str time, thread;
    int64_t number;
    if (!brz_cut_first(line, ' ', &time, &line) || !brz_cut_first(line, ' ', &thread, &line))
        return line.len == 0 ? BRZ_LINE_NONE : BRZ_LINE_ODD;
    if (brz_parse_i64(time, &number))
        brz_line_time(sample, number);
    if (brz_parse_i64(thread, &number))
        brz_line_thread(sample, number, BRZ_STR("worker"));
    return read_line(sample, line, '<');
}

BRZ_LINE_FUNCTIONS(described, read_described)

static brz_rc open_described(brz_ctx *ctx)
{
    brz_column_desc time = {.struct_size = sizeof time};
    brz_column_desc calls = time;
    time.name = BRZ_STR("time");
    time.unit = BRZ_STR("nanoseconds");
    calls.name = calls.unit = BRZ_STR("calls");
    ctx->host->column(ctx, &time);
    ctx->host->column(ctx, &calls);
    return brz_line_format_open(ctx, 0);
}

static const brz_collapser described = {
    .struct_size = sizeof described,
    .flags = BRZ_SPLITTABLE,
    .inst_size = sizeof(brz_line_sample),
    .sniff = described_sniff,
    .boundary = brz_line_format_boundary,
    .open = open_described,
    .parse = described_parse,
    .finish = brz_line_format_finish,
};

BRZ_LINE_COLLAPSER(root_first, read_root_first, 0)
BRZ_LINE_COLLAPSER(timed, read_timed, 0)
BRZ_LINE_COLLAPSER(leaf_first, read_leaf_first, BRZ_LEAF_FIRST)

static const brz_component first = {
    .struct_size = sizeof first,
    .kind = BRZ_COLLAPSER,
    .id = "root-first",
    .summary = "roots first",
    .vtable = &root_first,
};

static const brz_component second = {
    .struct_size = sizeof second,
    .kind = BRZ_COLLAPSER,
    .id = "leaf-first",
    .summary = "leaves first",
    .vtable = &leaf_first,
};

static const brz_component third = {
    .struct_size = sizeof third,
    .kind = BRZ_COLLAPSER,
    .id = "described",
    .summary = "with weights and modules",
    .vtable = &described,
};

static const brz_component fourth = {
    .struct_size = sizeof fourth,
    .kind = BRZ_COLLAPSER,
    .id = "timed",
    .summary = "with times and threads",
    .vtable = &timed,
};

static const brz_component *const components[] = {&first, &second, &third, &fourth, NULL};

BRZ_PLUGIN("line-formats", "1.0", "MIT", "https://example.org/bugs", components)
