/* SPDX-License-Identifier: MIT */
/* Counts the allocations of heap profiles. */
#include "heap.h"

#include <brazier/symbol.h>

enum {
    PROFILE_TEXTS = 1,
    PROFILE_FRAMES = 2,
    PROFILE_CALLSTACKS = 3,
    PROFILE_MAPPINGS = 4,
    PROFILE_PROCESS = 5,
    PROFILE_CONTINUED = 6,
    PROFILE_INDEX = 7,
};

enum {
    PROCESS_ID = 1,
    PROCESS_SAMPLE = 2,
    PROCESS_REJECTED = 4,
    PROCESS_DISCONNECTED = 6,
    PROCESS_OVERRAN = 7,
    PROCESS_CORRUPTED = 8,
    PROCESS_TIME = 9,
    PROCESS_GUARDRAIL = 10,
    PROCESS_HEAP = 11,
    PROCESS_ERROR = 14,
};

enum { SAMPLE_CALLSTACK = 1 };

/* The heap of Android's runtime, of which the profiler sees no frees. */
#define ART_HEAP "com.android.art"

void heaps_init(heaps *h, brz_ctx *ctx, sequences *q, frames *f, samples *s, tasks *t)
{
    *h = (heaps){.ctx = ctx, .sequences = q, .frames = f, .samples = s, .tasks = t};
    brz_frame_cache_init(&h->keys, ctx);
    pair_map_init(&h->by_sequence, ctx);
    pair_map_init(&h->by_stack, ctx);
}

