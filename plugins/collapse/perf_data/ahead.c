/* SPDX-License-Identifier: MIT */
/* Traces samples ahead of their turn, on the threads of the run. */
#include "ahead.h"

#include "file/changes.h"
#include "report/fold.h"
#include "stack/frames.h"
#include "stack/push.h"
#include "stack/registers.h"
#include "file/touch.h"
#include "stack/trace.h"

#include <brazier/draft/parallel.h>

/* Fuzzing sets other numbers of samples, since its inputs have few. */
#ifndef AHEAD_FIRST
#define AHEAD_FIRST 2048
#define AHEAD_BATCH 1024
#define AHEAD_ITEM  128
#endif

/* Number of samples that are folded at once, before threads are worth their start. */
#define FIRST AHEAD_FIRST

/* Numbers of samples of a batch, and of an item of its work. */
#define BATCH ((size_t)AHEAD_BATCH)
#define ITEM  ((size_t)AHEAD_ITEM)
#define ITEMS (BATCH / ITEM)

/* Number of bytes of records outside of a file from which on a batch is full: they take memory. */
#define HELD_MAX ((size_t)4 << 20)

/* Room for the traces of an item; a sample for which it is too small is traced in its turn. */
#define VALUES  (48 * ITEM)
#define UNNAMED (8 * ITEM)

/* Numbers of samples between the one that is folded and those whose stack is fetched from memory:
 * its slot, its entry, its frames. */
#define FETCH_SLOT   12
#define FETCH_ENTRY  8
#define FETCH_FRAMES 4

/* Number of bytes of a file after the current record in which records are touched. */
#define TOUCHED ((ptrdiff_t)8 << 20)

/* Number of address spaces whose ranges an item finds again without a search: a power of two. */
#define VIEWS 4

/* A sample that was collected. */
typedef struct collected {
    const uint8_t *data; /* the record */
    record_place place;
    event *event;
    maps *maps;      /* pinned for the batch, or NULL */
    uint32_t thread; /* position */
    uint32_t block;  /* memory of the record: see unpack.h */
    brz_frame root;
    uint16_t misc;
    bool is_java, is_starting;
    bool is_damaged;
    uint32_t cpu;
    uint64_t ip, time, period;
    const uint8_t *chain; /* of a plain sample, which is decoded; or NULL */
    uint64_t n_chain;
    uint64_t hash; /* of its stack and column, once it is computed */
    trace trace;
} collected;

/* Ranges that were found in an address space. */
typedef struct found_ranges {
    uint64_t version; /* that of the address space */
    map_range found[MAPS_FOUND];
} found_ranges;

typedef struct batch {
    recording *recording;
    collected *samples;
    size_t n;
    size_t held; /* bytes of records outside of a file */
    uint32_t *values;
    unnamed_code *unnamed;
    found_ranges *found; /* VIEWS for each item, and one of the kernel */
    maps *pinned[BATCH]; /* for this batch */
    size_t n_pinned;
    uint64_t number;   /* of its use */
    touch_range touch; /* records to touch beside it; at NULL: none */
} batch;

struct ahead {
    const brz_parallel_service *parallel; /* NULL: batches are traced on this thread */
    const uint8_t *touched; /* records of the file up to here are touched; NULL: none */
    recent_code **recent;   /* of each thread */
    batch batches[2];
    batch *now;      /* collects samples */
    batch *next;     /* the other batch: its samples are being traced, or it is empty */
    uint64_t n_seen; /* samples */
    uint64_t n_batches;
};

static void init_batch(batch *b, recording *p)
{
    const brz_collapser_host *host = p->ctx->host;
    b->recording = p;
    b->number = ++p->ahead->n_batches;
    b->samples = host->alloc(p->ctx, (BATCH + FETCH_SLOT) * sizeof *b->samples, 64);
    b->values = host->alloc(p->ctx, ITEMS * VALUES * sizeof *b->values, 64);
    b->found = host->alloc(p->ctx, ITEMS * (VIEWS + 1) * sizeof *b->found, 64);
    b->unnamed = host->alloc(p->ctx, ITEMS * UNNAMED * sizeof *b->unnamed, 64);
}

/* Gives each thread memory for the addresses that it finds. */
static void init_recent(recording *p)
{
    ahead *a = p->ahead;
    uint32_t n = a->parallel == NULL ? 1 : a->parallel->threads(p->ctx);
    a->recent = p->ctx->host->alloc(p->ctx, n * sizeof *a->recent, 0);
    a->recent[0] = p->frames.recent;
    for (uint32_t i = 1; i < n; i++)
        a->recent[i] = code_table_new_recent(p->ctx);
}

