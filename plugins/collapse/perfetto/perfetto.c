/* SPDX-License-Identifier: MIT */
/* Collapses traces of Perfetto: samples, allocations and events.
 *
 * packets.c walks through the packets of a trace, sequences.c keeps the tables to which they refer,
 * clocks.c converts their times, tasks.c knows processes and threads, symbols.c and frames.c make
 * stacks. samples.c, heap.c and events.c count. The trace is read twice: names and symbols may
 * follow what they name. */
#include <brazier/collapser.h>
#include <brazier/plugin.h>

#include "../../common/shipped.h"
#include "events.h"
#include "heap.h"

typedef struct options {
    bool addrs, async;
} options;

typedef struct trace {
    brz_ctx *ctx;
    packets packets;
    sequences sequences;
    clocks clocks;
    tasks tasks;
    symbols symbols;
    frames frames;
    samples samples;
    heaps heaps;
    events events;
    bool has_samples, has_heaps, has_uuid;
    uint64_t n_packets, damaged, heap_graphs, ftrace;
} trace;

static void init(trace *t, brz_ctx *ctx, const brz_chunk *chunk)
{
    const options *o = ctx->cfg;
    t->ctx = ctx;
    packets_init(&t->packets, ctx, chunk->data, chunk->len);
    sequences_init(&t->sequences, ctx);
    clocks_init(&t->clocks, ctx);
    tasks_init(&t->tasks, ctx);
    symbols_init(&t->symbols, ctx, chunk->len);
    frames_init(&t->frames, ctx, &t->sequences, &t->symbols, chunk->len, o->addrs);
    samples_init(&t->samples, ctx, &t->sequences, &t->clocks, &t->tasks, &t->frames);
    heaps_init(&t->heaps, ctx, &t->sequences, &t->frames, &t->samples, &t->tasks);
    events_init(&t->events, ctx, &t->sequences, &t->clocks, &t->tasks);
}

/* ---- first pass: names ----------------------------------------------------------------------- */

/* Warns of a trace after another one, since both have their own tracks and clocks. */
static void take_uuid(trace *t, const packet *p)
{
    if (t->has_uuid)
        BRZ_WARN(t->ctx, "perfetto.another", p->at, 0,
                 "another trace begins here, whose events may be mixed with those of the first "
                 "one: give each one as a file of its own");
    t->has_uuid = true;
}

static void take_name(trace *t, const packet *p)
{
    stated_track unused = {.name = {"", 0}};
    switch (p->kind) {
    case DATA_PROCESS_TREE:
        tasks_take_tree(&t->tasks, p->data);
        break;
    case DATA_CLOCKS:
        clocks_take(&t->clocks, p->sequence, p->data);
        break;
    case DATA_PROCESS:
        tasks_take_process(&t->tasks, p->data, &unused);
        break;
    case DATA_THREAD:
        tasks_take_thread(&t->tasks, p->data, &unused);
        break;
    case DATA_TRACK:
        tasks_take_track(&t->tasks, p->data);
        break;
    case DATA_SYMBOLS:
        symbols_take(&t->symbols, p->data);
        break;
    case DATA_DEOBFUSCATION:
        symbols_take_originals(&t->symbols, p->data);
        break;
    case DATA_CHROME_SAMPLES:
    case DATA_PERF_SAMPLE:
    case DATA_STACK_SAMPLE:
        t->has_samples = true;
        break;
    case DATA_HEAP_PROFILE:
        t->has_heaps = true;
        break;
    case DATA_UUID:
        take_uuid(t, p);
        break;
    default:
        break;
    }
}

static void read_names(trace *t)
{
    packet_walk w = packets_start_at_names(&t->packets);
    packet p;
    t->has_samples = t->packets.has_samples;
    while (packets_next(&w, &p))
        if (!p.is_damaged)
            take_name(t, &p);
    if (t->symbols.is_spent)
        BRZ_WARN(t->ctx, "perfetto.originals", NULL, 0,
                 "too many original names for an input of this size: some are missing");
}

/* ---- second pass: samples and events --------------------------------------------------------- */

/* Takes what a descriptor says of the thread that a sequence is about. */
static void take_descriptor(sequence *of, const packet *p)
{
    brz_bytes thread = p->kind == DATA_TRACK ? track_thread(p->data) : p->data;
    if (brz_bytes_left(&thread) > 0)
        sequence_take_thread(of, thread);
}

