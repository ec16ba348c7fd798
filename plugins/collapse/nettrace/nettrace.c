/* SPDX-License-Identifier: MIT */
/* Collapses traces of .NET's EventPipe, which dotnet-trace and dotnet-monitor record: the stacks of
 * the sample profiler.
 *
 * blocks.c walks through the file, kinds.c knows the kinds of events, methods.c finds the methods
 * of addresses. The runtime states most methods at the end of a trace; therefore the file is read
 * twice. */
#include <brazier/collapser.h>
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/tag.h>
#include <brazier/text.h>

#include "../../common/shipped.h"
#include "methods.h"

#include <stdio.h>

typedef struct options {
    bool addrs;
} options;

#define BATCH 1024
#define LAST_BIT                                                                                   \
    (UINT32_C(1) << 31) /* left out of numbers of events, so that none is PAIR_MISS                \
                         */

#define NO_STACK UINT32_MAX

typedef struct nettrace {
    brz_ctx *ctx;
    kinds kinds;
    methods methods;
    brz_stacks stacks;
    pair_map by_id; /* an index of `items`: by id, and number of the sequence point before */
    /* Since the last sequence point, ids mostly follow each other, as their items do. */
    uint32_t first_id;
    size_t first_item, n_follow;
    brz_str *items; /* stacks: addresses in the input, the leaf first */
    size_t n, cap;
    brz_stack *made; /* their ids in the host, or NO_STACK */
    size_t made_cap;
    uint64_t points;  /* number of sequence points so far */
    pair_map written; /* by thread: the number of its last event */
    uint64_t missing; /* number of events that were dropped */
    uint64_t begin, ticks_per_second;
    int64_t start; /* nanoseconds since 1970 */
    int64_t process;
    uint32_t pointer_size;
    uint32_t all, managed; /* columns */
    uint64_t samples;
    uint64_t thread; /* of `tag` */
    brz_tag tag;
    brz_count batch[BATCH];
    size_t n_batch;
} nettrace;

/* ---- facts ----------------------------------------------------------------------------------- */

