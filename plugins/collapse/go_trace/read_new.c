/* SPDX-License-Identifier: MIT */
/* Reads traces of Go 1.22 and later.
 *
 *     trace   := (batch | END_OF_GENERATION)*
 *     batch   := EVENT_BATCH generation thread time size byte*size
 *              | EXPERIMENTAL_BATCH experiment:u8 generation thread time size byte*size
 *     content := event* | STRINGS string* | STACKS stack* | CPU_SAMPLES sample*
 *              | FREQUENCY ticks | SYNC_BATCH (FREQUENCY ticks | CLOCK_SNAPSHOT time mono s ns)*
 *     event   := type argument*
 *
 * Numbers of texts and stacks, and sequence numbers, are those of a generation. Its batches have
 * them in any order; therefore all are read before the first event. Goroutines and threads go on
 * from generation to generation.
 */
#include "trace.h"

#include <brazier/metadata.h>

#include "../../common/quick_fields.h"

#define ARGUMENTS_MAX 5

/* A batch, whose content is in `bytes`. */
typedef struct header {
    const uint8_t *at;
    uint64_t generation, thread, time;
    brz_bytes bytes;
    bool is_experiment;
} header;

/* ---- batches ----------------------------------------------------------------------------- */

/* Takes the content of a batch, or what is left of it, with a failure, in a file that was cut. */
static brz_bytes take_rest(brz_bytes *b, const uint8_t *at)
{
    uint64_t size = brz_bytes_varint(b);
    brz_bytes content = *b;
    if (b->error != NULL || size <= brz_bytes_left(b))
        return brz_bytes_part(b, size);
    brz_bytes_fail_at(b, at, "a batch that is cut");
    return content;
}

/* Takes a batch. Returns false at the end, and after a failure of the cursor. The end of a
 * generation is a batch without content. */
static bool take_batch(brz_bytes *b, header *h)
{
    if (brz_bytes_left(b) == 0)
        return false;
    *h = (header){.at = b->at, .bytes = *b};
    uint8_t type = brz_bytes_u8(b);
    h->bytes.end = h->bytes.at;
    if (type == GO_END_OF_GENERATION)
        return true;
    if (type != GO_EVENT_BATCH && type != GO_EXPERIMENTAL_BATCH) {
        brz_bytes_fail_at(b, h->at, "not a batch of events");
        return false;
    }
    h->is_experiment = type == GO_EXPERIMENTAL_BATCH;
    if (h->is_experiment)
        brz_bytes_u8(b);
    h->generation = brz_bytes_varint(b);
    h->thread = brz_bytes_varint(b);
    h->time = brz_bytes_varint(b);
    bool is_whole = b->error == NULL;
    h->bytes = take_rest(b, h->at);
    return is_whole && h->bytes.error == NULL;
}

/* Reports that the rest of a batch cannot be read. */
static void report_rest(const trace *t, const uint8_t *at)
{
    brz_report_lost(t->ctx, "go-trace.batch", at, 0,
                    BRZ_STR("a damaged batch: the rest of it is left out"));
}

/* ---- tables ------------------------------------------------------------------------------ */

static void take_string(trace *t, brz_bytes *b)
{
    uint64_t number = brz_bytes_varint(b);
    brz_str text = brz_bytes_text(b, brz_bytes_varint(b));
    if (b->error == NULL)
        tables_add_text(&t->tables, number, text);
}

static void take_stack(trace *t, brz_bytes *b)
{
    uint64_t number = brz_bytes_varint(b), n = brz_bytes_varint(b);
    if (n > GO_FRAMES_MAX)
        brz_bytes_fail(b, "an implausibly deep stack");
    brz_bytes frames = *b;
    for (uint64_t i = 0; i < 4 * n && b->error == NULL; i++)
        brz_bytes_varint(b);
    if (b->error != NULL)
        return;
    frames.end = b->at;
    tables_add_stack(&t->tables, number, frames);
}

