/* SPDX-License-Identifier: MIT */
/* Writes the output "chrome-trace": the call tree as complete events ("X") of the trace event
 * format, with a thread for each weight; or, if the profile has threads, times or labels, the calls
 * of each thread (timeline.c).
 *
 *     file  := {"displayTimeUnit": "ms", "otherData": {…}, "traceEvents": [event, …]}
 *     event := {"ph": "X", "pid": 1, "tid": weight, "ts": µs, "dur": µs, "name": …, "cat": kind}
 *
 * A call begins where its previous sibling ends; the self time of a caller comes before all its
 * callees. Events are ordered callers first, as readers expect.
 */
#include "../common/axis.h"
#include "../../common/shipped.h"
#include "../common/calls.h"
#include "trace.h"

/* The call tree being written. */
typedef struct picture {
    trace *trace;
    calls calls;
} picture;

static void put_event(picture *p, uint32_t weight, uint32_t i, uint64_t at, axis a)
{
    brz_writer *w = &p->trace->w;
    BRZ_PUT(w, ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":");
    brz_put_u64(w, weight + 1);
    BRZ_PUT(w, ",\"ts\":");
    put_on_axis(w, a, at);
    BRZ_PUT(w, ",\"dur\":");
    put_on_axis(w, a, axis_length(call_total(&p->calls, i, weight)));
    put_frame(p->trace, p->calls.items[i].frame, NULL);
}

/* Writes the events of one weight. Pre-order is chronological order: a call begins once all self
 * times before it have passed. */
static void put_events(picture *p, uint32_t weight)
{
    const trace *t = p->trace;
    axis a = axis_of(brz_column_at(t->tree, weight), t->options->count_as, MICROSECONDS);
    uint64_t now = 0;
    for (uint32_t i = 0; i < p->calls.n && t->w.rc == BRZ_OK; i++) {
        if (i > 0 && call_total(&p->calls, i, weight) > 0)
            put_event(p, weight, i, now, a);
        now += axis_length(call_self(&p->calls, i, weight));
    }
}

/* States for brazier's own reader which weight is the run's, unless it is the first one. */
static void put_shown(trace *t)
{
    BRZ_PUT(&t->w, ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":");
    brz_put_u64(&t->w, t->tree->main_column + 1);
    BRZ_PUT(&t->w, ",\"name\":\"brazier\",\"args\":{\"weight\":");
    brz_put_json(&t->w, brz_column_at(t->tree, t->tree->main_column)->name);
    BRZ_PUT(&t->w, ",\"shown\":true}}");
}

/* Writes the call tree, with a thread for each weight. */
static void put_calls(trace *t)
{
    picture p = {.trace = t};
    axis_check(t->ctx, t->tree, BRZ_NO_COLUMN);
    calls_init(&p.calls, t->ctx, t->tree, CALLS_NEGATIVE_AS_ZERO);
    put_name(t, "process_name", 1, 1, t->options->name);
    for (uint32_t w = 0; w < t->tree->n_columns; w++) {
        brz_put_char(&t->w, ',');
        put_name(t, "thread_name", 1, w + INT64_C(1), brz_column_at(t->tree, w)->name);
    }
    if (t->tree->main_column > 0)
        put_shown(t);
    for (uint32_t w = 0; w < t->tree->n_columns; w++)
        put_events(&p, w);
}

static brz_rc write_trace(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    trace t = {.ctx = ctx, .options = ctx->cfg, .tree = tree};
    label_sets labels;
    tracks all;
    label_sets_init(&labels, ctx, tree);
    brz_writer_init(&t.w, ctx, sink);
    BRZ_PUT(&t.w, "{\"displayTimeUnit\":\"ms\",\n"
                  "\"otherData\":{\"creator\":\"brazier@" BRZ_SHIPPED_VERSION "\"");
    bool by_thread =
        tracks_init(&all, ctx, tree, t.options->details ? &labels : NULL, TRACKS_WITH_LABELS);
    put_facts(&t);
    BRZ_PUT(&t.w, "},\n\"traceEvents\":[");
    if (by_thread)
        put_timeline(&t, &all);
    else
        put_calls(&t);
    BRZ_PUT(&t.w, "\n]}\n");
    return brz_writer_finish(&t.w);
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "name", STR, name, "profile",
               "name of the process in viewers, if the input does not name it"),
    BRZ_OPTION(options, "count-as", ENUM, count_as, "ms",
               "time that one unit of a weight stands for, unless the weight is a time",
               .choices = axis_words),
    BRZ_OPTION(
        options, "details", BOOL, details, "true",
        "include the module, file and line of frames, and the labels of samples, where known"),
};

static const char *const endings[] = {"trace.json", "trace", NULL};

SHIPPED_WRITER(write_trace, "application/json",
               BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_TIME | BRZ_OUTPUT_FRAMES)

SHIPPED_PLUGIN(
    "chrome-trace", BRZ_OUTPUT, &output,
    .summary =
        "the calls of threads, or the call tree, as trace events for Perfetto and chrome://tracing",
    BRZ_OPTIONS(option_table, options))
