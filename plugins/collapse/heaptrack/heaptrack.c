/* SPDX-License-Identifier: MIT */
/* Collapses the data files of heaptrack, a heap profiler for Linux:
 *
 *     input := "v" version file-version line*
 *     line  := "X" command | "A" | "I" page-size pages | "c" milliseconds | "R" pages
 *            | "S" suppression                                    leaks that are expected
 *            | "s" [length] text                                  a text
 *            | "i" address module [function [file line]]*         a place: inlined functions first
 *            | "t" place trace                                    a trace: the place and its caller
 *            | "a" size trace                                     memory of this size by the trace
 *            | "+" allocation | "-" allocation                    such memory is allocated, freed
 *            | "#" text
 *
 * Numbers are hexadecimal. Those of texts, places and traces start at 1, those of allocations at 0.
 * Lengths of texts exist from file version 3 on, "a" from 1 on.
 */
#include "suppressions.h"

#include <brazier/text.h>

#include "traces.h"

/* ---- costs ----------------------------------------------------------------------------------- */

/* Allocations of a size by a trace. */
typedef struct heap_cost {
    uint64_t size;
    uint32_t trace; /* its number, or 0 */
    int64_t calls, live, temporary;
    int64_t live_at_peak; /* valid if `peak` is the number of the last one */
    uint64_t peak;
} heap_cost;

typedef struct heap_costs {
    heap_cost *items;
    size_t n, cap;
    int64_t held, most; /* bytes: now, and at the last peak */
    uint64_t peak;      /* number of the last peak, from 1 */
    uint64_t last; /* index of the last allocation, unless memory was freed since; UINT64_MAX */
} heap_costs;

/* Results of a change. */
typedef enum heap_change {
    HEAP_CHANGED,
    HEAP_UNKNOWN,   /* no such allocation */
    HEAP_TOO_LARGE, /* the memory exceeds 63 bits */
    HEAP_NOT_HELD,  /* more is freed than was allocated */
} heap_change;

/* Returns the bytes that were never freed. */
static inline int64_t heap_bytes_leaked(const heap_cost *cost)
{
    return cost->live * (int64_t)cost->size;
}

/* Initialises costs, or forgets all. */
static void heap_costs_init(heap_costs *c)
{
    c->n = 0;
    c->held = c->most = 0;
    c->peak = 1;
    c->last = UINT64_MAX;
}

/* Adds a size of a trace. */
static void heap_costs_add(heap_costs *c, brz_ctx *ctx, uint64_t size, uint32_t trace)
{
    c->items = brz_list_room(ctx, c->items, c->n, &c->cap, sizeof *c->items);
    c->items[c->n++] = (heap_cost){.size = size, .trace = trace};
}

/* Stores the number of live allocations before a change, once after each peak. */
static void before_change(const heap_costs *c, heap_cost *cost)
{
    if (cost->peak == c->peak)
        return;
    cost->peak = c->peak;
    cost->live_at_peak = cost->live;
}

/* Allocates memory of a size, by its index. */
static heap_change heap_allocate(heap_costs *c, uint64_t index)
{
    int64_t held;
    if (index >= c->n)
        return HEAP_UNKNOWN;
    heap_cost *cost = &c->items[index];
    if (cost->size > INT64_MAX || __builtin_add_overflow(c->held, (int64_t)cost->size, &held))
        return HEAP_TOO_LARGE;
    before_change(c, cost);
    cost->calls++;
    cost->live++;
    c->held = held;
    c->last = index;
    if (held > c->most) {
        c->most = held;
        c->peak++;
    }
    return HEAP_CHANGED;
}

/* Frees such memory. */
static heap_change heap_free(heap_costs *c, uint64_t index)
{
    if (index >= c->n)
        return HEAP_UNKNOWN;
    heap_cost *cost = &c->items[index];
    if (cost->live == 0)
        return HEAP_NOT_HELD;
    before_change(c, cost);
    cost->live--;
    cost->temporary += c->last == index;
    c->held -= (int64_t)cost->size;
    c->last = UINT64_MAX;
    return HEAP_CHANGED;
}