/* States when the trace began, if this is the first time that it says so. */
static void take_snapshot(trace *t, const header *h, brz_bytes *b)
{
    uint64_t ticks = h->time + brz_bytes_varint(b);
    brz_bytes_varint(b); /* of the monotonic clock */
    uint64_t s = brz_bytes_varint(b), ns = brz_bytes_varint(b);
    brz_metadata m = {.struct_size = sizeof m};
    if (b->error != NULL || t->has_start || s > INT32_MAX || ns >= 1000000000)
        return;
    t->has_start = true;
    m.start = (int64_t)(s * 1000000000 + ns);
    m.clock_start = trace_nanoseconds(t, ticks);
    t->ctx->host->metadata(t->ctx, &m);
}

static void take_clock(trace *t, const header *h, brz_bytes *b, uint8_t type)
{
    if (type == GO_FREQUENCY)
        trace_set_frequency(t, brz_bytes_varint(b));
    else if (type == GO_CLOCK_SNAPSHOT)
        take_snapshot(t, h, b);
    else
        brz_bytes_fail(b, "an unknown record");
}

/* Reads the rest of a batch of tables, whose first byte is `of`. */
static void read_table(trace *t, const header *h, brz_bytes b, uint8_t of)
{
    while (brz_bytes_left(&b) > 0) {
        const uint8_t *at = b.at;
        uint8_t type = brz_bytes_u8(&b);
        if (of == GO_STRINGS && type == GO_STRING)
            take_string(t, &b);
        else if (of == GO_STACKS && type == GO_STACK)
            take_stack(t, &b);
        else if (of == GO_SYNC_BATCH)
            take_clock(t, h, &b, type);
        else
            brz_bytes_fail_at(&b, at, "an unknown record");
        if (b.error != NULL)
            report_rest(t, at);
    }
}

static void take_samples(trace *t, brz_bytes b)
{
    t->samples =
        brz_list_room(t->ctx, t->samples, t->n_samples, &t->samples_cap, sizeof *t->samples);
    t->samples[t->n_samples++] = b;
}

/* Takes a batch of the part that is being read. */
static void take_content(trace *t, const header *h)
{
    brz_bytes b = h->bytes;
    if (h->is_experiment || brz_bytes_left(&b) == 0)
        return;
    uint8_t type = *b.at;
    if (type == GO_STRINGS || type == GO_STACKS || type == GO_SYNC_BATCH) {
        brz_bytes_u8(&b);
        read_table(t, h, b, type);
    } else if (type == GO_FREQUENCY) { /* before Go 1.25 */
        read_table(t, h, b, GO_SYNC_BATCH);
    } else if (type == GO_CPU_SAMPLES) {
        brz_bytes_u8(&b);
        take_samples(t, b);
    } else {
        threads_add_batch(&t->threads, h->thread, (go_batch){.bytes = b, .time = h->time});
    }
}

/* ---- events ------------------------------------------------------------------------------ */

/* Takes arguments. Returns false if they are damaged. */
static bool take_arguments(brz_bytes *b, uint64_t *args, size_t n)
{
    for (size_t i = 0; i < n; i++)
        args[i] = brz_bytes_varint(b);
    return b->error == NULL;
}

static void advance(const trace *t, go_thread *of, uint64_t ticks)
{
    if (__builtin_add_overflow(of->time, trace_nanoseconds(t, ticks), &of->time))
        of->time = INT64_MAX;
}

/* Takes arguments of usual length. Returns false without moving if there are others. */
static inline bool take_usual(brz_bytes *b, uint64_t *args, size_t n)
{
    const uint8_t *at = b->at, *end = b->end;
    for (size_t i = 0; i < n; i++) {
        at = at < end ? quick_varint(at, end, &args[i]) : NULL;
        if (at == NULL)
            return false;
    }
    b->at = at;
    return true;
}

