/* SPDX-License-Identifier: MIT */
/* Collapses traces of Chrome's trace event format, and the CPU profiles of V8 in them. */
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include "../../common/json/text.h"
#include "../../common/shipped.h"
#include "trace.h"

static brz_rc open_instance(brz_ctx *ctx)
{
    trace *t = ctx->inst;
    tree_init(&t->tree, ctx, "hitCount");
    brz_frame_cache_init(&t->keys, ctx);
    t->time = (column){
        .name = BRZ_STR("time"), .unit = BRZ_STR("microseconds"), .weight = UINT32_MAX, .most = 9};
    t->calls = t->time;
    t->calls.name = BRZ_STR("events");
    return BRZ_OK;
}

/* ---- columns ------------------------------------------------------------------------------- */

#define MOST_COLUMNS 255

/* Returns the index of the column with a name; adds it if necessary. */
static size_t own_column(trace *t, brz_ctx *ctx, brz_str name)
{
    column c = t->time;
    for (size_t i = 0; i < t->n_columns; i++)
        if (brz_str_equal(t->columns[i].name, name))
            return i;
    c.name = name;
    t->columns = brz_list_room(ctx, t->columns, t->n_columns, &t->columns_cap, sizeof c);
    t->columns[t->n_columns] = c;
    return t->n_columns++;
}

/* Gives each thread of a file that brazier wrote its column. */
static brz_rc declare_own(trace *t, brz_ctx *ctx)
{
    size_t shown = SIZE_MAX;
    for (size_t i = 0; i < t->n_tracks && t->n_columns <= MOST_COLUMNS; i++) {
        track *of = &t->tracks[i];
        brz_json_token name = {BRZ_JSON_STRING, of->name};
        if (of->origin != NULL)
            name = of->origin[ORIGIN_WEIGHT];
        brz_str text = json_text(ctx, &name);
        if (of->n_events > 0 || text.len > 0)
            of->column = own_column(t, ctx, text.len > 0 ? text : t->time.name);
        if (of->origin != NULL && of->origin[ORIGIN_SHOWN].kind == BRZ_JSON_TRUE)
            shown = of->column;
    }
    if (t->n_columns > MOST_COLUMNS) {
        brz_report(ctx, BRZ_FATAL, "chrome-trace.columns", NULL, 0,
                   BRZ_STR("the trace has more than 255 weights"));
        return BRZ_ERROR;
    }
    for (size_t i = 0; i < t->n_columns; i++)
        column_declare(&t->columns[i], ctx, i == shown ? BRZ_COLUMN_DEFAULT : 0);
    return BRZ_OK;
}

/* Declares the columns. Time is the default: that of profiles or, without any, that of events. */
static brz_rc declare(trace *t, brz_ctx *ctx, bool events)
{
    bool has_times, profiled = profiles_measure(t, ctx, &has_times);
    if (t->own)
        return declare_own(t, ctx);
    bool beside = events && has_times;
    if (has_times || events)
        column_declare(&t->time, ctx, 0);
    if (profiled)
        t->count = BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("samples"), .unit = BRZ_STR("samples"),
                                      .flags = BRZ_COLUMN_SAMPLES);
    if (beside)
        column_declare(&t->calls, ctx, 0);
    column *calls = beside ? &t->calls : &t->time;
    return events ? column_refine(calls, ctx, &t->tree.stacks, t->needed) : BRZ_OK;
}

static brz_rc refine_own(trace *t, brz_ctx *ctx)
{
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < t->n_columns && rc == BRZ_OK; i++)
        rc = column_refine(&t->columns[i], ctx, &t->tree.stacks, t->needed);
    return rc;
}

/* ---- parsing ------------------------------------------------------------------------------- */

/* Returns whether asynchronous events count: if the user asks for them, or if there are no others.
 */
static bool counts_async(const trace *t, brz_ctx *ctx)
{
    const options *o = ctx->cfg;
    if (o->async || t->async == 0)
        return true;
    bool only = !t->has_calls && t->n_profiles == 0 && t->n_samples == 0;
    brz_report_count(ctx, BRZ_NOTE, "chrome-trace.async", only ? 0 : t->async, 0,
                     BRZ_STR("asynchronous events are not counted ({count}); --async counts them"));
    return only;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    trace *t = ctx->inst;
    *used = chunk->len;
    trace_read(t, ctx, brz_str_of((const char *)chunk->data, chunk->len));
    bool async = counts_async(t, ctx);
    bool events = t->has_calls || (async && t->async > 0);
    brz_rc rc = declare(t, ctx, events);
    if (rc == BRZ_OK)
        rc = refine_own(t, ctx);
    if (rc == BRZ_OK && !t->own)
        rc = profiles_count(t, ctx);
    if (rc == BRZ_OK && events)
        rc = calls_count(t, ctx, async);
    return rc;
}

static brz_rc finish(brz_ctx *ctx)
{
    trace *t = ctx->inst;
    return brz_stacks_finish(&t->tree.stacks, ctx);
}

/* ---- format detection ---------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const object[] = {"traceEvents", NULL};
    static const char *const element[] = {"ph", "pid", "tid", "ts", NULL};
    uint32_t found = cursor_element_paths(head, element);
    bool list = (found & 1) != 0 && (found & 14) != 0;
    return list || cursor_paths(head, object) != 0 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const brz_option option_table[] = {
    BRZ_OPTION(options, "args", BOOL, args, "false",
               "append the arguments of events to their names"),
    BRZ_OPTION(options, "async", BOOL, async, "false",
               "count asynchronous events, too, each operation for itself"),
};

static const char *const globs[] = {"*.trace.json", NULL};

SHIPPED_READER(trace, .flags = BRZ_WHOLE_INPUT, .globs = globs, .open = open_instance,
               .finish = finish)

BRZ_HINTS(BRZ_IF_NAME("*.trace.json") BRZ_IF_CONTAINS("traceEvents") BRZ_IF_CONTAINS("\"ph\"")
              BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER(
    "chrome-trace",
    .summary = "traces in Chrome's trace event format, with the CPU profiles of V8 in them",
    .help =
        "Save a recording of the performance panel in Chrome's developer tools, or trace with "
        "`clang -ftime-trace`, `node --trace-events-enabled` and others. The time of events, and "
        "time and number of samples of profiles, are weights: see --weight.",
    BRZ_OPTIONS(option_table, options))