void ahead_init(recording *p)
{
    const brz_parallel_service *parallel = p->ctx->host->extension(p->ctx, BRZ_PARALLEL_ID);
    p->ahead = p->ctx->host->alloc(p->ctx, sizeof *p->ahead, 0);
    if (parallel != NULL && parallel->threads(p->ctx) > 1)
        p->ahead->parallel = parallel;
}

bool ahead_begin(recording *p)
{
    ahead *a = p->ahead;
    if (p->wants_tags || p->off.is_on || weight_fields_are_on(&p->fields) || ++a->n_seen < FIRST)
        return false;
    rules_prepare(p);
    init_batch(&a->batches[0], p);
    init_batch(&a->batches[1], p);
    p->ready.hashes = p->ctx->host->alloc(p->ctx, (VALUES + 2) * sizeof *p->ready.hashes, 64);
    p->ready.keys = p->stacks.own.keys;
    init_recent(p);
    p->is_ahead = true;
    a->now = &a->batches[0];
    a->next = &a->batches[1];
    return true;
}

/* ---- tracing -------------------------------------------------------------------------------- */

/* Returns a view of an address space that keeps the ranges that were found in `f`. */
static maps_view view_with(found_ranges *f, const maps *m)
{
    if (f->version != m->version) {
        memset(f, 0, sizeof *f);
        f->version = m->version;
    }
    return (maps_view){m, f->found};
}

/* Returns a view of an address space, which may be NULL, with a place for its ranges. */
static maps_view view_of(found_ranges *f, const maps *m)
{
    return m == NULL ? (maps_view){NULL, NULL} : view_with(f + m->version % VIEWS, m);
}

/* Decodes a sample. Returns false if it is damaged. */
static bool read_sample(const recording *p, const collected *c, sample *s)
{
    record r = record_at(p, c->data);
    return sample_read(s, c->event, record_body(p, &r));
}

/* Decodes a sample that is not plain. */
static void decode(const recording *p, collected *c, sample *s)
{
    c->is_damaged = !read_sample(p, c, s);
    c->cpu = s->cpu;
    c->ip = s->ip;
    c->time = s->time;
    c->period = s->period;
}

/* Traces a sample. `plain` has no other fields than those of plain samples. */
static void trace_collected(tracer *t, collected *c, sample *plain)
{
    sample s, *traced = plain;
    plain->ip = c->ip;
    plain->chain = c->chain;
    plain->n_chain = c->n_chain;
    if (c->chain == NULL) {
        decode(t->p, c, &s);
        traced = &s;
    }
    if (c->is_damaged)
        return;
    t->is_java = c->is_java;
    t->is_starting = c->is_starting;
    t->to = &c->trace;
    trace_sample(t, c->event, traced, c->misc & MISC_CPUMODE);
    trace_root(t, c->root);
}

/* Continues in an address space, which may be NULL. */
static void enter_process(tracer *t, found_ranges *found, const maps *m)
{
    t->user = view_of(found, m);
    t->last[1].size = 0;
}

/* Traces the samples of an item. */
static void trace_item(batch *b, size_t item, recent_code *recent)
{
    const recording *p = b->recording;
    found_ranges *found = b->found + item * (VIEWS + 1);
    trace_room room = {b->values + item * VALUES, VALUES, b->unnamed + item * UNNAMED, UNNAMED};
    sample plain = {.n_chain = 0};
    tracer t = {.p = p, .can_wait = true, .recent = recent, .room = &room};
    t.kernel = view_with(found + VIEWS, p->kernel);
    size_t end = item * ITEM + ITEM < b->n ? item * ITEM + ITEM : b->n;
    for (size_t i = item * ITEM; i < end; i++) {
        if (b->samples[i].maps != t.user.maps)
            enter_process(&t, found, b->samples[i].maps);
        trace_collected(&t, &b->samples[i], &plain);
    }
}

/* Does an item of a batch. */
static void work(void *arg, size_t item, uint32_t worker)
{
    batch *b = arg;
    if (item == 0)
        b->touch.at = touch_records(b->touch);
    else
        trace_item(b, item - 1, b->recording->ahead->recent[worker]);
}

/* Chooses the records of the file to touch while the batch is traced. */
static void choose_records(recording *p, batch *b)
{
    ahead *a = p->ahead;
    const stream *s = p->stream;
    b->touch = (touch_range){.order = p->header.order};
    if (a->parallel == NULL || p->n_streams > 1 || p->is_streamed)
        return;
    b->touch.at = a->touched > s->at ? a->touched : s->at;
    b->touch.until = s->end - s->at > TOUCHED ? s->at + TOUCHED : s->end;
    b->touch.end = s->end;
}