/* Returns the index of a heap. Adds it if it is new. */
static uint32_t find_heap(heaps *h, int64_t process, brz_str name)
{
    h->key.len = 0;
    brz_text_append(&h->key, h->ctx, brz_str_of((const char *)&process, sizeof process));
    brz_text_append(&h->key, h->ctx, name);
    brz_frame_key key = brz_frame_key_of(&h->keys, h->key.data, h->key.len, 0);
    uint32_t found = brz_frame_cache_find(&h->keys, &key);
    if (found != BRZ_CACHE_MISS)
        return found;
    heap_of new = {process, name, !brz_str_is(name, ART_HEAP), 0};
    brz_frame_cache_put(&h->keys, h->ctx, &key, (uint32_t)h->n_heaps);
    h->heaps = brz_list_room(h->ctx, h->heaps, h->n_heaps, &h->heaps_cap, sizeof new);
    h->heaps[h->n_heaps] = new;
    return (uint32_t)h->n_heaps++;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void lose(heaps *h, const packet *p, const char *why)
{
    brz_report_lost(h->ctx, "perfetto.allocation", p->at, 0, brz_str_of_text(why));
}

static void add_sample(heaps *h, pending *to, const packet *p, uint32_t heap, brz_bytes b)
{
    static const uint8_t fields[HEAP_VALUES] = {
        [HEAP_ALLOCATED] = 2, [HEAP_FREED] = 3, [HEAP_ALLOCATIONS] = 5,
        [HEAP_FREES] = 6,     [HEAP_MOST] = 8,  [HEAP_MOST_COUNT] = 9,
    };
    heap_sample s = {.heap = heap, .at = p->at};
    brz_proto_field f;
    while (brz_proto_next(&b, &f)) {
        if (f.number == SAMPLE_CALLSTACK)
            s.callstack = f.value;
        for (size_t i = 0; i < HEAP_VALUES; i++)
            if (f.number == fields[i])
                s.of[i] = f.value;
        h->has_most |= f.number == fields[HEAP_MOST];
        h->has_allocations |= f.number == fields[HEAP_ALLOCATED];
    }
    if (b.error != NULL) {
        lose(h, p, "a damaged sample of allocations: left out");
        return;
    }
    h->has_frees |= h->heaps[heap].frees;
    to->items = brz_list_room(h->ctx, to->items, to->n, &to->cap, sizeof s);
    to->items[to->n++] = s;
}

/* Warns if the profiler says that a profile is incomplete. */
static void report_errors(heaps *h, const packet *p, const brz_proto_field *f)
{
    static const struct {
        uint32_t field;
        const char *why;
    } errors[] = {
        {PROCESS_REJECTED, "a process has no profile: another recording profiled it"},
        {PROCESS_DISCONNECTED, "a process ended or disconnected while it was profiled"},
        {PROCESS_OVERRAN, "a heap profile ends early: its buffer was full"},
        {PROCESS_CORRUPTED, "a heap profile ends early: its buffer was damaged"},
        {PROCESS_GUARDRAIL, "a heap profile ends early: the profiler reached a limit of its own"},
        {PROCESS_ERROR, "a heap profile ends early: the process could not be profiled further"},
    };
    for (size_t i = 0; i < BRZ_COUNT_OF(errors); i++)
        if (f->number == errors[i].field && f->type == BRZ_PROTO_VARINT && f->value != 0)
            brz_report(h->ctx, BRZ_WARNING, "perfetto.profile", p->at, 0,
                       brz_str_of_text(errors[i].why));
}

static pending *find_pending(heaps *h, const sequence *of)
{
    uint32_t i = pair_map_find(&h->by_sequence, of->id, 0);
    if (i != PAIR_MISS)
        return &h->pending[i];
    h->pending =
        brz_list_room(h->ctx, h->pending, h->n_pending, &h->pending_cap, sizeof *h->pending);
    pair_map_put(&h->by_sequence, h->ctx, of->id, 0, (uint32_t)h->n_pending);
    h->pending[h->n_pending] = (pending){.sequence = (size_t)(of - h->sequences->items)};
    return &h->pending[h->n_pending++];
}

/* Notices packets that are missing, by their numbers. */
static void check_index(heaps *h, pending *of, const packet *p, uint64_t index)
{
    if (of->has_next && index != of->next)
        BRZ_WARN(h->ctx, "perfetto.gap", p->at, 0,
                 "packets of a heap profile are missing before this one");
    of->next = index + 1;
    of->has_next = true;
}

/* ---- profiles -------------------------------------------------------------------------------- */

/* Finds the stack of a sample: in the tables of the profile, or in those of its sequence. */
static stack_result find_stack(heaps *h, const sequence *of, const heap_sample *s,
                               found_stack *stack)
{
    stack_result result = STACK_MISSING;
    if (of->own_generation != 0)
        result = frames_stack(h->frames, of->own_generation, s->callstack, stack);
    if (result == STACK_MISSING)
        result = frames_stack(h->frames, of->generation, s->callstack, stack);
    return result;
}

/* Adds a sample to the total of its stack, or replaces that of an earlier profile. */
static void add_total(heaps *h, const heap_sample *s, const found_stack *stack)
{
    uint32_t i = pair_map_find(&h->by_stack, s->heap, stack->identity);
    if (i == PAIR_MISS) {
        i = (uint32_t)h->n_totals++;
        h->totals = brz_list_room(h->ctx, h->totals, i, &h->totals_cap, sizeof *h->totals);
        h->totals[i] = (heap_total){.stack = stack->id, .heap = s->heap, .profile = h->profiles};
        pair_map_put(&h->by_stack, h->ctx, s->heap, stack->identity, i);
    }
    heap_total *to = &h->totals[i];
    if (to->profile != h->profiles)
        memset(to->of, 0, sizeof to->of);
    to->profile = h->profiles;
    for (size_t v = 0; v < HEAP_VALUES; v++)
        if (__builtin_add_overflow(to->of[v], s->of[v], &to->of[v]))
            to->of[v] = UINT64_MAX;
}

/* Adds the samples that wait to the totals of their stacks. */
static brz_rc count_profile(heaps *h, const sequence *of, pending *p)
{
    h->profiles++;
    for (size_t i = 0; i < p->n; i++) {
        found_stack stack;
        stack_result result = find_stack(h, of, &p->items[i], &stack);
        if (result == STACK_FAILED)
            return BRZ_ERROR;
        if (result == STACK_FOUND)
            add_total(h, &p->items[i], &stack);
        else
            brz_report_lost(h->ctx, "perfetto.allocation", p->items[i].at, 0,
                            BRZ_STR("allocations whose stack is in no table: left out"));
    }
    p->n = 0;
    return BRZ_OK;
}

/* Warns of a profile of which the last packet is missing, and counts what is there. */
static brz_rc end_unfinished(heaps *h, pending *p)
{
    sequence *of = &h->sequences->items[p->sequence];
    BRZ_WARN(h->ctx, "perfetto.unfinished", p->at, 0,
             "a heap profile ends here without its last packet: allocations may be missing");
    brz_rc rc = count_profile(h, of, p);
    of->own_generation = 0;
    return rc;
}

/* A part of a profile: a heap at a time. */
typedef struct part {
    uint32_t heap;
    uint64_t time;
} part;

static part part_of(heaps *h, brz_bytes b)
{
    brz_str name = {"", 0};
    int64_t process = 0;
    part to = {0, 0};
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == PROCESS_ID)
            process = (int32_t)f.value;
        else if (f.number == PROCESS_TIME)
            to.time = f.value;
        else if (f.number == PROCESS_HEAP && f.type == BRZ_PROTO_BYTES)
            name = brz_proto_text(&f);
    to.heap = find_heap(h, process, name);
    return to;
}