static bool next_of_batch(trace *t, go_thread *of)
{
    brz_bytes *b = &of->at.bytes;
    uint64_t args[ARGUMENTS_MAX] = {0};
    if (brz_bytes_left(b) == 0)
        return false;
    of->head.at = b->at;
    const go_kind *kind = go_kind_of(*b->at++);
    if (kind == NULL || (!take_usual(b, args, kind->n) && !take_arguments(b, args, kind->n))) {
        report_rest(t, of->head.at);
        b->at = b->end;
        return false;
    }
    advance(t, of, args[0]);
    trace_fill(t, &of->head, kind, args);
    of->head.time = of->time;
    of->head.key = (uint64_t)of->time;
    return true;
}

static bool next_event(trace *t, uint32_t thread)
{
    go_thread *of = &t->threads.items[thread];
    while (!next_of_batch(t, of)) {
        if (!threads_open_batch(&t->threads, thread))
            return false;
        of->time = trace_nanoseconds(t, of->at.time);
    }
    return true;
}

/* ---- samples ----------------------------------------------------------------------------- */

static brz_rc read_samples(trace *t, brz_bytes b)
{
    uint64_t args[ARGUMENTS_MAX]; /* time, thread, processor, goroutine, stack */
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && brz_bytes_left(&b) > 0) {
        go_event e = {.at = b.at};
        if (brz_bytes_u8(&b) != GO_CPU_SAMPLE || !take_arguments(&b, args, ARGUMENTS_MAX)) {
            report_rest(t, e.at);
            return BRZ_OK;
        }
        e.time = trace_nanoseconds(t, args[0]);
        e.goroutine = args[3];
        e.stack = args[4];
        rc = goroutines_take_sample(&t->goroutines, &e);
    }
    return rc;
}

/* ---- generations ------------------------------------------------------------------------- */

/* Takes the events and samples of a generation, whose batches have been read. */
static brz_rc end_generation(trace *t)
{
    brz_rc rc = trace_take_events(t, next_event);
    for (size_t i = 0; i < t->n_samples && rc == BRZ_OK; i++)
        rc = read_samples(t, t->samples[i]);
    t->n_samples = 0;
    threads_clear(&t->threads);
    tables_clear(&t->tables);
    t->goroutines.part++;
    return rc;
}

/* Finds a frequency for generations that lack theirs. */
static void find_frequency(trace *t, brz_bytes b)
{
    bool is_empty = brz_bytes_left(&b) == 0;
    header h;
    while (t->ns_per_tick == 0 && take_batch(&b, &h)) {
        if (brz_bytes_left(&h.bytes) > 0 && *h.bytes.at == GO_SYNC_BATCH)
            brz_bytes_u8(&h.bytes);
        if (!h.is_experiment && brz_bytes_left(&h.bytes) > 0 && *h.bytes.at == GO_FREQUENCY) {
            brz_bytes_u8(&h.bytes);
            trace_set_frequency(t, brz_bytes_varint(&h.bytes));
        }
    }
    if (t->ns_per_tick == 0 && !is_empty)
        BRZ_WARN(t->ctx, "go-trace.frequency", NULL, 0,
                 "the frequency of the clock is missing: times are not counted");
}

brz_rc trace_read(trace *t, brz_bytes b)
{
    find_frequency(t, b);
    uint64_t generation = 0;
    bool has_any = false;
    brz_rc rc = BRZ_OK;
    header h;
    while (rc == BRZ_OK && take_batch(&b, &h)) {
        if (has_any && h.generation != generation)
            rc = end_generation(t);
        generation = h.generation;
        has_any = true;
        take_content(t, &h);
    }
    if (b.error != NULL)
        brz_report_lost(t->ctx, "go-trace.damaged", b.error_at, 0,
                        BRZ_STR("the trace ends or is damaged here: the rest is missing"));
    return rc == BRZ_OK ? end_generation(t) : rc;
}
