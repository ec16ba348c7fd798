/* SPDX-License-Identifier: MIT */
/* Collapses method traces of Android's runtime, which Debug.startMethodTracing(), `am profile` and
 * Android Studio record.
 *
 *     trace   := text header record*
 *     header  := "SLOW" version:2 length:2 start:8 [size:2] zero*     `length` bytes
 *     record  := thread:2 event:4 time:4 [wall:4]                    `size` bytes
 *
 * Integers are little-endian. The lower two bits of an event say what happened, the others are the
 * method. Times are microseconds since the first event of the thread (processor time) or since the
 * start (wall time); version 3 has both. names.c reads the text.
 *
 * Calls that began before the trace have only their end in it. Therefore records are read twice:
 * for these calls, then for all.
 */
#include <brazier/collapser.h>
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/tag.h>

#include "../../common/shipped.h"
#include "names.h"

enum { ENTER, EXIT, UNROLL, ACTION_MASK = 3 };

#define VERSION_ONE_CLOCK 2
#define VERSION_DUAL      3
#define STREAMED          0xf0u /* added to the version */
#define LEAST_SIZE        10u   /* of a record */

/* Maximum number of open calls of a thread: each may have a stack of its own. */
#define OPEN_MAX 1024

/* A thread. `open` has its open methods, the innermost last; during the first pass, `before` has
 * those that were open before the trace, the innermost first. */
typedef struct art_thread {
    uint32_t id;
    uint32_t *open, *before;
    size_t n_open, open_cap, n_before, before_cap;
    uint64_t too_deep; /* open calls within OPEN_MAX others */
    int64_t times[N_CLOCKS], wraps[N_CLOCKS];
    bool has_begun;
    brz_tag tag;
} art_thread;

typedef struct art_trace {
    brz_ctx *ctx;
    art_names names;
    bool has[N_CLOCKS];
    uint32_t size; /* of a record */
    art_thread *threads;
    size_t n_threads, threads_cap, last;
    pair_map thread_ids, open; /* open: by thread and method, the number of open calls */
    uint64_t deep, unfinished, unmatched;
    uint64_t unknown; /* actions */
} art_trace;

typedef struct record {
    uint32_t thread, method, action;
    uint32_t times[N_CLOCKS];
    const uint8_t *at;
} record;

/* ---- records --------------------------------------------------------------------------------- */

static record take_record(const art_trace *t, brz_bytes *b)
{
    record r = {.at = b->at};
    brz_bytes part = brz_bytes_part(b, t->size);
    r.thread = brz_bytes_u16(&part);
    uint32_t event = brz_bytes_u32(&part);
    r.method = event & ~(uint32_t)ACTION_MASK;
    r.action = event & ACTION_MASK;
    if (t->has[CLOCK_CPU])
        r.times[CLOCK_CPU] = brz_bytes_u32(&part);
    if (t->has[CLOCK_WALL])
        r.times[CLOCK_WALL] = brz_bytes_u32(&part);
    return r;
}

static art_thread *find_thread(art_trace *t, uint32_t id)
{
    if (t->n_threads > 0 && t->threads[t->last].id == id)
        return &t->threads[t->last];
    uint32_t i = pair_map_find(&t->thread_ids, id, 0);
    if (i == PAIR_MISS) {
        i = (uint32_t)t->n_threads;
        t->threads =
            brz_list_room(t->ctx, t->threads, t->n_threads, &t->threads_cap, sizeof *t->threads);
        t->threads[t->n_threads++] = (art_thread){.id = id, .tag = BRZ_NO_TAG};
        pair_map_put(&t->thread_ids, t->ctx, id, 0, i);
    }
    t->last = i;
    return &t->threads[i];
}

/* ---- open calls ------------------------------------------------------------------------------ */

static uint32_t count_open(const art_trace *t, const art_thread *k, uint32_t method)
{
    uint32_t n = pair_map_find(&t->open, k->id, method);
    return n == PAIR_MISS ? 0 : n;
}

static void push(art_trace *t, art_thread *k, uint32_t method)
{
    k->open = brz_list_room(t->ctx, k->open, k->n_open, &k->open_cap, sizeof *k->open);
    k->open[k->n_open++] = method;
    pair_map_put(&t->open, t->ctx, k->id, method, count_open(t, k, method) + 1);
}