/* Returns whether a part belongs to a later profile than the last one of its heap. */
static bool is_later(const heaps *h, const part *of)
{
    uint64_t time = h->heaps[of->heap].time;
    return time != 0 && time != of->time;
}

/* Returns whether a packet has parts of a later profile than the samples that wait. */
static bool begins_profile(heaps *h, const pending *waiting, brz_bytes b)
{
    brz_proto_field f;
    bool later = false;
    while (waiting->n > 0 && brz_proto_next(&b, &f))
        if (f.number == PROFILE_PROCESS && f.type == BRZ_PROTO_BYTES) {
            part of = part_of(h, f.part);
            later |= is_later(h, &of);
        }
    return later;
}

/* Takes a part of a profile. A packet may have those of several. */
static brz_rc take_part(heaps *h, sequence *of, pending *to, const packet *p, brz_bytes b)
{
    brz_bytes again = b;
    brz_proto_field f;
    part what = part_of(h, b);
    brz_rc rc = is_later(h, &what) ? count_profile(h, of, to) : BRZ_OK;
    h->heaps[what.heap].time = what.time;
    while (brz_proto_next(&b, &f))
        report_errors(h, p, &f);
    while (rc == BRZ_OK && brz_proto_next(&again, &f))
        if (f.number == PROCESS_SAMPLE && f.type == BRZ_PROTO_BYTES)
            add_sample(h, to, p, what.heap, f.part);
    if (again.error != NULL)
        lose(h, p, "damaged samples of allocations: those from there are left out");
    return rc;
}

/* Adds an entry to the tables that a profile has of its own. */
static void add_entry(heaps *h, sequence *of, uint32_t table, const brz_proto_field *f,
                      const packet *p)
{
    if (of->own_generation == 0)
        of->own_generation = sequences_generation(h->sequences) | OWN_TABLES;
    sequences_add(h->sequences, of->own_generation, table, f->part, p->at);
}

static brz_rc take_field(heaps *h, sequence *of, pending *to, const packet *p,
                         const brz_proto_field *f)
{
    static const uint8_t tables[] = {[PROFILE_TEXTS] = TABLE_TEXTS,
                                     [PROFILE_FRAMES] = TABLE_FRAMES,
                                     [PROFILE_CALLSTACKS] = TABLE_CALLSTACKS,
                                     [PROFILE_MAPPINGS] = TABLE_MAPPINGS};
    if (f->type == BRZ_PROTO_BYTES && f->number < sizeof tables && tables[f->number] != 0)
        add_entry(h, of, tables[f->number], f, p);
    else if (f->type == BRZ_PROTO_BYTES && f->number == PROFILE_PROCESS)
        return take_part(h, of, to, p, f->part);
    else if (f->number == PROFILE_INDEX)
        check_index(h, to, p, f->value);
    return BRZ_OK;
}