/* Counts what a packet of a sequence has. */
static brz_rc count_packet(trace *t, sequence *of, const packet *p, int64_t time)
{
    switch (p->kind) {
    case DATA_CLOCKS:
        clocks_take(&t->clocks, of->id, p->data);
        return BRZ_OK;
    case DATA_THREAD:
    case DATA_TRACK:
        take_descriptor(of, p);
        return BRZ_OK;
    case DATA_CHROME_SAMPLES:
    case DATA_PERF_SAMPLE:
    case DATA_STACK_SAMPLE:
        return samples_take(&t->samples, of, p, time);
    case DATA_HEAP_PROFILE:
        return heaps_take(&t->heaps, of, p);
    case DATA_TRACK_EVENT:
        events_take(&t->events, of, p, time);
        return BRZ_OK;
    case DATA_FTRACE:
        t->ftrace += events_take_ftrace(&t->events, p) == 0;
        return BRZ_OK;
    case DATA_HEAP_GRAPH:
        t->heap_graphs++;
        return BRZ_OK;
    case DATA_COMPRESSED:
    case DATA_COMPRESSED_ZSTD:
        brz_report_lost(t->ctx, "perfetto.compressed", p->at, 0,
                        BRZ_STR("compressed packets within compressed packets: left out"));
        return BRZ_OK;
    default:
        return BRZ_OK;
    }
}

static brz_rc take_packet(trace *t, const packet *p)
{
    t->n_packets++;
    if (p->is_damaged) {
        brz_report_lost(t->ctx, "perfetto.packet", p->at, 0, BRZ_STR("a damaged packet: left out"));
        return BRZ_OK;
    }
    sequence *of = sequences_enter(&t->sequences, p);
    if (of == NULL)
        return BRZ_OK;
    uint32_t clock = p->clock != 0 ? p->clock : of->clock;
    int64_t time = p->has_time ? clocks_convert(&t->clocks, of->id, clock, p->time) : 0;
    return count_packet(t, of, p, time);
}

static brz_rc read_packets(trace *t)
{
    packet_walk w = packets_start(&t->packets);
    packet p;
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && packets_next(&w, &p))
        rc = take_packet(t, &p);
    return rc;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void state_start(const trace *t)
{
    brz_metadata m = {.struct_size = sizeof m, .start = t->clocks.date};
    m.clock_start = t->clocks.moment;
    if (t->clocks.has_date)
        t->ctx->host->metadata(t->ctx, &m);
}

/* Reports what the trace has that is not counted. */
static brz_rc report(const trace *t, size_t len)
{
    bool is_empty = !t->has_samples && !t->has_heaps && t->events.n == 0;
    brz_report_count(t->ctx, BRZ_WARNING, "perfetto.state", t->sequences.invalid,
                     t->sequences.invalid,
                     BRZ_STR("packets whose names were lost before them are left out ({count})"));
    brz_report_count(t->ctx, BRZ_NOTE, "perfetto.heap-graph", t->heap_graphs, 0,
                     BRZ_STR("parts of dumps of Java's heap hold objects and no stacks: they are "
                             "not counted ({count})"));
    if (t->n_packets == 0 && len > 0) {
        brz_report(t->ctx, BRZ_FATAL, "perfetto.trace", NULL, 0,
                   BRZ_STR("not a trace of Perfetto: no packet is in this input"));
        return BRZ_ERROR;
    }
    if (is_empty && t->ftrace > 0)
        BRZ_WARN(t->ctx, "perfetto.scheduling", NULL, 0,
                 "a trace of the kernel's events alone, of which brazier reads those of atrace: "
                 "record the data source linux.perf for stacks");
    else if (is_empty && len > 0)
        BRZ_WARN(t->ctx, "perfetto.empty", NULL, 0,
                 "a trace without samples of stacks, heap profiles and events with a duration");
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    trace *t = ctx->inst;
    const options *o = ctx->cfg;
    *used = chunk->len;
    init(t, ctx, chunk);
    read_names(t);
    brz_rc rc = read_packets(t);
    if (rc == BRZ_OK)
        rc = heaps_finish(&t->heaps, !t->has_samples);
    if (rc == BRZ_OK)
        rc = samples_finish(&t->samples);
    if (rc == BRZ_OK)
        rc = events_finish(&t->events, o->async, !t->has_samples && !t->has_heaps);
    state_start(t);
    return rc == BRZ_OK ? report(t, chunk->len) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    return packets_sniff(brz_bytes_of(head->data, head->len));
}

static const char *const globs[] = {"*.perfetto-trace", "*.pftrace", "*.perfetto", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "addrs", BOOL, addrs, "false",
               "name unresolved frames by their address, not by their module"),
    BRZ_OPTION(options, "async", BOOL, async, "false",
               "count events of tracks that are no threads, too"),
};

SHIPPED_BINARY_READER(trace, .sniff = sniff)

/* A trace begins with the tag of a packet, which is a newline. */
BRZ_HINTS(BRZ_IF_NAME("*.perfetto-trace") BRZ_IF_NAME("*.pftrace") BRZ_IF_NAME("*.perfetto")
              BRZ_IF_BEGINS("\n"))

SHIPPED_COLLAPSER("perfetto", .summary = "traces of Perfetto: samples, heap profiles and events",
                  .help = "Record with `perfetto`, or with the SDK of a program. Samples, each "
                          "counter, allocations and the time of events are weights: see --weight.",
                  BRZ_OPTIONS(option_table, options))