static uint32_t pop(art_trace *t, art_thread *k)
{
    uint32_t method = k->open[--k->n_open];
    pair_map_put(&t->open, t->ctx, k->id, method, count_open(t, k, method) - 1);
    return method;
}

/* ---- the first pass -------------------------------------------------------------------------- */

/* Notes a call that ends and has not begun in the trace. */
static void note_before(art_trace *t, art_thread *k, uint32_t method)
{
    if (k->n_before >= OPEN_MAX)
        return; /* the second pass counts it */
    k->before = brz_list_room(t->ctx, k->before, k->n_before, &k->before_cap, sizeof *k->before);
    k->before[k->n_before++] = method;
}

static void note(art_trace *t, const record *r)
{
    art_thread *k = find_thread(t, r->thread);
    if (r->action == ENTER && k->n_open >= OPEN_MAX)
        k->too_deep++;
    else if (r->action == ENTER)
        push(t, k, r->method);
    else if (k->too_deep > 0)
        k->too_deep--;
    else if (count_open(t, k, r->method) > 0)
        while (pop(t, k) != r->method) {
        }
    else if (k->n_open == 0)
        note_before(t, k, r->method);
}

/* Reads all records for calls from before the trace. */
static void read_before(art_trace *t, brz_bytes b)
{
    while (brz_bytes_left(&b) >= t->size) {
        record r = take_record(t, &b);
        if (r.action <= UNROLL)
            note(t, &r);
    }
    for (size_t i = 0; i < t->n_threads; i++) {
        art_thread *k = &t->threads[i];
        k->too_deep = 0;
        while (k->n_open > 0)
            pop(t, k);
    }
}

/* ---- the second pass ------------------------------------------------------------------------- */

/* Finds the tag of a thread. */
static brz_tag tag_of(const art_trace *t, art_thread *k)
{
    if (!(t->ctx->flags & BRZ_CTX_WANTS_TAGS) || k->tag != BRZ_NO_TAG)
        return k->tag;
    brz_tag_desc d = brz_tag_of_thread(k->id, art_names_thread(&t->names, k->id));
    if (t->names.process > 0 && t->names.process <= INT64_MAX) {
        d.flags |= BRZ_TAG_PROCESS;
        d.process = (int64_t)t->names.process;
    }
    k->tag = t->ctx->host->tag(t->ctx, &d);
    return k->tag;
}

/* Extends the times of a record beyond their 32 bits. */
static void advance(const art_trace *t, art_thread *k, const record *r)
{
    for (size_t i = 0; i < N_CLOCKS; i++) {
        uint32_t before = (uint32_t)k->times[i];
        if (t->has[i] && k->has_begun && r->times[i] < before && before - r->times[i] > INT32_MAX)
            k->wraps[i] += INT64_C(1) << 32;
        k->times[i] = k->wraps[i] + r->times[i];
    }
}

/* Describes an event: what the columns, which are in the order of clocks, read at its time. */
static brz_values event_at(const art_trace *t, art_thread *k, int64_t values[N_CLOCKS])
{
    size_t n = 0;
    for (size_t i = 0; i < N_CLOCKS; i++)
        if (t->has[i])
            values[n++] = k->times[i];
    brz_values v = {.struct_size = sizeof v, .values = values, .n_values = n};
    v.tag = tag_of(t, k);
    v.flags = t->has[CLOCK_WALL] ? BRZ_TIMED : 0;
    v.time = t->has[CLOCK_WALL] ? k->times[CLOCK_WALL] * 1000 : 0;
    return v;
}

static brz_rc enter(art_trace *t, art_thread *k, uint32_t method, const brz_values *at)
{
    if (k->n_open >= OPEN_MAX) {
        k->too_deep++;
        t->deep++;
        return BRZ_OK;
    }
    push(t, k, method);
    uint64_t track = (uint64_t)(k - t->threads);
    return t->ctx->host->enter(t->ctx, track, art_names_frame(&t->names, method), at);
}

static brz_rc leave(art_trace *t, art_thread *k, const brz_values *at)
{
    pop(t, k);
    return t->ctx->host->leave(t->ctx, (uint64_t)(k - t->threads), at);
}