brz_rc heaps_take(heaps *h, sequence *of, const packet *p)
{
    pending *to = find_pending(h, of);
    brz_bytes b = p->data;
    brz_proto_field f;
    brz_rc rc = begins_profile(h, to, b) ? end_unfinished(h, to) : BRZ_OK;
    bool continued = false;
    while (rc == BRZ_OK && brz_proto_next(&b, &f)) {
        if (f.number == PROFILE_CONTINUED)
            continued = f.value != 0;
        rc = take_field(h, of, to, p, &f);
    }
    to->at = p->at;
    if (b.error != NULL)
        lose(h, p, "a damaged heap profile: the rest of its packet is left out");
    if (continued || rc != BRZ_OK)
        return rc;
    rc = count_profile(h, of, to);
    of->own_generation = 0;
    return rc;
}

/* ---- counting -------------------------------------------------------------------------------- */

typedef struct weight {
    const char *name, *unit;
    heap_value of, less; /* `less` is subtracted, unless it is equal to `of` */
    bool is_gauge;
} weight;

static const weight weights[] = {
    {"inuse_space", "bytes", HEAP_ALLOCATED, HEAP_FREED, true},
    {"inuse_objects", "count", HEAP_ALLOCATIONS, HEAP_FREES, true},
    {"alloc_space", "bytes", HEAP_ALLOCATED, HEAP_ALLOCATED, false},
    {"alloc_objects", "count", HEAP_ALLOCATIONS, HEAP_ALLOCATIONS, false},
    {"max_space", "bytes", HEAP_MOST, HEAP_MOST, true},
    {"max_objects", "count", HEAP_MOST_COUNT, HEAP_MOST_COUNT, true},
};

static bool is_needed(const heaps *h, const weight *w)
{
    if (w->of == HEAP_MOST || w->of == HEAP_MOST_COUNT)
        return h->has_most;
    return w->of == w->less ? h->has_allocations : h->has_allocations && h->has_frees;
}

static int64_t value_of(const heap_total *t, const weight *w)
{
    uint64_t value = t->of[w->of], less = w->of == w->less ? 0 : t->of[w->less];
    value = value > less ? value - less : 0;
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

static brz_rc count_total(heaps *h, const heap_total *t, const uint32_t *columns)
{
    const heap_of *heap = &h->heaps[t->heap];
    task where = {.process = heap->process, .flags = BRZ_TAG_PROCESS, .heap = heap->name};
    brz_count c = {t->stack, 0, 0, tasks_tag(h->tasks, &where), 0, 0};
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < BRZ_COUNT_OF(weights) && rc == BRZ_OK; i++) {
        const weight *w = &weights[i];
        c.value = value_of(t, w);
        c.column = columns[i];
        if (!is_needed(h, w) || c.value == 0 || (w->of != w->less && !heap->frees))
            continue;
        rc = samples_add(h->samples, &c);
        c.flags = BRZ_SAME_SAMPLE;
    }
    return rc;
}

static void declare(heaps *h, bool is_default, uint32_t *columns)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(weights); i++) {
        const weight *w = &weights[i];
        if (!is_needed(h, w))
            continue;
        columns[i] = BRZ_DECLARE_COLUMN(
            h->ctx, .name = brz_str_of_text(w->name), .unit = brz_str_of_text(w->unit),
            .flags = (is_default ? BRZ_COLUMN_DEFAULT : 0) | (w->is_gauge ? BRZ_COLUMN_GAUGE : 0));
        is_default = false;
    }
}

brz_rc heaps_finish(heaps *h, bool is_default)
{
    uint32_t columns[BRZ_COUNT_OF(weights)] = {0};
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < h->n_pending && rc == BRZ_OK; i++)
        if (h->pending[i].n > 0)
            rc = end_unfinished(h, &h->pending[i]);
    h->has_allocations |= h->n_totals > 0 && !h->has_most;
    declare(h, is_default, columns);
    for (size_t i = 0; i < h->n_totals && rc == BRZ_OK; i++)
        rc = count_total(h, &h->totals[i], columns);
    return rc;
}