static void start(recording *p, batch *b)
{
    size_t n = 1 + (b->n + ITEM - 1) / ITEM;
    choose_records(p, b);
    if (p->ahead->parallel != NULL)
        p->ahead->parallel->start(p->ctx, work, b, n);
    for (size_t i = 0; i < n && p->ahead->parallel == NULL; i++)
        work(b, i, 0);
}

static void wait(recording *p)
{
    ahead *a = p->ahead;
    if (a->parallel == NULL)
        return;
    a->parallel->wait(p->ctx);
    a->touched = a->next->touch.at;
}

/* ---- folding -------------------------------------------------------------------------------- */

static brz_rc fold(recording *p, collected *c)
{
    if (c->is_damaged) {
        recording_lost_at(p, "perf-data.sample", c->place, BRZ_STR("a damaged sample: left out"));
        return BRZ_OK;
    }
    const traced_thread of = {c->maps, c->is_java, c->is_starting};
    const fold_from from = {.thread = c->thread, .root = c->root};
    sample s = {.ip = c->ip, .time = c->time, .period = c->period, .cpu = c->cpu};
    if (c->trace.is_incomplete && read_sample(p, c, &s))
        push_sample(p, c->event, &s, c->misc & MISC_CPUMODE, &of, &c->trace);
    return fold_traced(p, c->event, &s, &from, &c->trace);
}

/* Computes the hash of the stack of a sample and its column, or sets it to 0 if that is not known
 * yet. Fetches its slot. */
BRZ_PREFETCHING
static inline void fetch_slot(const brz_stacks *s, collected *c)
{
    c->hash = 0;
    if (c->is_damaged || !c->trace.is_hashed || c->event->column == BRZ_NO_FRAME)
        return;
    c->hash = brz_hash_pair(&s->own.keys, c->trace.hash, c->event->column);
    __builtin_prefetch(&s->slots[(size_t)c->hash & (s->n_slots - 1)]);
}

/* Returns the entry in the slot of a sample, or NULL. */
static inline const brz_stacks_entry *entry_of(const brz_stacks *s, const collected *c)
{
    uint64_t slot = c->hash == 0 ? 0 : s->slots[(size_t)c->hash & (s->n_slots - 1)];
    return slot == 0 ? NULL : &s->entries[(uint32_t)slot - 1];
}

/* Fetches the stacks of samples that are folded soon. */
BRZ_PREFETCHING
static inline void fetch(const brz_stacks *s, const batch *b, size_t i)
{
    if (i + FETCH_SLOT < b->n)
        fetch_slot(s, &b->samples[i + FETCH_SLOT]);
    if (i + FETCH_ENTRY < b->n)
        __builtin_prefetch(entry_of(s, &b->samples[i + FETCH_ENTRY]));
    const brz_stacks_entry *e = NULL;
    if (i + FETCH_FRAMES < b->n)
        e = entry_of(s, &b->samples[i + FETCH_FRAMES]);
    if (e != NULL)
        __builtin_prefetch(e->ids);
}

/* Returns whether a sample is one of the usual ones: plain, with a stack of known frames. */
static inline bool is_usual(const recording *p, const collected *c)
{
    return c->hash != 0 && c->chain != NULL && c->trace.n > 0 && !p->wants_time &&
           p->frames.n_pending == 0;
}

static brz_rc fold_batch(recording *p, batch *b)
{
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < FETCH_SLOT && i < b->n; i++)
        fetch_slot(&p->stacks, &b->samples[i]);
    for (size_t i = 0; i < b->n; i++) {
        collected *c = &b->samples[i];
        fetch(&p->stacks, b, i);
        if (rc == BRZ_OK)
            rc = is_usual(p, c)
                     ? fold_usual(p, c->event, &(moment){c->time, c->cpu}, c->period, &c->trace)
                     : fold(p, c);
        if (c->block != NO_BLOCK)
            unpack_release(&p->unpack, p->ctx, c->block);
    }
    for (size_t i = 0; i < b->n_pinned; i++)
        maps_unpin(b->pinned[i], &p->threads.pool, p->ctx);
    b->n = b->n_pinned = b->held = 0;
    b->number = ++p->ahead->n_batches;
    return rc;
}

/* Lets the threads trace the batch that was collected, and folds the previous one. */
static brz_rc turn(recording *p)
{
    ahead *a = p->ahead;
    batch *full = a->now, *traced = a->next;
    wait(p);
    start(p, full);
    a->now = traced;
    a->next = full;
    return fold_batch(p, traced);
}

