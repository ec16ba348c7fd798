/* SPDX-License-Identifier: MIT */
/* The events of a recording. */
#include "events.h"

#include <brazier/plugin.h>

#include <stdio.h>

/* Events beyond this number are ignored: perf opens far fewer. */
#define EVENTS_MAX 4096

/* Fields of samples before the first one of variable size, in their order. */
static const uint64_t sample_head[] = {SAMPLE_IDENTIFIER, SAMPLE_IP,   SAMPLE_TID,
                                       SAMPLE_TIME,       SAMPLE_ADDR, SAMPLE_ID};
/* Fields of the trailer, in their order. */
static const uint64_t trailer_fields[] = {SAMPLE_TID,       SAMPLE_TIME, SAMPLE_ID,
                                          SAMPLE_STREAM_ID, SAMPLE_CPU,  SAMPLE_IDENTIFIER};

void events_init(events *e, brz_ctx *ctx)
{
    memset(e, 0, sizeof *e);
    pair_map_init(&e->ids, ctx);
}

/* ---- places of fields ------------------------------------------------------------------------ */

/* Returns 1 + the offset of a field in a sample, or 0 if samples do not have it. */
static size_t sample_place(const event *v, uint64_t field)
{
    size_t at = 0;
    for (size_t i = 0; i < BRZ_COUNT_OF(sample_head); i++) {
        if (sample_head[i] == field)
            return v->sample_type & field ? at + 1 : 0;
        at += v->sample_type & sample_head[i] ? 8 : 0;
    }
    return 0;
}

/* Returns the distance of a field of the trailer from the end of a record, or 0. */
static size_t trailer_place(const event *v, uint64_t field)
{
    size_t back = 0;
    for (size_t i = BRZ_COUNT_OF(trailer_fields); i-- > 0;) {
        back += v->sample_type & trailer_fields[i] ? 8 : 0;
        if (trailer_fields[i] == field)
            return v->sample_type & field ? back : 0;
    }
    return 0;
}

/* Finds the fields of samples that have these fields alone, all but the last of fixed sizes. */
static void find_plain_places(event *v)
{
    const uint64_t needed = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CALLCHAIN;
    const uint64_t skipped = SAMPLE_ADDR | SAMPLE_ID | SAMPLE_STREAM_ID;
    const uint64_t others = SAMPLE_IDENTIFIER | SAMPLE_CPU | SAMPLE_PERIOD;
    v->is_plain =
        (v->sample_type & needed) == needed && (v->sample_type & ~(needed | skipped | others)) == 0;
    v->ip_at = v->sample_type & SAMPLE_IDENTIFIER ? 8 : 0;
    size_t at = v->ip_at + 24 + 8 * (size_t)__builtin_popcountll(v->sample_type & skipped);
    v->cpu_at = v->sample_type & SAMPLE_CPU ? (uint8_t)at : 0;
    at += v->cpu_at > 0 ? 8 : 0;
    v->period_at = v->sample_type & SAMPLE_PERIOD ? (uint8_t)at : 0;
    at += v->period_at > 0 ? 8 : 0;
    v->chain_at = (uint8_t)at;
}

/* Returns who shares the counters in samples. An inherited counter counts for each thread alone,
 * unless it counts for a processor: perf sets the flag then, too. Samples tell their processor
 * usually only if all processors are recorded. */
static enum counter_scope scope_of(const event *v)
{
    if (!(v->flags & ATTR_INHERIT) || !(v->sample_type & SAMPLE_TID))
        return COUNTS_OF_ALL;
    return v->sample_type & SAMPLE_CPU ? COUNTS_UNKNOWN : COUNTS_OF_THREADS;
}

static void find_places(event *v)
{
    bool identifier = (v->sample_type & SAMPLE_IDENTIFIER) != 0;
    uint64_t id = identifier ? SAMPLE_IDENTIFIER : SAMPLE_ID;
    v->id_at = sample_place(v, id);
    v->time_at = sample_place(v, SAMPLE_TIME);
    find_plain_places(v);
    if (!(v->flags & ATTR_SAMPLE_ID_ALL))
        return;
    for (size_t i = 0; i < BRZ_COUNT_OF(trailer_fields); i++)
        v->trailer += v->sample_type & trailer_fields[i] ? 8 : 0;
    v->trailer_id_back = trailer_place(v, id);
    v->trailer_time_back = trailer_place(v, SAMPLE_TIME);
}

