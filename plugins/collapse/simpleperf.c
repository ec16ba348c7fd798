/* SPDX-License-Identifier: MIT */
/* Collapses the reports of Android's simpleperf report-sample --protobuf:
 *
 *     report := "SIMPLEPERF" u16 (u32 record)* u32
 *     record := a message with one of sample, lost, file, thread, meta info, context switch
 *
 * A number in front of a record is its size; the last one is 0. Samples refer to files, symbols and
 * threads, which mostly follow them. Chains run from leaf to root. Samples are a column, and so is
 * each event.
 */
#include "../common/dump/dump.h"
#include "../common/pair_map.h"
#include "../common/names/unresolved.h"

#include <brazier/binary.h>

#define MAGIC      "SIMPLEPERF"
#define MAGIC_SIZE 10

/* Fields of a record, and of the messages in it. */
enum { RECORD_SAMPLE = 1, RECORD_LOST, RECORD_FILE, RECORD_THREAD, RECORD_META };
enum { SAMPLE_TIME = 1, SAMPLE_THREAD, SAMPLE_CHAIN, SAMPLE_COUNT, SAMPLE_EVENT };
enum { ENTRY_ADDRESS = 1, ENTRY_FILE, ENTRY_SYMBOL, ENTRY_EXECUTION };
enum { LOST_SAMPLES = 1, LOST_LOST };
enum { FILE_ID = 1, FILE_PATH, FILE_SYMBOL };
enum { THREAD_ID = 1, THREAD_PROCESS, THREAD_NAME };
enum { META_EVENT = 1 };

/* Execution of code that was compiled at run time. */
#define EXECUTION_JIT 2

/* Kinds of ids. */
enum { FILES, THREADS };

typedef struct file {
    brz_str path;
    size_t first, n; /* symbols */
} file;

typedef struct thread {
    int64_t process;
    brz_str name;
} thread;

/* An entry of a chain. */
typedef struct entry {
    uint64_t file, symbol, execution;
} entry;

typedef struct simpleperf {
    dump dump;
    brz_text scratch; /* for names of code without a function */
    pair_map ids, frames;
    file *files;
    size_t n_files, files_cap;
    brz_str *symbols;
    size_t n_symbols, symbols_cap;
    thread *threads;
    size_t n_threads, threads_cap;
    uint32_t *events; /* columns */
    size_t n_events, events_cap;
    uint32_t samples; /* column */
    uint64_t n_lost;
} simpleperf;

static brz_str text_of(const brz_proto_field *f)
{
    return brz_str_of((const char *)f->part.at, brz_bytes_left(&f->part));
}

/* ---- files, threads and events --------------------------------------------------------------- */

static void add_symbol(simpleperf *s, brz_str name)
{
    s->symbols =
        brz_list_room(s->dump.ctx, s->symbols, s->n_symbols, &s->symbols_cap, sizeof *s->symbols);
    s->symbols[s->n_symbols++] = name;
}

static bool read_file(simpleperf *s, brz_bytes b)
{
    brz_ctx *ctx = s->dump.ctx;
    file new = {.first = s->n_symbols};
    brz_proto_field f;
    uint64_t id = 0;
    while (brz_proto_next(&b, &f)) {
        if (f.number == FILE_ID)
            id = f.value;
        else if (f.number == FILE_PATH)
            new.path = text_of(&f);
        else if (f.number == FILE_SYMBOL)
            add_symbol(s, text_of(&f));
    }
    new.n = s->n_symbols - new.first;
    s->files = brz_list_room(ctx, s->files, s->n_files, &s->files_cap, sizeof new);
    pair_map_put(&s->ids, ctx, FILES, id, (uint32_t)s->n_files);
    s->files[s->n_files++] = new;
    return b.error == NULL;
}

static bool read_thread(simpleperf *s, brz_bytes b)
{
    brz_ctx *ctx = s->dump.ctx;
    thread new = {.process = -1};
    brz_proto_field f;
    uint64_t id = 0;
    while (brz_proto_next(&b, &f)) {
        if (f.number == THREAD_ID)
            id = f.value;
        else if (f.number == THREAD_PROCESS && f.value <= INT64_MAX)
            new.process = (int64_t)f.value;
        else if (f.number == THREAD_NAME)
            new.name = text_of(&f);
    }
    s->threads = brz_list_room(ctx, s->threads, s->n_threads, &s->threads_cap, sizeof new);
    pair_map_put(&s->ids, ctx, THREADS, id, (uint32_t)s->n_threads);
    s->threads[s->n_threads++] = new;
    return b.error == NULL;
}