/* Enters the calls from before the trace, the outermost first. */
static brz_rc begin(art_trace *t, art_thread *k, const brz_values *at)
{
    brz_rc rc = BRZ_OK;
    k->has_begun = true;
    for (size_t i = k->n_before; i > 0 && rc == BRZ_OK; i--)
        rc = enter(t, k, k->before[i - 1], at);
    return rc;
}

/* Ends a call, and those within it that have no end. */
static brz_rc end(art_trace *t, art_thread *k, const record *r, const brz_values *at)
{
    brz_rc rc = BRZ_OK;
    if (k->too_deep > 0) {
        k->too_deep--;
        return BRZ_OK;
    }
    if (count_open(t, k, r->method) == 0) {
        t->unmatched++;
        return BRZ_OK;
    }
    for (; rc == BRZ_OK && k->open[k->n_open - 1] != r->method; t->unfinished++)
        rc = leave(t, k, at);
    return rc == BRZ_OK ? leave(t, k, at) : rc;
}

static brz_rc count(art_trace *t, const record *r)
{
    int64_t values[N_CLOCKS];
    if (r->action > UNROLL) {
        t->unknown++;
        return BRZ_OK;
    }
    art_thread *k = find_thread(t, r->thread);
    advance(t, k, r);
    brz_values at = event_at(t, k, values);
    brz_rc rc = k->has_begun ? BRZ_OK : begin(t, k, &at);
    if (rc != BRZ_OK)
        return rc;
    return r->action == ENTER ? enter(t, k, r->method, &at) : end(t, k, r, &at);
}

/* ---- reports --------------------------------------------------------------------------------- */

static void report(const art_trace *t, const brz_bytes *b, uint64_t n_records)
{
    brz_ctx *ctx = t->ctx;
    uint64_t still_open = 0;
    for (size_t i = 0; i < t->n_threads; i++)
        still_open += t->threads[i].n_open > 0;
    bool is_cut = brz_bytes_left(b) > 0;
    if (is_cut)
        brz_report_lost(ctx, "art-trace.record", b->at, 0,
                        BRZ_STR("the trace ends within a record, which is left out"));
    uint64_t n_stated = t->names.has_calls ? t->names.n_calls : 0, n = n_records + is_cut;
    brz_report_count(ctx, BRZ_WARNING, "art-trace.cut", n_stated > n ? n_stated - n : 0,
                     n_stated > n ? n_stated - n : 0,
                     BRZ_STR("records are missing at the end ({count})"));
    if (t->names.overflowed)
        BRZ_WARN(ctx, "art-trace.overflow", NULL, 0,
                 "the buffer was full: what ran afterwards is missing; record with a larger one");
    brz_report_count(ctx, BRZ_WARNING, "art-trace.nameless", t->names.n_nameless, 0,
                     BRZ_STR("calls of methods without a name ({count})"));
    brz_report_count(ctx, BRZ_WARNING, "art-trace.unmatched", t->unmatched, t->unmatched,
                     BRZ_STR("ends of calls that are not open: left out ({count})"));
    brz_report_count(ctx, BRZ_WARNING, "art-trace.unfinished", t->unfinished, 0,
                     BRZ_STR("calls without an end: they end with their callers ({count})"));
    brz_report_count(ctx, BRZ_WARNING, "art-trace.depth", t->deep, 0,
                     BRZ_STR("calls within 1024 others count for the innermost of these "
                             "({count})"));
    brz_report_count(ctx, BRZ_WARNING, "art-trace.event", t->unknown, t->unknown,
                     BRZ_STR("events of an unknown kind: left out ({count})"));
    brz_report_count(ctx, BRZ_NOTE, "art-trace.open", still_open, 0,
                     BRZ_STR("threads with calls that are open at the end: their time after the "
                             "last event is unknown ({count})"));
}

/* ---- the trace ------------------------------------------------------------------------------- */

static bool reject(brz_ctx *ctx, brz_bytes *b, const uint8_t *at, const char *why)
{
    brz_bytes_fail_at(b, at, why);
    brz_bytes_report(ctx, b, BRZ_FATAL, "art-trace.header");
    return false;
}