/* Limits the places of ids that all events share to those of another event, which is the last. */
static void limit_common_places(events *e, const event *v)
{
    e->by_id = e->n > 1;
    e->id_at = e->n == 1 || v->id_at == e->id_at ? v->id_at : 0;
    e->id_back = e->n == 1 || v->trailer_id_back == e->id_back ? v->trailer_id_back : 0;
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Reverses the bits of each byte: a big-endian machine numbers bit fields from the other end. */
static uint64_t mirror_bits(uint64_t value)
{
    value = (value >> 1 & UINT64_C(0x5555555555555555)) | (value & UINT64_C(0x5555555555555555))
                                                              << 1;
    value = (value >> 2 & UINT64_C(0x3333333333333333)) | (value & UINT64_C(0x3333333333333333))
                                                              << 2;
    return (value >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (value & UINT64_C(0x0f0f0f0f0f0f0f0f))
                                                             << 4;
}

/* Takes the flags, whose bytes keep their order in memory. */
static uint64_t take_flags(brz_bytes *b)
{
    uint32_t order = b->order;
    b->order = BRZ_LITTLE_ENDIAN;
    uint64_t flags = brz_bytes_u64(b);
    b->order = order;
    return order == BRZ_BIG_ENDIAN ? mirror_bits(flags) : flags;
}

/* Reads attributes. Fields beyond the size of the struct are 0. */
static event read_attr(brz_bytes *b)
{
    event v = {.column = BRZ_NO_FRAME};
    const uint8_t *start = b->at;
    v.type = brz_bytes_u32(b);
    uint64_t size = brz_bytes_u32(b);
    v.config = brz_bytes_u64(b);
    v.sample_period = brz_bytes_u64(b);
    v.sample_type = brz_bytes_u64(b);
    v.read_format = brz_bytes_u64(b);
    v.flags = take_flags(b);
    brz_bytes_skip(b, 2 * sizeof(uint64_t));
    size = size == 0 ? ATTR_SIZE_MIN : size;
    if (b->error == NULL && size < (uint64_t)(b->end - start))
        b->end = start + (size < ATTR_SIZE_MIN ? ATTR_SIZE_MIN : size);
    brz_bytes more = *b;
    if (more.error == NULL && brz_bytes_left(&more) >= 24) {
        brz_bytes_skip(&more, 8);
        v.branch_type = brz_bytes_u64(&more);
        v.user_registers = brz_bytes_u64(&more);
        v.stack_copied = brz_bytes_left(&more) >= 4 ? brz_bytes_u32(&more) : 0;
    }
    return v;
}

uint32_t events_add(events *e, brz_ctx *ctx, brz_bytes b)
{
    event v = read_attr(&b);
    if (b.error != NULL || e->n >= EVENTS_MAX)
        return BRZ_NO_FRAME;
    find_places(&v);
    v.scope = scope_of(&v);
    e->items = brz_list_room(ctx, e->items, e->n, &e->cap, sizeof *e->items);
    e->items[e->n++] = v;
    limit_common_places(e, &v);
    return (uint32_t)(e->n - 1);
}

void events_add_id(events *e, brz_ctx *ctx, uint64_t id, uint32_t position)
{
    pair_map_put(&e->ids, ctx, id, 0, position);
}

uint32_t events_stack_copied(const events *e)
{
    uint32_t most = 0;
    for (size_t i = 0; i < e->n; i++)
        most = e->items[i].stack_copied > most ? e->items[i].stack_copied : most;
    return most;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *const hardware[] = {
    "cycles",
    "instructions",
    "cache-references",
    "cache-misses",
    "branches",
    "branch-misses",
    "bus-cycles",
    "stalled-cycles-frontend",
    "stalled-cycles-backend",
    "ref-cycles",
};
static const char *const software[] = {
    "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
    "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
    "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
};
static const char *const types[] = {"hardware", "software", "tracepoint",
                                    "cache",    "raw",      "breakpoint"};

void events_name(events *e, brz_ctx *ctx, uint32_t position, brz_str name)
{
    if (position < e->n && name.len > 0 && e->items[position].name.len == 0)
        e->items[position].name = brz_text_keep(ctx, name);
}

static void name_by_type(events *e, brz_ctx *ctx, uint32_t i)
{
    const event *v = &e->items[i];
    const char *known = NULL;
    char text[64];
    if (v->type == 0 && v->config < BRZ_COUNT_OF(hardware))
        known = hardware[v->config];
    if (v->type == 1 && v->config < BRZ_COUNT_OF(software))
        known = software[v->config];
    int n = known != NULL ? snprintf(text, sizeof text, "%s", known)
                          : snprintf(text, sizeof text, "%s-%llx",
                                     v->type < BRZ_COUNT_OF(types) ? types[v->type] : "event",
                                     (unsigned long long)v->config);
    events_name(e, ctx, i, brz_str_of(text, (size_t)n));
}

void events_name_rest(events *e, brz_ctx *ctx)
{
    for (size_t i = 0; i < e->n; i++)
        if (e->items[i].name.len == 0)
            name_by_type(e, ctx, (uint32_t)i);
}

/* ---- the event of a record ------------------------------------------------------------------- */

event *events_of_id(const events *e, uint64_t id)
{
    uint32_t i = pair_map_find(&e->ids, id, 0);
    return i == PAIR_MISS ? NULL : &e->items[i];
}

event *events_by_id(const events *e, uint64_t id)
{
    return id == 0 ? &e->items[0] : events_of_id(e, id);
}

event *events_of_trailer(const events *e, const uint8_t *body, size_t n, uint32_t order)
{
    if (e->n == 0)
        return NULL;
    if (!e->by_id || e->id_back == 0)
        return &e->items[0];
    return e->id_back <= n ? events_by_id(e, word_u64(body + n - e->id_back, order)) : NULL;
}