/* Declares the event types as columns. */
static bool read_meta(simpleperf *s, brz_bytes b)
{
    brz_ctx *ctx = s->dump.ctx;
    brz_proto_field f;
    while (brz_proto_next(&b, &f)) {
        brz_str name = text_of(&f), unit = name;
        if (f.number != META_EVENT || name.len == 0)
            continue;
        if (brz_str_is(name, "cpu-clock") || brz_str_is(name, "task-clock"))
            unit = BRZ_STR("nanoseconds");
        s->events = brz_list_room(ctx, s->events, s->n_events, &s->events_cap, sizeof *s->events);
        s->events[s->n_events++] = dump_declare(ctx, name, unit);
    }
    return b.error == NULL;
}

static bool read_lost(simpleperf *s, brz_bytes b)
{
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == LOST_LOST)
            s->n_lost = f.value;
    return b.error == NULL;
}

/* Reads a record that is not a sample. */
static bool read_table(simpleperf *s, const brz_proto_field *f)
{
    switch (f->number) {
    case RECORD_LOST:
        return read_lost(s, f->part);
    case RECORD_FILE:
        return read_file(s, f->part);
    case RECORD_THREAD:
        return read_thread(s, f->part);
    case RECORD_META:
        return read_meta(s, f->part);
    default:
        return true;
    }
}

/* ---- samples --------------------------------------------------------------------------------- */

static brz_frame new_frame(simpleperf *s, const entry *e, const file *at)
{
    brz_frame_desc f = {0};
    if (at != NULL) {
        f.module = at->path;
        if (e->symbol < at->n)
            f.name = s->symbols[at->first + e->symbol];
    }
    f.kind = mapping_is_kernel(f.module) ? BRZ_KIND_KERNEL : BRZ_KIND_USER;
    f.flags = e->execution == EXECUTION_JIT ? BRZ_FRAME_JIT : 0;
    if (f.name.len == 0)
        f.name = unresolved_name(&s->scratch, s->dump.ctx, f.module, 0);
    return dump_frame(&s->dump, &f);
}

static brz_frame frame_of(simpleperf *s, const entry *e)
{
    uint32_t index = pair_map_find(&s->ids, FILES, e->file);
    const file *at = index != PAIR_MISS ? &s->files[index] : NULL;
    uint64_t symbol = at != NULL && e->symbol < at->n ? e->symbol : UINT32_MAX;
    uint64_t key = symbol << 1 | (e->execution == EXECUTION_JIT);
    uint32_t frame = pair_map_find(&s->frames, index, key);
    if (frame == PAIR_MISS) {
        frame = new_frame(s, e, at);
        pair_map_put(&s->frames, s->dump.ctx, index, key, frame);
    }
    return frame;
}

static bool push_entry(simpleperf *s, brz_bytes b)
{
    entry e = {.symbol = UINT64_MAX};
    brz_proto_field f;
    while (brz_proto_next(&b, &f)) {
        if (f.number == ENTRY_FILE)
            e.file = f.value;
        else if (f.number == ENTRY_SYMBOL)
            e.symbol = f.value;
        else if (f.number == ENTRY_EXECUTION)
            e.execution = f.value;
    }
    brz_path_push(s->dump.stacks.path, s->dump.ctx, frame_of(s, &e));
    return b.error == NULL;
}

static void set_tag(simpleperf *s, uint64_t id, uint64_t time)
{
    uint32_t index = pair_map_find(&s->ids, THREADS, id);
    brz_tag_desc tag = {.flags = BRZ_TAG_THREAD, .thread = (int64_t)id};
    s->dump.process = -1;
    if (index != PAIR_MISS) {
        s->dump.process = s->threads[index].process;
        tag.thread_name = s->threads[index].name;
    }
    dump_tag(&s->dump, &tag);
    if (time <= INT64_MAX)
        brz_stacks_place(&s->dump.stacks, s->dump.stacks.tag, BRZ_TIMED, (int64_t)time);
}

