/* SPDX-License-Identifier: MIT */
/* A collapser for thread dumps of Java, as jstack and jcmd print them, that uses
 * <brazier/block_format.h>:
 *
 *     thread := '"' name '"' attributes "tid=" ... LF [state LF (frame | detail)*]
 *     frame  := TAB "at " function "(" [module "/"] file [":" line] ")" LF
 *
 * Each runnable thread is a sample, with its name as the root frame. Threads that wait in a system
 * call and those of the compiler and of signals do not count. */
#include <brazier/block_format.h>
#include <brazier/plugin.h>
#include <brazier/symbol.h>

static bool begins(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("\"")) &&
           brz_str_find(line, BRZ_STR(" tid="), 1) < line.len;
}

static bool is_background(brz_str thread)
{
    return brz_str_find(thread, BRZ_STR(" CompilerThread"), 0) < thread.len ||
           brz_str_equal(thread, BRZ_STR("Signal Dispatcher")) ||
           brz_str_equal(thread, BRZ_STR("Service Thread")) ||
           brz_str_equal(thread, BRZ_STR("Attach Listener"));
}

/* Describes "a.b.C.m(java.base@17/C.java:12)"; the name of a thread has no parentheses at its end.
 */
static void describe(brz_ctx *ctx, brz_str text, brz_frame_desc *frame)
{
    brz_str place, number;
    uint64_t line;
    (void)ctx;
    if (!brz_ends_with(text, BRZ_STR(")")) || !brz_cut_first(text, '(', &frame->name, &place))
        return;
    place.len--;
    brz_cut_first(place, '/', &frame->module, &place);
    if (brz_cut_last(place, ':', &frame->file, &number) && brz_parse_u64(number, &line))
        frame->line = (uint32_t)line;
}

static int32_t read_thread(brz_line_sample *sample, brz_str block)
{
    brz_str line, name, rest, state = BRZ_STR("");
    if (!brz_block_line(&block, &line) || !begins(line))
        return BRZ_LINE_NONE; /* the heading of a dump */
    if (!brz_cut_last(line, '"', &name, &rest) || name.len <= 1)
        return BRZ_LINE_ODD;
    name = brz_str_of(name.data + 1, name.len - 1);
    brz_block_line(&block, &state);
    if (!brz_starts_with(brz_trim(state), BRZ_STR("java.lang.Thread.State: RUNNABLE")) ||
        is_background(name))
        return BRZ_LINE_NONE;
    while (brz_block_line(&block, &line) && (line = brz_trim(line)).len > 0) {
        if (!brz_str_take(&line, "at "))
            continue; /* locks, and notes of the compiler */
        if (!brz_ends_with(line, BRZ_STR(")")))
            brz_block_warn(sample, "threads.frame", line, BRZ_STR("a frame without its file"));
        if (brz_str_find(line, BRZ_STR(".epollWait("), 0) < line.len)
            return BRZ_LINE_NONE;
        brz_line_described_frame(sample, line, describe);
    }
    brz_line_described_frame(sample, name, describe);
    return BRZ_LINE_SAMPLE;
}

BRZ_BLOCK_COLLAPSER(collapser, begins, read_thread, BRZ_LEAF_FIRST)

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "threads",
    .summary = "thread dumps of Java",
    .help = "Record with `jstack PID > FILE`.",
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("threads", "1.0", "MIT", "https://example.org/bugs", components)