/* Returns the bytes of an allocation at the peak. */
static int64_t heap_bytes_at_peak(const heap_costs *c, const heap_cost *cost)
{
    int64_t live = cost->peak == c->peak ? cost->live_at_peak : cost->live;
    return live * (int64_t)cost->size;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* File versions that are read. */
#define VERSION_FIRST 1
#define VERSION_SIZED 3 /* texts have lengths */

enum { ALLOCATIONS, PEAK, LEAKED, TEMPORARY, COLUMNS };

typedef struct options {
    bool suppressions;
} options;

typedef struct heaptrack {
    dump dump;
    heap_traces traces;
    heap_costs costs;
    suppressions suppressions;
    uint64_t suppressed; /* bytes that leaked where suppressions expect it */
    uint32_t columns[COLUMNS];
    uint64_t version; /* of the file */
    uint64_t milliseconds;
    uint64_t n_deep; /* stacks that lack callers */
} heaptrack;

static void leave_out(heaptrack *h, brz_str line, brz_str msg)
{
    brz_report_lost(h->dump.ctx, "heaptrack.line", line.data, line.len, msg);
}

/* Reports what follows the numbers of a line, such as a line that lost its line end. */
static void check_end(heaptrack *h, brz_str rest)
{
    if (rest.len > 0)
        leave_out(h, rest, BRZ_STR("more than the numbers of the line: left out"));
}

static brz_rc fail(heaptrack *h, brz_str line, brz_str msg)
{
    brz_report(h->dump.ctx, BRZ_FATAL, "heaptrack.version", line.data, line.len, msg);
    return BRZ_ERROR;
}

/* ---- costs --------------------------------------------------------------------------------- */

/* Returns the bytes that leaked, unless suppressions expect that. */
static int64_t bytes_leaked(heaptrack *h, const heap_cost *cost)
{
    int64_t bytes = heap_bytes_leaked(cost);
    if (!heap_is_suppressed(&h->traces, cost->trace))
        return bytes;
    h->suppressed += (uint64_t)bytes;
    return 0;
}

static brz_rc count_cost(heaptrack *h, const heap_cost *cost)
{
    dump *d = &h->dump;
    const int64_t values[COLUMNS] = {
        [ALLOCATIONS] = cost->calls,
        [PEAK] = heap_bytes_at_peak(&h->costs, cost),
        [LEAKED] = bytes_leaked(h, cost),
        [TEMPORARY] = cost->temporary,
    };
    brz_rc rc = BRZ_OK;
    brz_path_cut(d->stacks.path, 0);
    h->n_deep += !heap_push_trace(&h->traces, d, cost->trace);
    brz_stacks_begin_sample(&d->stacks);
    for (size_t k = 0; k < COLUMNS && rc == BRZ_OK; k++)
        if (values[k] != 0)
            rc = brz_stacks_count(&d->stacks, d->ctx, h->columns[k], values[k]);
    brz_stacks_end_sample(&d->stacks);
    return rc;
}

/* Counts the costs of the file so far, and forgets its numbers: another file may follow it. */
static brz_rc end_file(heaptrack *h)
{
    const options *o = h->dump.ctx->cfg;
    brz_rc rc = BRZ_OK;
    if (o->suppressions)
        heap_suppress(&h->traces, h->dump.ctx, &h->suppressions);
    for (size_t i = 0; i < h->costs.n && rc == BRZ_OK; i++)
        if (h->costs.items[i].calls > 0)
            rc = count_cost(h, &h->costs.items[i]);
    h->traces.n_texts = h->traces.n_places = h->traces.n = h->traces.frames.n = 0;
    h->traces.n_names = h->suppressions.n = 0;
    heap_costs_init(&h->costs);
    return rc;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static brz_rc read_version(heaptrack *h, brz_str line, brz_str rest)
{
    uint64_t program;
    brz_rc rc = end_file(h);
    h->version = 0;
    if (heap_take_number(&rest, &program))
        heap_take_number(&rest, &h->version);
    if (h->version >= VERSION_FIRST)
        return rc;
    return fail(h, line, BRZ_STR("data of heaptrack 1.0 or older: record with a later version"));
}

static void read_allocation(heaptrack *h, brz_str line, brz_str rest)
{
    uint64_t size = 0, trace = 0;
    bool good =
        heap_take_number(&rest, &size) && heap_take_number(&rest, &trace) && trace <= h->traces.n;
    heap_costs_add(&h->costs, h->dump.ctx, size, good ? (uint32_t)trace : 0);
    if (!good)
        leave_out(h, line, BRZ_STR("not a size and a known trace: its stack is left out"));
    else
        check_end(h, rest);
}

static void change(heaptrack *h, brz_str line, brz_str rest, bool allocates)
{
    static const char *const messages[] = {
        [HEAP_UNKNOWN] = "no allocation has this number: left out",
        [HEAP_TOO_LARGE] = "more memory than 63 bits can count: left out",
        [HEAP_NOT_HELD] = "frees memory that is not allocated: left out",
    };
    uint64_t index;
    heap_change result = HEAP_UNKNOWN;
    if (heap_take_number(&rest, &index))
        result = allocates ? heap_allocate(&h->costs, index) : heap_free(&h->costs, index);
    if (result != HEAP_CHANGED)
        leave_out(h, line, brz_str_of_text(messages[result]));
    else
        check_end(h, rest);
}

static void read_suppression(heaptrack *h, brz_str line, brz_str rest)
{
    static const char *const messages[] = {
        [SUPPRESSION_ODD] = "not a suppression of leaks: ignored",
        [SUPPRESSION_TOO_MANY] = "more than 1024 suppressions: ignored",
    };
    suppression_result result = suppressions_add(&h->suppressions, h->dump.ctx, rest);
    if (result != SUPPRESSION_ADDED)
        brz_report(h->dump.ctx, BRZ_WARNING, "heaptrack.suppression", line.data, line.len,
                   brz_str_of_text(messages[result]));
}

static void state_command(heaptrack *h, brz_str command)
{
    brz_metadata m = {.struct_size = sizeof m, .command = command};
    m.producer = BRZ_STR("heaptrack");
    h->dump.ctx->host->metadata(h->dump.ctx, &m);
}

/* Reads a line of unknown kind, or a comment. One with a length and a text of this length was a
 * text before its first byte was damaged: it keeps its number, which later lines refer to. Returns
 * false if it is not known. */
static bool read_other(heaptrack *h, brz_str line, brz_str rest)
{
    brz_str text = rest;
    uint64_t length;
    bool is_text = h->version >= VERSION_SIZED && line.len > 1 && line.data[1] == ' ' &&
                   heap_take_number(&text, &length) && length > 0 && length == text.len;
    if (!is_text)
        return memchr("AIR#", line.data[0], 4) != NULL;
    BRZ_WARN(h->dump.ctx, "heaptrack.text", line.data, line.len,
             "a text without the \"s\" at the beginning of its line: read as a text");
    return heap_add_text(&h->traces, h->dump.ctx, rest, true);
}

static brz_rc read_line(void *instance, brz_str line)
{
    heaptrack *h = instance;
    brz_ctx *ctx = h->dump.ctx;
    brz_str rest = line.len > 2 ? brz_str_from(line, 2) : brz_str_of(line.data, 0);
    bool good = true;
    if (line.len == 0)
        return BRZ_OK;
    switch (line.len > 1 && line.data[1] != ' ' ? '\0' : line.data[0]) {
    case 'v':
        return read_version(h, line, rest);
    case 's':
        good = heap_add_text(&h->traces, ctx, rest, h->version >= VERSION_SIZED);
        break;
    case 'i':
        good = heap_add_place(&h->traces, &h->dump, rest);
        break;
    case 't':
        good = heap_add_trace(&h->traces, ctx, rest);
        break;
    case 'a':
        read_allocation(h, line, rest);
        break;
    case '+':
    case '-':
        change(h, line, rest, line.data[0] == '+');
        break;
    case 'c':
        good = heap_take_number(&rest, &h->milliseconds);
        break;
    case 'S':
        read_suppression(h, line, rest);
        break;
    case 'X':
        state_command(h, rest);
        break;
    case 'm':
    case 'x':
        return fail(h, line,
                    BRZ_STR("raw data of heaptrack: `heaptrack_interpret < FILE > FILE.txt` makes "
                            "the data that brazier reads"));
    default:
        good = read_other(h, line, rest);
    }
    if (!good)
        leave_out(h, line, BRZ_STR("not a line of heaptrack: left out"));
    return BRZ_OK;
}

/* ---- results ------------------------------------------------------------------------------- */

static brz_rc finish(brz_ctx *ctx)
{
    heaptrack *h = ctx->inst;
    brz_metadata m = {.struct_size = sizeof m};
    brz_rc rc = end_file(h);
    if (h->milliseconds > 0 && h->milliseconds <= INT64_MAX / 1000000) {
        m.duration = (int64_t)h->milliseconds * 1000000;
        ctx->host->metadata(ctx, &m);
    }
    brz_report_count(
        ctx, BRZ_WARNING, "heaptrack.deep", h->n_deep, 0,
        BRZ_STR("stacks of more than 1024 frames, whose further callers are left out: {count}"));
    brz_report_count(ctx, BRZ_NOTE, "heaptrack.suppressed", h->suppressed, 0,
                     BRZ_STR("left out of the weight leaked: {count} bytes whose leak is expected; "
                             "--no-suppressions counts them"));
    return rc == BRZ_OK ? dump_finish(ctx) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Recognises "v 10400 3", followed by "X COMMAND", or by "x PROGRAM" in raw data. */
static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line, next;
    uint64_t number;
    if (!brz_block_line(&text, &line) || !brz_str_take(&line, "v ") ||
        !heap_take_number(&line, &number) || !heap_take_number(&line, &number) || line.len > 0)
        return BRZ_SNIFF_NO;
    bool good = brz_block_line(&text, &next) &&
                (brz_starts_with(next, BRZ_STR("X ")) || brz_starts_with(next, BRZ_STR("x ")));
    return good ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    heaptrack *h = ctx->inst;
    h->columns[ALLOCATIONS] = dump_declare(ctx, BRZ_STR("allocations"), BRZ_STR("allocations"));
    h->columns[PEAK] = dump_declare(ctx, BRZ_STR("peak"), BRZ_STR("bytes"));
    h->columns[LEAKED] = dump_declare(ctx, BRZ_STR("leaked"), BRZ_STR("bytes"));
    h->columns[TEMPORARY] = dump_declare(ctx, BRZ_STR("temporary"), BRZ_STR("allocations"));
    h->version = VERSION_SIZED;
    heap_costs_init(&h->costs);
    return dump_open(ctx);
}

DUMP_PARSE_LINES(read_line, NULL)

SHIPPED_READER(heaptrack, .open = open_instance, .finish = finish)

static const brz_option option_table[] = {
    BRZ_OPTION(options, "suppressions", BOOL, suppressions, "true",
               "leave out leaks that the program or heaptrack expects"),
};

BRZ_HINTS(BRZ_IF_BEGINS("v "))

SHIPPED_COLLAPSER("heaptrack", .summary = "data files of heaptrack, a heap profiler",
                  .help = "Record with `heaptrack PROGRAM`. The number of allocations, the memory "
                          "at its peak, leaked memory and temporary allocations are weights: see "
                          "--weight.",
                  BRZ_OPTIONS(option_table, options))
