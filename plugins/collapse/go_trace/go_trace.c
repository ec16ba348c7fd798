/* SPDX-License-Identifier: MIT */
/* Collapses execution traces of Go: what runtime/trace and `go test -trace` write.
 *
 * read_new.c reads the format since Go 1.22, read_old.c the one before; events.c knows the events
 * of both, tables.c their texts and stacks. order.c merges the events of all threads, goroutines.c
 * follows the goroutines, and counts.c counts their time.
 */
#include <brazier/plugin.h>

#include "../../common/shipped.h"
#include "trace.h"

typedef struct options {
    bool addrs;
} options;

/* Length of the header, "go 1.22 trace" and zeros. */
#define HEADER_SIZE 16

/* ---- header ------------------------------------------------------------------------------ */

/* Parses the header. Returns the version, or 0. */
static uint32_t parse_header(const void *head, size_t len)
{
    static const char begin[] = "go 1.", end[HEADER_SIZE] = " trace";
    const char *data = head;
    uint32_t version = 0;
    size_t at = sizeof begin - 1;
    if (len < HEADER_SIZE || memcmp(data, begin, at) != 0)
        return 0;
    for (; at < 8 && data[at] >= '0' && data[at] <= '9'; at++)
        version = version * 10 + (uint32_t)(data[at] - '0');
    return memcmp(data + at, end, HEADER_SIZE - at) == 0 ? version : 0;
}

static int32_t sniff(const brz_head *head)
{
    return parse_header(head->data, head->len) > 0 ? BRZ_SNIFF_MAGIC : BRZ_SNIFF_NO;
}

/* Reads the version. Reports an unknown one, and returns false. */
static bool read_version(trace *t, const brz_chunk *chunk)
{
    t->version = parse_header(chunk->data, chunk->len);
    if (t->version < 5) {
        brz_report(t->ctx, BRZ_FATAL, "go-trace.header", NULL, 0,
                   BRZ_STR("not an execution trace of Go 1.5 or later"));
        return false;
    }
    if (t->version > GO_VERSION_NEWEST)
        BRZ_WARN(t->ctx, "go-trace.version", NULL, 0,
                 "a trace of a newer version of Go: it is read like one of Go 1.26");
    return true;
}

/* ---- the trace --------------------------------------------------------------------------- */

static void init(trace *t, brz_ctx *ctx)
{
    const options *o = ctx->cfg;
    bool has_names = t->version >= GO_VERSION_NAMES;
    tables_init(&t->tables, ctx, has_names, o->addrs || !has_names);
    threads_init(&t->threads, ctx);
    order_init(&t->order, ctx, &t->threads);
    goroutines_init(&t->goroutines, ctx, &t->tables, &t->threads, &t->order,
                    t->version < GO_VERSION_NEW);
}

/* Reports what is missing. */
static void report(const trace *t)
{
    brz_report_count(t->ctx, BRZ_WARNING, "go-trace.missing-stack", t->tables.missing, 0,
                     BRZ_STR("stacks that are missing are named [unknown] ({count})"));
    brz_report_count(t->ctx, BRZ_WARNING, "go-trace.order", t->order.forced, 0,
                     BRZ_STR("{count} {event counts|events count} although an earlier event of "
                             "the goroutine is missing"));
    goroutines_finish(&t->goroutines);
    if (t->version < GO_VERSION_NAMES)
        brz_report(t->ctx, BRZ_NOTE, "go-trace.names", NULL, 0,
                   BRZ_STR("traces of Go 1.5 and 1.6 have no names: frames are addresses"));
    if (t->goroutines.counts.n_samples + t->goroutines.counts.n_intervals == 0)
        BRZ_WARN(t->ctx, "go-trace.empty", NULL, 0,
                 "a trace in which no goroutine waits and without samples of the CPU profiler");
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    trace *t = ctx->inst;
    brz_bytes b = brz_bytes_of(chunk->data, chunk->len);
    *used = chunk->len;
    t->ctx = ctx;
    if (!read_version(t, chunk))
        return BRZ_ERROR;
    init(t, ctx);
    brz_bytes_skip(&b, HEADER_SIZE);
    brz_rc rc = t->version < GO_VERSION_NEW ? trace_read_old(t, b) : trace_read(t, b);
    if (rc != BRZ_OK)
        return rc;
    report(t);
    return counts_finish(&t->goroutines.counts);
}

/* ---- plug-in ----------------------------------------------------------------------------- */

static const char *const globs[] = {NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "addrs", BOOL, addrs, "false", "name unresolved frames by their address"),
};

SHIPPED_BINARY_READER(trace, .sniff = sniff)

BRZ_HINTS(BRZ_IF_BEGINS("go 1."))

SHIPPED_COLLAPSER("go-trace", .summary = "execution traces of Go",
                  .help = "Record with runtime/trace, net/http/pprof or `go test -trace`. The time "
                          "that goroutines wait, its parts and samples of the CPU profiler are "
                          "weights: see --weight.",
                  BRZ_OPTIONS(option_table, options))
