/* SPDX-License-Identifier: MIT */
/* Reads traces of Go 1.5 to 1.21.
 *
 *     trace  := batch*
 *     batch  := [BATCH processor ticks] record*
 *     record := head argument* | head length argument* | STRING number length byte*length
 *
 * The head has the type in its lower six bits and the number of arguments in the upper ones.
 * Batches have no length: their records show where they end. Texts, stacks and the frequency of the
 * clock follow the events that need them; therefore the records are read twice.
 */
#include "trace.h"

/* Maximum number of arguments of an event, with time and sequence number. */
#define ARGUMENTS_MAX 6

#define STRING_MAX 1000000

typedef struct record {
    const uint8_t *at;
    uint8_t type;
    uint64_t args[ARGUMENTS_MAX];
    size_t n;       /* number of arguments */
    brz_bytes rest; /* those of a stack after the first two */
    brz_str text;   /* of a string */
} record;

/* ---- records ----------------------------------------------------------------------------- */

static void take_string(record *r, brz_bytes *b)
{
    r->args[0] = brz_bytes_varint(b);
    uint64_t len = brz_bytes_varint(b);
    r->text = brz_bytes_text(b, len);
    if (len > STRING_MAX)
        brz_bytes_fail_at(b, r->at, "an implausibly long text");
}

static void take_arguments(record *r, brz_bytes *b, size_t n)
{
    for (; b->error == NULL && (n > 0 ? r->n < n : brz_bytes_left(b) > 0); r->n++) {
        if (r->n == 2)
            r->rest = *b;
        uint64_t value = brz_bytes_varint(b);
        if (r->n < ARGUMENTS_MAX)
            r->args[r->n] = value;
    }
}

/* Takes a record. Returns false at the end, and after a failure of the cursor. */
static bool take_record(const trace *t, brz_bytes *b, record *r)
{
    bool is_first = t->version < GO_VERSION_NAMES;
    if (brz_bytes_left(b) == 0)
        return false;
    *r = (record){.at = b->at, .rest = brz_bytes_of(NULL, 0)};
    uint8_t head = brz_bytes_u8(b);
    size_t n = (size_t)(head >> 6) + 1 + is_first;
    r->type = head & 63;
    if (r->type == GO_OLD_STRING) {
        take_string(r, b);
        return b->error == NULL;
    }
    if (n < (size_t)4 + is_first) {
        take_arguments(r, b, n);
    } else {
        brz_bytes part = brz_bytes_part(b, brz_bytes_varint(b));
        take_arguments(r, &part, 0);
        brz_bytes_join(b, &part);
    }
    if (r->type == GO_OLD_LOG)
        brz_bytes_skip(b, brz_bytes_varint(b));
    return b->error == NULL;
}

/* Returns whether a record is one of the tables. */
static bool is_structure(uint8_t type)
{
    return type == GO_OLD_BATCH || type == GO_OLD_FREQUENCY || type == GO_OLD_STACK ||
           type == GO_OLD_STRING || type == GO_OLD_TIMERS;
}

/* ---- events ------------------------------------------------------------------------------ */

/* Returns whether records have the number of their place in the sequence of all. */
static bool has_sequence(const trace *t)
{
    return t->version < GO_VERSION_NAMES;
}

/* Returns the kind of an event, or NULL if it is unknown or has other arguments. */
static const go_kind *kind_of(const trace *t, const record *r)
{
    const go_kind *kind = go_old_kind_of(r->type, t->version);
    return kind != NULL && r->n == (size_t)kind->n + has_sequence(t) ? kind : NULL;
}

/* Returns the arguments, the first of which is the time. */
static const uint64_t *arguments(const trace *t, const record *r)
{
    return r->args + has_sequence(t);
}

/* Returns the time of an event in ticks. The time of a record is that at which it was written; ends
 * of system calls and samples have another one, at which it happened. */
static uint64_t time_of(const go_kind *kind, const uint64_t *args, uint64_t written)
{
    bool has_own = kind->action == GO_SYSCALL_EXIT || kind->action == GO_SAMPLE;
    return has_own && args[kind->other] != 0 ? args[kind->other] : written;
}

static void take_event(trace *t, go_thread *of, record *r, const go_kind *kind)
{
    uint64_t *args = r->args + has_sequence(t);
    go_event *e = &of->head;
    e->at = r->at;
    trace_fill(t, e, kind, args);
    e->key = has_sequence(t) ? of->at.sequence : of->at.time;
    e->time = trace_nanoseconds(t, time_of(kind, args, of->at.time) - t->first);
}

