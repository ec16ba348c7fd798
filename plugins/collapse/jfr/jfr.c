/* SPDX-License-Identifier: MIT */
/* Collapses recordings of Java Flight Recorder.
 *
 * chunk.c finds the chunks and their parts, types.c reads the metadata, objects.c reads records by
 * it, constants.c finds constants, frames.c makes stacks of these, columns.c chooses the columns of
 * events. */
#include <brazier/plugin.h>

#include "../../common/budget.h"
#include "../../common/shipped.h"
#include "columns.h"
#include "constants.h"
#include "frames.h"

#define EVENTS_BATCH 1024

typedef struct events {
    brz_ctx *ctx;
    columns columns;
    frames frames;
    bool wants_tags, wants_time;
    uint64_t truncated; /* number of events whose stacks are incomplete */
    brz_count batch[EVENTS_BATCH];
    size_t n_batch;
} events;

/* ---- tags ------------------------------------------------------------------------------------ */

/* The state of the thread, in addition to the values without a role. */
#define MAX_LABELS (MAX_EXTRAS + 1)

static void set_thread(chunk *c, brz_tag_desc *tag, const field_value *v)
{
    const constant *k = v->field->is_pooled ? constants_find(c, v->field->type, v->number) : NULL;
    object o;
    o.keeps_extras = false;
    if (k == NULL || !constants_object(c, k, &o))
        return;
    uint64_t system = object_number(&o, ROLE_OS_ID, 0), java = object_number(&o, ROLE_JAVA_ID, 0);
    tag->thread = (int64_t)(system != 0 ? system : java);
    tag->flags |= tag->thread > 0 ? BRZ_TAG_THREAD : 0;
    if (object_has(&o, ROLE_JAVA_NAME))
        tag->thread_name = value_text(c, &o.of[ROLE_JAVA_NAME]);
    if (tag->thread_name.len == 0 && object_has(&o, ROLE_OS_NAME))
        tag->thread_name = value_text(c, &o.of[ROLE_OS_NAME]);
}

/* Adds a label: an id other than 0, or a text that is not empty. */
static void add_label(chunk *c, brz_tag_desc *tag, brz_label *labels, const field_value *v)
{
    brz_label l = {.key = v->field->name, .text = {"", 0}, .unit = {"", 0}};
    basic kind = (basic)c->types.items[v->field->type].basic;
    bool number = !v->field->is_pooled && kind != BASIC_STRING;
    if (number) {
        l.number = (int64_t)v->number;
        l.flags = BRZ_LABEL_NUMBER;
    } else {
        l.text = value_text(c, v);
    }
    if ((number ? l.number == 0 : l.text.len == 0) || !reader_spend(&c->reader, l.key.len))
        return;
    labels[tag->n_labels++] = l;
}