/* Finds out which clocks the records have. */
static bool choose_clocks(art_trace *t, brz_bytes *b, uint32_t version)
{
    static const char *const clocks[] = {"", "thread-cpu", "wall", "global", "dual"};
    if (brz_str_index(t->names.clock, clocks, BRZ_COUNT_OF(clocks)) == BRZ_COUNT_OF(clocks))
        BRZ_WARN(t->ctx, "art-trace.clock", t->names.clock.data, t->names.clock.len,
                 "an unknown clock: taken for wall time");
    bool is_dual = version == VERSION_DUAL;
    t->has[CLOCK_CPU] = is_dual || brz_str_is(t->names.clock, "thread-cpu");
    t->has[CLOCK_WALL] = is_dual || !t->has[CLOCK_CPU];
    t->size = is_dual ? brz_bytes_u16(b) : LEAST_SIZE;
    return b->error == NULL && t->size >= (is_dual ? LEAST_SIZE + 4 : LEAST_SIZE);
}

/* Reads the header of the records, after which the cursor stands at the first one. */
static bool read_header(art_trace *t, brz_bytes *b)
{
    const uint8_t *start = b->at;
    uint32_t magic = brz_bytes_u32(b), version = brz_bytes_u16(b), length = brz_bytes_u16(b);
    brz_bytes_u64(b); /* start */
    if (b->error != NULL || magic != 0x574f4c53)
        return reject(t->ctx, b, start, "no records after the text");
    if (version != VERSION_ONE_CLOCK && version != VERSION_DUAL)
        return reject(t->ctx, b, start + 4,
                      "a method trace of a version that brazier does not read");
    if (!choose_clocks(t, b, version))
        return reject(t->ctx, b, start, "records of an impossible size");
    if (length < (uint32_t)(b->at - start))
        return reject(t->ctx, b, start + 6, "an impossible length of the header");
    brz_bytes_skip(b, length - (uint32_t)(b->at - start));
    if (b->error != NULL)
        return reject(t->ctx, b, start, "");
    return true;
}

static void declare(art_trace *t)
{
    if (t->has[CLOCK_WALL])
        BRZ_DECLARE_COLUMN(t->ctx, .name = BRZ_STR("wall"), .unit = BRZ_STR("microseconds"),
                           .flags = BRZ_COLUMN_CLOCK);
    if (t->has[CLOCK_CPU])
        BRZ_DECLARE_COLUMN(t->ctx, .name = BRZ_STR("cpu"), .unit = BRZ_STR("microseconds"),
                           .flags = BRZ_COLUMN_CLOCK);
}

/* Ends the records where the text of another trace begins. */
static void end_at_next_trace(const art_trace *t, brz_bytes *b)
{
    brz_str records = brz_str_of((const char *)b->at, brz_bytes_left(b));
    size_t next = brz_str_find(records, BRZ_STR("*version\n"), 0);
    if (next == SIZE_MAX)
        return;
    b->end = b->at + next;
    brz_report_lost(t->ctx, "art-trace.next", b->end, 0,
                    BRZ_STR("another trace begins in the same input: left out"));
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    art_trace *t = ctx->inst;
    brz_bytes b = brz_bytes_of(chunk->data, chunk->len);
    uint64_t n = 0;
    brz_rc rc = BRZ_OK;
    *used = chunk->len;
    t->ctx = ctx;
    art_names_read(&t->names, ctx, &b);
    if (b.error != NULL)
        return brz_bytes_report(ctx, &b, BRZ_FATAL, "art-trace.header");
    if (!read_header(t, &b))
        return BRZ_ERROR;
    pair_map_init(&t->thread_ids, ctx);
    pair_map_init(&t->open, ctx);
    declare(t);
    end_at_next_trace(t, &b);
    read_before(t, b);
    for (; rc == BRZ_OK && brz_bytes_left(&b) >= t->size; n++) {
        record r = take_record(t, &b);
        rc = count(t, &r);
    }
    if (rc == BRZ_OK)
        report(t, &b, n);
    return rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static const brz_magic magics[] = {
    {0, 9, "*version\n", BRZ_SNIFF_MAGIC, 0},
};

static const char *const globs[] = {"*.trace", NULL};

SHIPPED_BINARY_READER(art_trace, SHIPPED_MAGICS(magics))

BRZ_HINTS(BRZ_IF_NAME("*.trace") BRZ_IF_BEGINS("*version"))

SHIPPED_COLLAPSER("art-trace", .summary = "method traces of Android",
                  .help = "Record with Debug.startMethodTracing() or `am profile start`. -w cpu "
                          "shows time on the processor instead of wall time, if both are there.")