/* Returns the number of days from 1970-01-01 to a date. */
static int64_t days_since_1970(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = year / 400, of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* Takes a time of Windows: year, month, day of the week, day, hour, minute, second, millisecond. */
static int64_t take_time(brz_bytes *b)
{
    int64_t year = brz_bytes_u16(b), month = brz_bytes_u16(b);
    brz_bytes_u16(b);
    int64_t day = brz_bytes_u16(b), hour = brz_bytes_u16(b), minute = brz_bytes_u16(b);
    int64_t second = brz_bytes_u16(b), millisecond = brz_bytes_u16(b);
    if (year < 1970 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 ||
        minute > 59 || second > 60)
        return 0; /* no time */
    int64_t seconds = ((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
    return seconds * 1000000000 + millisecond * 1000000;
}

/* Reads the object "Trace". */
static void read_facts(nettrace *t, brz_bytes b)
{
    brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair)};
    t->start = m.start = take_time(&b);
    t->begin = brz_bytes_u64(&b);
    t->ticks_per_second = brz_bytes_u64(&b);
    t->pointer_size = brz_bytes_u32(&b) == 4 ? 4 : 8;
    t->process = brz_bytes_i32(&b);
    brz_bytes_u32(&b); /* number of processors */
    m.period = brz_bytes_i32(&b);
    m.period_name = BRZ_STR("time");
    m.period_unit = BRZ_STR("nanoseconds");
    t->ctx->host->metadata(t->ctx, &m);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static void add_stack(nettrace *t, uint32_t id, brz_bytes addresses)
{
    t->items = brz_list_room(t->ctx, t->items, t->n, &t->cap, sizeof *t->items);
    t->made = brz_list_room(t->ctx, t->made, t->n, &t->made_cap, sizeof *t->made);
    t->items[t->n] = brz_str_of((const char *)addresses.at, brz_bytes_left(&addresses));
    t->made[t->n] = NO_STACK;
    if (t->n_follow == 0) {
        t->first_id = id;
        t->first_item = t->n;
    }
    if (id - t->first_id == t->n_follow && t->n - t->first_item == t->n_follow)
        t->n_follow++;
    else
        pair_map_put(&t->by_id, t->ctx, id, t->points, (uint32_t)t->n);
    t->n++;
}

static void read_stacks(nettrace *t, brz_bytes b)
{
    uint32_t id = brz_bytes_u32(&b), n = brz_bytes_u32(&b);
    for (uint32_t i = 0; i < n && b.error == NULL; i++) {
        brz_bytes addresses = brz_bytes_part(&b, brz_bytes_u32(&b));
        if (b.error == NULL)
            add_stack(t, id + i, addresses);
    }
    brz_bytes_warn(t->ctx, &b, "nettrace.stack");
}

/* Returns the index of the stack of an event, or PAIR_MISS. */
static size_t find_stack(const nettrace *t, const event *e)
{
    if (e->stack - t->first_id < t->n_follow)
        return t->first_item + (e->stack - t->first_id);
    return pair_map_find(&t->by_id, e->stack, t->points);
}

/* Stores a stack in the host. */
static brz_stack make_stack(nettrace *t, size_t item)
{
    const uint8_t *at = (const uint8_t *)t->items[item].data;
    size_t size = t->pointer_size, n = t->items[item].len / size;
    brz_path_cut(t->stacks.path, 0);
    for (size_t i = 0; i < n; i++, at += size) {
        uint64_t address =
            size == 8 ? brz_load_u64(at, BRZ_LITTLE_ENDIAN) : brz_load_u32(at, BRZ_LITTLE_ENDIAN);
        brz_path_push(t->stacks.path, t->ctx, methods_frame(&t->methods, address));
    }
    if (t->stacks.path->n == 0)
        brz_path_push(t->stacks.path, t->ctx, t->ctx->host->intern(t->ctx, "[unknown]", 9));
    t->made[item] = brz_stacks_entry_of(&t->stacks, t->ctx, 0)->stack;
    return t->made[item];
}

/* ---- samples --------------------------------------------------------------------------------- */

/* The kinds of code that a sample states: code outside of .NET, and managed code. */
enum { SAMPLE_EXTERNAL = 1, SAMPLE_MANAGED };

/* Converts a time to nanoseconds since 1970. */
static int64_t time_of(const nettrace *t, uint64_t ticks)
{
    uint64_t passed = ticks > t->begin ? ticks - t->begin : 0, rate = t->ticks_per_second;
    if (rate == 0 || passed / rate > 1000000000)
        return t->start;
    return t->start + (int64_t)(passed / rate * 1000000000 +
                                (uint64_t)((double)(passed % rate) / (double)rate * 1e9));
}

static brz_tag make_tag(nettrace *t, uint64_t thread)
{
    brz_tag_desc tag = brz_tag_empty();
    tag.flags = BRZ_TAG_PROCESS | BRZ_TAG_THREAD;
    tag.process = t->process;
    tag.thread = (int64_t)thread;
    t->thread = thread;
    t->tag = t->ctx->host->tag(t->ctx, &tag);
    return t->tag;
}

/* Finds the tag of a thread. Most samples have that of the last one or of a few others. */
static inline brz_tag tag_of(nettrace *t, const event *e)
{
    if (!(t->ctx->flags & BRZ_CTX_WANTS_TAGS))
        return BRZ_NO_TAG;
    if (t->tag != BRZ_NO_TAG && t->thread == e->thread)
        return t->tag;
    return make_tag(t, e->thread);
}

static brz_rc flush(nettrace *t)
{
    size_t n = t->n_batch;
    t->n_batch = 0;
    return n == 0 ? BRZ_OK : t->ctx->host->add(t->ctx, t->batch, n, sizeof t->batch[0]);
}

static brz_rc count(nettrace *t, const event *e, brz_stack stack, bool is_managed)
{
    brz_count c = {stack, t->all, 1, tag_of(t, e), 0, 0};
    if (t->ctx->flags & BRZ_CTX_WANTS_TIME) {
        c.time = time_of(t, e->time);
        c.flags = BRZ_TIMED;
    }
    t->samples++;
    t->batch[t->n_batch++] = c;
    c.column = t->managed;
    c.flags |= BRZ_SAME_SAMPLE;
    if (is_managed)
        t->batch[t->n_batch++] = c;
    return t->n_batch + 2 > BATCH ? flush(t) : BRZ_OK;
}

static brz_rc read_sample(nettrace *t, const event *e)
{
    size_t item = find_stack(t, e);
    if (item == PAIR_MISS || brz_bytes_left(&e->payload) < 4) {
        brz_report_lost_weight(t->ctx, "nettrace.sample", e->payload.at, 0,
                               BRZ_STR("a sample without its stack: left out"), 1);
        return BRZ_OK;
    }
    uint32_t type = brz_load_u32(e->payload.at, BRZ_LITTLE_ENDIAN);
    brz_stack stack = t->made[item] != NO_STACK ? t->made[item] : make_stack(t, item);
    return count(t, e, stack, type == SAMPLE_MANAGED);
}

/* Adds up the events that the writer of this one has dropped before it. */
static void count_missing(nettrace *t, const event *e)
{
    pair_slot *slot = pair_map_slot(&t->written, e->writer, 0);
    if (slot->value == PAIR_MISS) {
        pair_map_put(&t->written, t->ctx, e->writer, 0, e->sequence & ~LAST_BIT);
        return;
    }
    uint32_t step = (e->sequence - slot->value) & ~LAST_BIT;
    if (step > 1 && step < LAST_BIT / 2) /* a smaller number is that of a thread with the same id */
        t->missing += step - 1;
    slot->value = e->sequence & ~LAST_BIT;
}

static brz_rc read_samples(nettrace *t, const block *b)
{
    brz_rc rc = BRZ_OK;
    events e;
    events_start(&e, b);
    while (rc == BRZ_OK && events_next(&e)) {
        count_missing(t, &e.last);
        if (kinds_find(&t->kinds, &e.last) == EVENT_SAMPLE)
            rc = read_sample(t, &e.last);
    }
    if (e.bytes.error != NULL)
        brz_report_lost(t->ctx, "nettrace.events", e.bytes.error_at, 0,
                        BRZ_STR("a damaged event: it and the rest of its block are left out"));
    return rc;
}

/* ---- both passes ----------------------------------------------------------------------------- */

static void read_methods(nettrace *t, const block *b)
{
    events e;
    events_start(&e, b);
    while (events_next_payload(&e)) {
        event_kind kind = kinds_find(&t->kinds, &e.last);
        if (kind == EVENT_METHOD)
            methods_take(&t->methods, e.last.payload);
        else if (kind == EVENT_MODULE)
            methods_take_module(&t->methods, e.last.payload);
    }
}

/* Reads everything but stacks and samples. Returns false after reporting that the input is no
 * trace. */
static bool read_names(nettrace *t, brz_bytes b)
{
    block of;
    blocks_start(&b);
    if (b.error != NULL) {
        brz_bytes_report(t->ctx, &b, BRZ_FATAL, "nettrace.trace");
        return false;
    }
    while (blocks_next(&b, &of))
        if (of.kind == BLOCK_TRACE)
            read_facts(t, of.bytes);
        else if (of.kind == BLOCK_METADATA)
            kinds_read(&t->kinds, t->ctx, &of);
        else if (of.kind == BLOCK_EVENTS)
            read_methods(t, &of);
    if (b.error != NULL)
        BRZ_WARN(t->ctx, "nettrace.cut", b.error_at, 0,
                 "the input ends or is damaged here: the rest is missing, and names with it");
    else if (brz_bytes_left(&b) > 0)
        brz_report_lost(t->ctx, "nettrace.rest", b.at, 0,
                        BRZ_STR("data after the end of the trace, such as another one: left out"));
    methods_sort(&t->methods);
    return true;
}

/* Begins again with the ids of stacks. */
static void begin_ids(nettrace *t)
{
    t->points++;
    t->n_follow = 0;
}

static brz_rc read_all_samples(nettrace *t, brz_bytes b)
{
    brz_rc rc = BRZ_OK;
    block of;
    blocks_start(&b);
    while (rc == BRZ_OK && blocks_next(&b, &of))
        if (of.kind == BLOCK_STACKS)
            read_stacks(t, of.bytes);
        else if (of.kind == BLOCK_EVENTS)
            rc = read_samples(t, &of);
        else if (of.kind == BLOCK_SEQUENCE)
            begin_ids(t);
    return rc;
}

/* Reports what is missing in the trace itself. */
static void report_missing(const nettrace *t)
{
    char text[96];
    int n = snprintf(text, sizeof text,
                     "%llu events were dropped by .NET while it recorded, perhaps samples too",
                     (unsigned long long)t->missing);
    if (t->missing > 0)
        brz_report(t->ctx, BRZ_WARNING, "nettrace.dropped", NULL, 0, brz_str_of(text, (size_t)n));
    if (t->samples == 0)
        BRZ_WARN(t->ctx, "nettrace.no-samples", NULL, 0,
                 "a trace without samples: record with `dotnet-trace collect "
                 "--providers Microsoft-DotNETCore-SampleProfiler`");
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    nettrace *t = ctx->inst;
    brz_bytes b = brz_bytes_of(chunk->data, chunk->len);
    *used = chunk->len;
    t->ctx = ctx;
    t->pointer_size = 8;
    t->tag = BRZ_NO_TAG;
    pair_map_init(&t->kinds.of, ctx);
    pair_map_init(&t->by_id, ctx);
    pair_map_init(&t->written, ctx);
    methods_init(&t->methods, ctx, ((const options *)ctx->cfg)->addrs);
    brz_stacks_init(&t->stacks, ctx, BRZ_LEAF_FIRST);
    t->all = BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("samples"), .unit = BRZ_STR("samples"),
                                .flags = BRZ_COLUMN_SAMPLES);
    t->managed = BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("managed"), .unit = BRZ_STR("samples"));
    if (!read_names(t, b))
        return BRZ_ERROR;
    brz_rc rc = read_all_samples(t, b);
    if (rc == BRZ_OK)
        report_missing(t);
    return rc == BRZ_OK ? flush(t) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static const brz_magic magics[] = {
    {0, 32, "Nettrace\x14\0\0\0!FastSerialization.1", BRZ_SNIFF_MAGIC, 0},
};

static const char *const globs[] = {"*.nettrace", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "addrs", BOOL, addrs, "false", "name unresolved frames by their address"),
};

SHIPPED_BINARY_READER(nettrace, SHIPPED_MAGICS(magics))

BRZ_HINTS(BRZ_IF_NAME("*.nettrace") BRZ_IF_BEGINS("Nettrace"))

SHIPPED_COLLAPSER("nettrace", .summary = "traces of .NET's EventPipe",
                  .help = "Record with `dotnet-trace collect -p PID`. Samples of threads that wait "
                          "or run native code count, too; -w managed counts the others alone.",
                  BRZ_OPTIONS(option_table, options))