/* Returns the tag of an event: its thread, the state of that, and values that are names or ids. */
static brz_tag tag_of(brz_ctx *ctx, chunk *c, const object *event)
{
    brz_tag_desc tag = {.struct_size = sizeof tag, .label_size = sizeof(brz_label)};
    brz_label labels[MAX_LABELS];
    role thread = object_has(event, ROLE_SAMPLED_THREAD) ? ROLE_SAMPLED_THREAD : ROLE_EVENT_THREAD;
    if (object_has(event, thread))
        set_thread(c, &tag, &event->of[thread]);
    const field_value *state = &event->of[ROLE_STATE];
    if (object_has(event, ROLE_STATE) && state->field->is_pooled && state->field->type != NO_TYPE)
        add_label(c, &tag, labels, state);
    for (size_t i = 0; i < event->n_extras; i++)
        add_label(c, &tag, labels, &event->extras[i]);
    tag.labels = labels;
    return ctx->host->tag(ctx, &tag);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void init_events(events *e, brz_ctx *ctx, bool merges)
{
    e->ctx = ctx;
    e->columns.ctx = ctx;
    e->wants_tags = (ctx->flags & BRZ_CTX_WANTS_TAGS) != 0;
    e->wants_time = (ctx->flags & BRZ_CTX_WANTS_TIME) != 0;
    frames_init(&e->frames, ctx, merges);
}

static brz_rc flush(events *e)
{
    size_t n = e->n_batch;
    e->n_batch = 0;
    return n == 0 ? BRZ_OK : e->ctx->host->add(e->ctx, e->batch, n, sizeof *e->batch);
}

static brz_rc add(events *e, const brz_count *count)
{
    e->batch[e->n_batch++] = *count;
    return e->n_batch == EVENTS_BATCH ? flush(e) : BRZ_OK;
}

/* Counts an event in the columns of its type. */
static brz_rc count_event(events *e, chunk *c, const record_type *t, const object *event)
{
    brz_count n = {.tag = BRZ_NO_TAG};
    bool truncated;
    brz_rc rc = BRZ_OK;
    n.stack = frames_stack(&e->frames, c, event, &truncated);
    e->truncated += truncated;
    if (e->wants_tags)
        n.tag = tag_of(e->ctx, c, event);
    if (e->wants_time && object_has(event, ROLE_START)) {
        n.time = chunk_time(c, event->of[ROLE_START].number);
        n.flags = BRZ_TIMED;
    }
    for (uint32_t i = 0; i < t->n_columns && rc == BRZ_OK; i++) {
        n.column = t->columns[i].column;
        n.value = columns_value(&t->columns[i], c, event);
        if (n.value == 0)
            continue;
        rc = add(e, &n);
        n.flags |= BRZ_SAME_SAMPLE;
    }
    return c->reader.is_spent ? BRZ_ERROR : rc;
}

static brz_rc read_event(events *e, chunk *c, uint32_t index, brz_bytes *payload)
{
    const record_type *t = &c->types.items[index];
    object o;
    o.keeps_extras = e->wants_tags;
    object_read(c, &o, index, payload);
    if (payload->error != NULL) {
        brz_report_lost(e->ctx, "jfr.record", payload->error_at, 0,
                        BRZ_STR("a damaged event: left out"));
        return BRZ_OK;
    }
    if (!frames_any(&o) && !columns_is_sample(t))
        return BRZ_OK;
    return count_event(e, c, t, &o);
}

/* Counts the events of a chunk, whose columns and constants are known. */
static brz_rc count_events(events *e, chunk *c)
{
    brz_bytes list = c->bytes, payload;
    size_t texts = c->reader.texts.len;
    uint64_t id;
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && chunk_next_event(c, &list, &id, &payload)) {
        uint32_t type =
            id == METADATA_EVENT || id == CHECKPOINT_EVENT ? NO_TYPE : types_find(&c->types, id);
        if (type == NO_TYPE || c->types.items[type].n_columns == 0)
            continue;
        rc = read_event(e, c, type, &payload);
        c->reader.texts.len = texts;
    }
    return rc;
}

/* Passes the rest of the counts to the host, and reports truncated stacks. */
static brz_rc finish_events(events *e)
{
    brz_report_count(e->ctx, BRZ_WARNING, "jfr.truncated", e->truncated, 0,
                     BRZ_STR("{count} {event has|events have} a stack without its outer frames: "
                             "record with a larger stack depth"));
    return flush(e);
}

/* ---- parsing --------------------------------------------------------------------------------- */

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
        rc = count_events(&r->events, &r->chunk);
    }
    return rc == BRZ_OK ? finish_events(&r->events) : rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *input, size_t *used)
{
    recording *r = ctx->inst;
    const options *o = ctx->cfg;
    *used = input->len;
    r->chunk.reader.ctx = ctx;
    r->chunk.reader.budget = budget_of(input->len);
    r->chunk.steps = STEPS_LEAST;
    r->start = INT64_MAX;
    init_events(&r->events, ctx, o->merge_generated);
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

BRZ_HINTS(BRZ_IF_NAME("*.jfr") BRZ_IF_BEGINS("FLR"))

SHIPPED_COLLAPSER(
    "jfr", .summary = "recordings of Java Flight Recorder: .jfr",
    .help = "The JVM, async-profiler and Datadog's profiler write them. Record with `java "
            "-XX:StartFlightRecording=filename=FILE`. Samples of the processor, allocations, locks "
            "and other events are weights of their own: see -w.",
    BRZ_OPTIONS(option_table, options))
