/* Writes the output "chrome-trace": the call tree as complete events ("X") of the trace event
 * format, with a thread for each weight.
 *
 *     file  := {"displayTimeUnit": "ms", "otherData": {…}, "traceEvents": [event, …]}
 *     event := {"ph": "X", "pid": 1, "tid": weight, "ts": µs, "dur": µs, "name": …, "cat": kind}
 *
 * A call begins where its previous sibling ends; the self time of a caller comes before all its
 * callees. Events are ordered callers first, as readers expect.
 */
#include <brazier/plugin.h>
#include <brazier/write.h>

#include "common/axis.h"
#include "common/calls.h"
#include "common/frame_kind.h"

#define MICROSECONDS 6

typedef struct options {
    brz_str name;
    int32_t count_as;
    bool details;
} options;

/* State of one trace being written. */
typedef struct trace {
    brz_writer w;
    const options *options;
    const brz_tree *tree;
    calls calls;
} trace;

static void put_metadata(trace *t, const char *what, uint32_t tid, brz_str name)
{
    BRZ_PUT(&t->w, "\n{\"ph\":\"M\",\"pid\":1,\"tid\":");
    brz_put_u64(&t->w, tid);
    BRZ_PUT(&t->w, ",\"name\":\"");
    brz_put_text(&t->w, what);
    BRZ_PUT(&t->w, "\",\"args\":{\"name\":");
    brz_put_json(&t->w, name);
    BRZ_PUT(&t->w, "}}");
}

static bool put_detail(brz_writer *w, bool first, const char *key, brz_str value)
{
    if (value.len == 0)
        return first;
    brz_put_text(w, first ? ",\"args\":{" : ",");
    brz_put_text(w, key);
    brz_put_json(w, value);
    return false;
}

static void put_details(brz_writer *w, const brz_frame_info *f)
{
    bool first = put_detail(w, true, "\"module\":", f->module);
    first = put_detail(w, first, "\"file\":", f->file);
    if (f->line > 0) {
        brz_put_text(w, first ? ",\"args\":{\"line\":" : ",\"line\":");
        brz_put_u64(w, f->line);
        first = false;
    }
    if (!first)
        brz_put_char(w, '}');
}

static void put_event(trace *t, uint32_t weight, uint32_t i, uint64_t at, axis a)
{
    const brz_frame_info *f = brz_frame_at(t->tree, t->calls.items[i].frame);
    brz_str kind = frame_kind_word(brz_frame_category(f->kind, f->flags));
    BRZ_PUT(&t->w, ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":");
    brz_put_u64(&t->w, weight + 1);
    BRZ_PUT(&t->w, ",\"ts\":");
    put_on_axis(&t->w, a, at);
    BRZ_PUT(&t->w, ",\"dur\":");
    put_on_axis(&t->w, a, axis_length(call_total(&t->calls, i, weight)));
    BRZ_PUT(&t->w, ",\"name\":");
    brz_put_json(&t->w, brz_display_name(f->name));
    BRZ_PUT(&t->w, ",\"cat\":");
    brz_put_json(&t->w, kind.len > 0 ? kind : BRZ_STR("frame"));
    if (t->options->details)
        put_details(&t->w, f);
    brz_put_char(&t->w, '}');
}

/* Writes the events of one weight. Pre-order is chronological order: a call begins once all self
 * times before it have passed. */
static void put_events(trace *t, uint32_t weight)
{
    const brz_weight_info *info = brz_weight_at(t->tree, weight);
    axis a = axis_of(info, t->options->count_as, MICROSECONDS);
    uint64_t now = 0;
    for (uint32_t i = 0; i < t->calls.n && t->w.rc == BRZ_OK; i++) {
        if (i > 0 && call_total(&t->calls, i, weight) > 0)
            put_event(t, weight, i, now, a);
        now += axis_length(call_self(&t->calls, i, weight));
    }
}

static brz_rc write_trace(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    trace t = {.options = ctx->cfg, .tree = tree};
    brz_writer_init(&t.w, ctx, sink);
    calls_init(&t.calls, ctx, tree, CALLS_NEGATIVE_AS_ZERO);
    BRZ_PUT(&t.w, "{\"displayTimeUnit\":\"ms\",\n"
                  "\"otherData\":{\"creator\":\"brazier@" BRZ_SHIPPED_VERSION "\"},\n"
                  "\"traceEvents\":[");
    put_metadata(&t, "process_name", 1, t.options->name);
    for (uint32_t w = 0; w < tree->n_weights; w++) {
        brz_put_char(&t.w, ',');
        put_metadata(&t, "thread_name", w + 1, brz_weight_at(tree, w)->name);
    }
    axis_check(ctx, tree, BRZ_NO_WEIGHT);
    for (uint32_t w = 0; w < tree->n_weights; w++)
        put_events(&t, w);
    BRZ_PUT(&t.w, "\n]}\n");
    return brz_writer_finish(&t.w);
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "name", STR, name, "profile", "name of the process in viewers"),
    BRZ_OPTION(options, "count-as", ENUM, count_as, "ms",
               "time that one unit of a weight stands for, unless the weight is a time",
               .choices = axis_words),
    BRZ_OPTION(options, "details", BOOL, details, "true",
               "include the module, file and line of frames, where known"),
};

static const char *const endings[] = {"trace.json", "trace", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS,
    .media_type = "application/json",
    .endings = endings,
    .write = write_trace,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_OUTPUT,
    .id = "chrome-trace",
    .summary = "the call tree as trace events, for Perfetto and chrome://tracing",
    BRZ_OPTIONS(option_table, options),
    .vtable = &output,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("chrome-trace", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
