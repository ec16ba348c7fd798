/* SPDX-License-Identifier: MIT */
/* Collapses timeline recordings of Safari's Web Inspector, in JSON:
 *
 *     file   := {"version": 1, "recording": {"sampleStackTraces": [sample*],
 *                "sampleDurations": [seconds*], "startTime": seconds, …}, …}
 *     sample := {"timestamp": seconds, "stackFrames": [frame*]}
 *     frame  := {"name": "…", "url": "…", "line": n, "column": n,
 *                "expressionLocation": {"line": n, "column": n}, …}
 *
 * Frames run from leaf to root; their line is that of the function, and the expression is what runs
 * in it. Members may be in any order, and others are skipped.
 */
#include "../common/dump/dump.h"
#include "../common/json/column.h"
#include "../common/json/members.h"
#include "../common/json/text.h"

#define NANOSECONDS 9 /* decimals of a second */

typedef struct safari {
    dump dump;
    column time;
    uint32_t samples; /* column */
    brz_text name, url;
    cursor durations;
    bool has_durations; /* the list of durations has not ended */
    bool has_time;      /* there is such a list */
} safari;

/* ---- frames ---------------------------------------------------------------------------------- */

/* Reads line and column of an expression. */
static void read_place(brz_ctx *ctx, const brz_json_token *place, brz_frame_desc *frame)
{
    static const char *const keys[] = {"line", "column"};
    brz_json_token values[2] = {{0}};
    if (!members_of(ctx, place, keys, 2, values))
        return;
    frame->line = members_number(&values[0], 0);
    frame->column = members_number(&values[1], 0);
}

/* Appends the frame that has begun. Returns false if it is not an object. */
static bool push_frame(safari *s, cursor *c)
{
    static const char *const keys[] = {"name", "url", "line", "expressionLocation"};
    brz_json_token values[4] = {{0}};
    dump *d = &s->dump;
    brz_frame_desc frame = {.flags = BRZ_FRAME_JIT};
    if (!members_enter(c, keys, 4, values))
        return false;
    frame.name = json_text_into(&s->name, d->ctx, &values[0]);
    frame.file = json_text_into(&s->url, d->ctx, &values[1]);
    frame.first_line = members_number(&values[2], 0);
    read_place(d->ctx, &values[3], &frame);
    if (frame.name.len == 0)
        frame.name = BRZ_STR("(anonymous)");
    brz_path_push(d->stacks.path, d->ctx, dump_frame(d, &frame));
    return true;
}

/* Reads the frames of a sample, which may have none while no script runs. */
static bool read_stack(safari *s, const brz_json_token *frames)
{
    dump *d = &s->dump;
    brz_frame_desc idle = {.name = BRZ_STR("(idle)")};
    bool good = true;
    cursor c;
    brz_path_cut(d->stacks.path, 0);
    if (!members_open(&c, d->ctx, frames, BRZ_JSON_ARRAY))
        return false;
    while (cursor_element(&c))
        good &= push_frame(s, &c);
    if (dump_depth(d) == 0)
        brz_path_push(d->stacks.path, d->ctx, dump_frame(d, &idle));
    return good;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Sets the time of the sample. */
static void place(safari *s, const brz_json_token *timestamp)
{
    amount time;
    bool timed = column_read(&s->time, s->dump.ctx, timestamp, &time);
    int64_t nanoseconds = timed ? amount_in(time, NANOSECONDS) : 0;
    brz_stacks_place(&s->dump.stacks, BRZ_NO_TAG, timed ? BRZ_TIMED : 0, nanoseconds);
}

/* Reads the duration of the next sample. */
static bool next_duration(safari *s, amount *duration)
{
    s->has_durations = s->has_durations && cursor_element(&s->durations);
    if (!s->has_durations)
        return false;
    cursor_skip(&s->durations);
    return column_read(&s->time, s->dump.ctx, &s->durations.token, duration) &&
           duration->value >= 0;
}

static brz_rc count(safari *s, bool timed, amount duration)
{
    dump *d = &s->dump;
    brz_stacks_begin_sample(&d->stacks);
    brz_rc rc = brz_stacks_count(&d->stacks, d->ctx, s->samples, 1);
    if (timed && rc == BRZ_OK)
        rc = brz_stacks_count(&d->stacks, d->ctx, s->time.weight, amount_in(duration, NANOSECONDS));
    brz_stacks_end_sample(&d->stacks);
    return rc;
}

static brz_rc read_sample(safari *s, cursor *c)
{
    static const char *const keys[] = {"timestamp", "stackFrames"};
    brz_json_token values[2] = {{0}};
    const char *begin = c->at;
    amount duration = {0};
    bool timed = next_duration(s, &duration);
    members_enter(c, keys, 2, values);
    place(s, &values[0]);
    if (read_stack(s, &values[1])) {
        if (s->has_time && !timed)
            brz_report_lost(s->dump.ctx, "safari.duration", begin, (size_t)(c->at - begin),
                            BRZ_STR("a sample without a duration: its time is left out"));
        return count(s, timed, duration);
    }
    brz_report_lost(s->dump.ctx, "safari.sample", begin, (size_t)(c->at - begin),
                    BRZ_STR("a sample without a list of frames: left out"));
    return BRZ_OK;
}

/* ---- the recording --------------------------------------------------------------------------- */

/* Declares the weights: samples, and before them the time if there are durations. */
static void declare_weights(safari *s)
{
    brz_ctx *ctx = s->dump.ctx;
    s->time = (column){.name = BRZ_STR("time"), .unit = BRZ_STR("seconds"), .most = NANOSECONDS};
    s->has_time = s->has_durations;
    if (s->has_time) {
        column_declare(&s->time, ctx, 0);
        ctx->host->decimals(ctx, s->time.weight, NANOSECONDS);
    }
    s->samples = dump_declare(ctx, BRZ_STR("samples"), BRZ_STR("samples"));
}

static brz_rc read_recording(safari *s, const brz_json_token *recording)
{
    static const char *const keys[] = {"sampleStackTraces", "sampleDurations"};
    brz_json_token values[2] = {{0}};
    brz_ctx *ctx = s->dump.ctx;
    brz_rc rc = BRZ_OK;
    cursor c;
    members_of(ctx, recording, keys, 2, values);
    s->has_durations = members_open(&s->durations, ctx, &values[1], BRZ_JSON_ARRAY);
    declare_weights(s);
    if (!members_open(&c, ctx, &values[0], BRZ_JSON_ARRAY)) {
        BRZ_WARN(ctx, "safari.no-samples", NULL, 0,
                 "the recording has no samples: record with the timeline \"JavaScript & Events\"");
        return BRZ_OK;
    }
    while (rc == BRZ_OK && cursor_element(&c))
        rc = read_sample(s, &c);
    return rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    static const char *const codes[] = {"safari.json", "safari.cut-off"};
    static const char *const keys[] = {"recording"};
    safari *s = ctx->inst;
    brz_json_token recording = {0};
    *used = chunk->len;
    members_of_input(ctx, chunk, codes, keys, 1, &recording);
    return read_recording(s, &recording);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"recording.instrumentTypes", "recording.sampleStackTraces",
                                        NULL};
    return cursor_paths(head, paths) != 0 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

SHIPPED_READER(safari, .flags = BRZ_WHOLE_INPUT, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("instrumentTypes") BRZ_IF_CONTAINS("sampleStackTraces")
              BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER("safari", .summary = "timeline recordings of Safari's Web Inspector",
                  .help = "Record with the timeline \"JavaScript & Events\", and export the "
                          "recording. Times and samples are weights: see --weight.")
