/* Collapses recordings of Java Flight Recorder.
 *
 * chunk.c finds the chunks and their parts, types.c reads the metadata, objects.c reads records by
 * it, constants.c finds constants, frames.c makes stacks of these and tags.c tags, columns.c
 * chooses the columns of events, events.c counts them. */
#include <brazier/plugin.h>

#include "events.h"
#include "../../common/shipped.h"

/* The budget for names, labels and frames: a constant, and so many units for each byte. */
#define BUDGET_LEAST    (UINT64_C(16) << 20)
#define BUDGET_PER_BYTE 64

/* The fields that may be read beside those for the bytes of chunks. */
#define STEPS_LEAST (UINT64_C(1) << 20)

typedef struct options {
    bool merge_generated;
} options;

typedef struct recording {
    chunk chunk;
    events events;
    int64_t start, end; /* in nanoseconds since 1970; INT64_MAX: no chunk so far */
} recording;

static chunks chunks_of(brz_ctx *ctx, const brz_chunk *input, bool reports)
{
    chunks s = {.ctx = ctx, .reports = reports};
    s.data = s.at = input->data;
    s.end = input->data + input->len;
    return s;
}

static void take_period(recording *r)
{
    const chunk *c = &r->chunk;
    int64_t end;
    if (__builtin_add_overflow(c->start_ns, c->duration_ns > 0 ? c->duration_ns : 0, &end))
        end = c->start_ns;
    r->start = c->start_ns < r->start ? c->start_ns : r->start;
    r->end = end > r->end ? end : r->end;
}

/* States when the recording was made. Times of samples are those of the same clock. */
static void state_period(const recording *r, brz_ctx *ctx)
{
    brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair)};
    if (r->start <= 0 || r->start == INT64_MAX)
        return;
    m.start = m.clock_start = r->start;
    m.duration = r->end - r->start;
    ctx->host->metadata(ctx, &m);
}

/* Finds the columns of all chunks, and reports damage. */
static brz_rc collect(recording *r, brz_ctx *ctx, const brz_chunk *input)
{
    chunks s = chunks_of(ctx, input, true);
    bool found = true;
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && found) {
        rc = chunks_next(&s, &r->chunk, &found);
        if (rc == BRZ_OK && found) {
            columns_collect(&r->events.columns, &r->chunk);
            take_period(r);
        }
    }
    return rc;
}

static brz_rc count(recording *r, brz_ctx *ctx, const brz_chunk *input)
{
    chunks s = chunks_of(ctx, input, false);
    bool found = true;
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && found) {
        rc = chunks_next(&s, &r->chunk, &found);
        if (rc != BRZ_OK || !found)
            continue;
        columns_connect(&r->events.columns, &r->chunk);
        constants_read(&r->chunk);
        rc = events_count(&r->events, &r->chunk);
    }
    return rc == BRZ_OK ? events_finish(&r->events) : rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *input, size_t *used)
{
    recording *r = ctx->inst;
    const options *o = ctx->cfg;
    *used = input->len;
    r->chunk.reader.ctx = ctx;
    r->chunk.reader.budget = BUDGET_LEAST + BUDGET_PER_BYTE * (uint64_t)input->len;
    r->chunk.steps = STEPS_LEAST;
    r->start = INT64_MAX;
    events_init(&r->events, ctx, o->merge_generated);
    brz_rc rc = collect(r, ctx, input);
    if (rc != BRZ_OK)
        return rc;
    state_period(r, ctx);
    columns_declare(&r->events.columns);
    return count(r, ctx, input);
}

static const brz_magic magics[] = {
    {.offset = 0, .len = 4, .bytes = "FLR\0", .score = BRZ_SNIFF_MAGIC},
};

static const char *const globs[] = {"*.jfr", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "merge-generated", BOOL, merge_generated, "false",
               "number neither lambdas nor accessors that the JVM generates: App$$Lambda_.run"),
};

SHIPPED_BINARY_READER(recording, SHIPPED_MAGICS(magics), .record_max = UINT64_C(1) << 40)

SHIPPED_COLLAPSER(
    "jfr", .summary = "recordings of Java Flight Recorder: .jfr",
    .help = "The JVM, async-profiler and Datadog's profiler write them. Record with `java "
            "-XX:StartFlightRecording=filename=FILE`. Samples of the processor, allocations, locks "
            "and other events are weights of their own: see -w.",
    BRZ_OPTIONS(option_table, options))