static bool next_of_batch(trace *t, go_thread *of)
{
    record r;
    while (take_record(t, &of->at.bytes, &r)) {
        if (is_structure(r.type))
            continue;
        const go_kind *kind = kind_of(t, &r);
        if (kind != NULL) {
            of->at.time += arguments(t, &r)[0];
            of->at.sequence += r.args[0];
            take_event(t, of, &r, kind);
            return true;
        }
        brz_report_lost(t->ctx, "go-trace.event", r.at, 0,
                        BRZ_STR("an event with a wrong number of arguments: left out"));
    }
    return false;
}

static bool next_event(trace *t, uint32_t thread)
{
    while (!next_of_batch(t, &t->threads.items[thread]))
        if (!threads_open_batch(&t->threads, thread))
            return false;
    return true;
}

/* ---- tables ------------------------------------------------------------------------------ */

/* The batch that is being read in the first pass. */
typedef struct current {
    uint64_t processor, ticks; /* the latter of the last event */
    go_batch batch;
} current;

static void end_batch(trace *t, current *c, const uint8_t *end)
{
    if (c->batch.bytes.at == end)
        return;
    c->batch.bytes.end = end;
    threads_add_batch(&t->threads, c->processor, c->batch);
}

static void begin_batch(trace *t, current *c, const brz_bytes *b, const record *r)
{
    end_batch(t, c, r->at);
    c->processor = r->args[0];
    c->ticks = r->args[1 + has_sequence(t)];
    c->batch = (go_batch){.bytes = *b, .time = c->ticks};
    c->batch.sequence = has_sequence(t) ? r->args[1] : 0;
}

static void take_stack(trace *t, const record *r, const brz_bytes *b)
{
    uint64_t n = r->args[1], each = t->version < GO_VERSION_NAMES ? 1 : 4;
    brz_bytes frames = r->rest;
    if (r->n < 2 || n > GO_FRAMES_MAX || r->n != 2 + each * n) {
        brz_report_lost(t->ctx, "go-trace.stack", r->at, 0, BRZ_STR("a damaged stack: left out"));
        return;
    }
    if (n > 0 && frames.end > b->at)
        frames.end = b->at;
    tables_add_stack(&t->tables, r->args[0], frames);
}

/* Takes a record of the tables. */
static void take_structure(trace *t, current *c, const record *r, const brz_bytes *b)
{
    if (r->type == GO_OLD_BATCH)
        begin_batch(t, c, b, r);
    else if (r->type == GO_OLD_FREQUENCY)
        trace_set_frequency(t, r->args[0]);
    else if (r->type == GO_OLD_STACK)
        take_stack(t, r, b);
    else if (r->type == GO_OLD_STRING)
        tables_add_text(&t->tables, r->args[0], r->text);
}

/* Notes the time of an event. */
static void take_time(trace *t, current *c, const record *r)
{
    const go_kind *kind = kind_of(t, r);
    if (kind == NULL)
        return;
    const uint64_t *args = arguments(t, r);
    c->ticks += args[0];
    uint64_t time = time_of(kind, args, c->ticks);
    if (time < t->first)
        t->first = time;
}

/* Reads everything but events. Returns the end of what can be read. */
static void read_tables(trace *t, brz_bytes b)
{
    current c = {.batch = {.bytes = b}};
    record r = {.at = b.at};
    while (take_record(t, &b, &r)) {
        if (is_structure(r.type))
            take_structure(t, &c, &r, &b);
        else if (go_old_kind_of(r.type, t->version) != NULL)
            take_time(t, &c, &r);
        else
            brz_bytes_fail_at(&b, r.at, "an unknown kind of event");
    }
    end_batch(t, &c, b.error != NULL ? r.at : b.end);
    if (b.error != NULL)
        brz_report_lost(t->ctx, "go-trace.damaged", b.error_at, 0,
                        BRZ_STR("the trace ends or is damaged here: the rest is missing, and names "
                                "of functions with it"));
}

brz_rc trace_read_old(trace *t, brz_bytes b)
{
    t->first = UINT64_MAX;
    read_tables(t, b);
    if (t->ns_per_tick == 0 && t->threads.n_active > 0)
        BRZ_WARN(t->ctx, "go-trace.frequency", NULL, 0,
                 "the frequency of the clock is missing: times are not counted");
    return trace_take_events(t, next_event);
}
