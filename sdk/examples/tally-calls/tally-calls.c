/* A collapser for tally --calls: lines of "enter THREAD TIME NAME" and "leave THREAD TIME", in
 * nanoseconds.
 *
 * SPDX-License-Identifier: MIT
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/text.h>

typedef struct event {
    bool enters;
    uint64_t thread, time;
    brz_str name;
} event;

static bool read_event(brz_str line, event *e)
{
    e->enters = brz_str_take(&line, "enter ");
    if ((!e->enters && !brz_str_take(&line, "leave ")) || !brz_take_u64(&line, &e->thread) ||
        !brz_str_take(&line, " ") || !brz_take_u64(&line, &e->time) || e->time > INT64_MAX)
        return false;
    bool has_name = brz_str_take(&line, " ") && line.len > 0;
    e->name = line;
    return e->enters ? has_name : line.len == 0;
}

static brz_rc take_line(brz_ctx *ctx, brz_str line)
{
    event e;
    if (brz_trim(line).len == 0)
        return BRZ_OK;
    if (!read_event(line, &e)) {
        brz_report_lost(ctx, "tally-calls.line", line.data, line.len, BRZ_STR("not an event"));
        return BRZ_OK;
    }
    if (!e.enters)
        return brz_leave(ctx, e.thread, (int64_t)e.time);
    brz_frame frame = ctx->host->intern(ctx, e.name.data, e.name.len);
    return brz_enter(ctx, e.thread, frame, (int64_t)e.time);
}

static brz_rc open_calls(brz_ctx *ctx)
{
    BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("time"), .unit = BRZ_STR("nanoseconds"),
                       .flags = BRZ_COLUMN_CLOCK);
    brz_lines_init((brz_lines *)ctx->inst, ctx);
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_lines *lines = (brz_lines *)ctx->inst;
    brz_rc rc = BRZ_OK;
    brz_str line;
    brz_lines_start(lines, chunk->data, chunk->len);
    while (rc == BRZ_OK && brz_lines_take(lines, chunk, &line))
        rc = take_line(ctx, line);
    *used = chunk->len - brz_lines_rest(lines).len;
    return rc;
}

static int32_t sniff(const brz_head *head)
{
    brz_str rest = brz_head_lines(head), line;
    int n = 0;
    for (event e; n < 3 && brz_take_line(&rest, &line) && read_event(line, &e);)
        n++;
    return n == 3 ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .inst_size = sizeof(brz_lines),
    .sniff = sniff,
    .open = open_calls,
    .parse = parse,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "tally-calls",
    .summary = "tally's calls, with the time in each",
    .help = "Record with `tally --calls PROGRAM > FILE`.",
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("tally-calls", "0.1.0", "MIT", "https://example.org/tally/issues", components)