static brz_rc read_sample(simpleperf *s, brz_bytes b, bool *good)
{
    brz_stacks *stacks = &s->dump.stacks;
    uint64_t time = UINT64_MAX, thread_id = 0, count = 0, event = 0;
    brz_proto_field f;
    brz_path_cut(stacks->path, 0);
    *good = true;
    while (*good && brz_proto_next(&b, &f)) {
        if (f.number == SAMPLE_TIME)
            time = f.value;
        else if (f.number == SAMPLE_THREAD)
            thread_id = f.value;
        else if (f.number == SAMPLE_COUNT)
            count = f.value;
        else if (f.number == SAMPLE_EVENT)
            event = f.value;
        else if (f.number == SAMPLE_CHAIN)
            *good = push_entry(s, f.part);
    }
    *good &= b.error == NULL && dump_depth(&s->dump) > 0 && thread_id <= INT64_MAX;
    if (!*good)
        return BRZ_OK;
    set_tag(s, thread_id, time);
    brz_rc rc = BRZ_OK;
    if (event < s->n_events && count > 0 && count <= INT64_MAX)
        rc = brz_stacks_count(stacks, s->dump.ctx, s->events[event], (int64_t)count);
    return rc == BRZ_OK ? dump_count(&s->dump, s->samples, 1) : rc;
}

/* ---- records --------------------------------------------------------------------------------- */

/* Reads the fields of a record: its samples, or all else. */
static brz_rc read_record(simpleperf *s, brz_bytes record, bool samples)
{
    brz_bytes b = record;
    brz_proto_field f;
    bool good = true;
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && good && brz_proto_next(&b, &f)) {
        if (f.type != BRZ_PROTO_BYTES || (f.number == RECORD_SAMPLE) != samples)
            continue;
        if (samples)
            rc = read_sample(s, f.part, &good);
        else
            good = read_table(s, &f);
    }
    if (!good || (b.error != NULL && samples))
        brz_report_lost(s->dump.ctx, "simpleperf.record", record.at, brz_bytes_left(&record),
                        BRZ_STR("a record that is damaged or has no stack: left out"));
    return rc;
}

/* Reports what follows the end of the recording. */
static void check_end(const simpleperf *s, const brz_bytes *b)
{
    if (brz_bytes_left(b) > 0)
        brz_report_lost(s->dump.ctx, "simpleperf.another", b->at, 0,
                        BRZ_STR("another recording follows, which is not read: name each file by "
                                "itself"));
}

static brz_rc read_records(simpleperf *s, brz_bytes b, bool samples)
{
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK) {
        uint32_t size = brz_bytes_u32(&b);
        if (size == 0)
            break;
        rc = read_record(s, brz_bytes_part(&b, size), samples);
    }
    if (b.error == NULL && samples)
        check_end(s, &b);
    if (b.error != NULL && samples)
        brz_bytes_report(s->dump.ctx, &b, BRZ_WARNING, "simpleperf.cut-off");
    return rc;
}

static void report_lost(const simpleperf *s)
{
    brz_report_count(s->dump.ctx, BRZ_WARNING, "simpleperf.lost", s->n_lost, s->n_lost,
                     BRZ_STR("samples that simpleperf lost while recording: {count}"));
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    simpleperf *s = ctx->inst;
    brz_bytes b = brz_bytes_of(chunk->data, chunk->len);
    *used = chunk->len;
    s->samples = dump_declare(ctx, BRZ_STR("samples"), BRZ_STR("samples"));
    brz_bytes_part(&b, MAGIC_SIZE);
    brz_bytes_u16(&b); /* version */
    brz_rc rc = read_records(s, b, false);
    report_lost(s);
    return rc == BRZ_OK ? read_records(s, b, true) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    bool magic = head->len >= MAGIC_SIZE && memcmp(head->data, MAGIC, MAGIC_SIZE) == 0;
    return magic ? BRZ_SNIFF_MAGIC : BRZ_SNIFF_NO;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    simpleperf *s = ctx->inst;
    pair_map_init(&s->ids, ctx);
    pair_map_init(&s->frames, ctx);
    return dump_open(ctx);
}

SHIPPED_READER(simpleperf, .flags = BRZ_BINARY | BRZ_WHOLE_INPUT, .open = open_instance,
               .finish = dump_finish)

BRZ_HINTS(BRZ_IF_BEGINS("SIMPLEPERF"))

SHIPPED_COLLAPSER("simpleperf", .summary = "simpleperf of Android, report-sample --protobuf",
                  .help = "Record with `simpleperf record -g`, then `simpleperf report-sample "
                          "--protobuf --show-callchain -o FILE`. Samples and each event are "
                          "weights: see --weight.")