brz_rc ahead_drain(recording *p)
{
    ahead *a = p->ahead;
    if (a->now == NULL)
        return BRZ_OK;
    brz_rc rc = a->now->n > 0 ? turn(p) : BRZ_OK;
    wait(p);
    return rc == BRZ_OK ? fold_batch(p, a->next) : rc;
}

/* ---- collecting ----------------------------------------------------------------------------- */

/* Reads the address and the thread of a sample that is not plain. */
static bool read_head(sample *h, const event *v, brz_bytes b)
{
    brz_bytes_skip(&b, v->sample_type & SAMPLE_IDENTIFIER ? 8 : 0);
    if (v->sample_type & SAMPLE_IP)
        h->ip = brz_bytes_u64(&b);
    if (v->sample_type & SAMPLE_TID) {
        h->pid = brz_bytes_u32(&b);
        h->tid = brz_bytes_u32(&b);
    }
    return b.error == NULL;
}

/* Returns the thread of a sample if it is known and of the same process, or NULL. */
static inline thread *known_thread(recording *p, const sample *h)
{
    uint32_t i = pair_map_find(&p->threads.by_tid, h->tid, 0);
    bool is_known = i != PAIR_MISS && (p->threads.items[i].pid == h->pid || h->pid == KERNEL_PID);
    return is_known ? &p->threads.items[i] : NULL;
}

/* Returns the thread of a sample. Returns NULL if the sample is damaged, so that its thread must
 * not be created. */
static thread *find_thread(recording *p, const event *v, sample *h, brz_bytes b)
{
    sample s;
    if (!read_head(h, v, b))
        return NULL;
    thread *of = known_thread(p, h);
    if (of != NULL || !sample_read(&s, v, b))
        return of;
    return threads_get(&p->threads, p->ctx, s.pid, s.tid);
}

/* Keeps the parts of its thread that a sample needs. */
static void take_thread(recording *p, batch *b, collected *c, thread *of)
{
    c->thread = (uint32_t)(of - p->threads.items);
    c->is_java = of->is_java;
    c->is_starting = threads_is_starting(&p->threads, of, (c->misc & MISC_CPUMODE) == MODE_USER);
    c->root = frames_root(p, of);
    c->maps = threads_maps(&p->threads, of);
    if (c->maps != NULL && maps_pin(c->maps, b->number))
        b->pinned[b->n_pinned++] = c->maps;
}

/* Decodes a plain sample. Returns its thread, or NULL if the sample is damaged. */
static inline thread *take_plain(recording *p, collected *c, const record *r, sample *s)
{
    const uint8_t *body = r->data + RECORD_HEADER;
    if (!sample_read_plain(s, c->event, body, r->size - RECORD_HEADER, p->header.order))
        return NULL;
    c->ip = s->ip;
    c->time = s->time;
    c->period = s->period;
    c->cpu = s->cpu;
    c->chain = s->chain;
    c->n_chain = s->n_chain;
    thread *of = known_thread(p, s);
    return of != NULL ? of : threads_get(&p->threads, p->ctx, s->pid, s->tid);
}

/* Copies the record of a sample whose memory is not kept. */
static void keep_record(recording *p, batch *b, collected *c, const record *r)
{
    if (p->is_streamed && r->block == NO_BLOCK) {
        c->data = unpack_store(&p->unpack, &p->stored, p->ctx, r->data, r->size, &c->block);
        c->chain = c->chain != NULL ? c->data + (c->chain - r->data) : NULL;
    }
    unpack_hold(&p->unpack, c->block);
    b->held += c->block != NO_BLOCK ? r->size : 0;
}

brz_rc ahead_add(recording *p, const record *r, event *v)
{
    batch *b = p->ahead->now;
    collected *c = &b->samples[b->n++];
    sample s = {.n_chain = 0};
    c->data = r->data;
    c->block = r->block;
    c->misc = r->misc;
    c->event = v;
    c->place = p->delivered != NULL ? *p->delivered : recording_place(p, r->at);
    c->chain = NULL;
    c->maps = NULL;
    c->is_damaged = false;
    thread *of = v->is_plain ? take_plain(p, c, r, &s) : NULL;
    if (of == NULL)
        of = find_thread(p, v, &s, record_body(p, r));
    if (of != NULL)
        take_thread(p, b, c, of);
    bool is_unwound = (v->sample_type & SAMPLE_STACK_USER) != 0;
    if (is_unwound && c->maps != NULL && (r->misc & MISC_CPUMODE) == MODE_USER)
        rules_read_ahead(p, registers_machine(p, v), c->maps, c->is_java, s.ip);
    if (p->is_streamed || r->block != NO_BLOCK)
        keep_record(p, b, c, r);
    return b->n < BATCH && b->held < HELD_MAX ? BRZ_OK : turn(p);
}
