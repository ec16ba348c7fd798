/* SPDX-License-Identifier: MIT */
/* Runs a collapser on an input in various ways. */
#include "run_collapser.h"

#include <stdlib.h>
#include <string.h>

#include "plugin/crash.h"
#include "check/guard/guarded_buffer.h"
#include "base/mem.h"
#include "host/instance_create.h"

/* An instance of the collapser and the monitor of its calls. */
typedef struct worker {
    brz_instance *instance;
    check_host_monitor monitor;
} worker;

typedef struct driver {
    check *check;
    const check_case *k;
    const check_collapser_options *how;
    check_collapse_result *result;
    check_guarded_buffer buffer;
    uint64_t random;
    const void *prelude_data;
    size_t begin; /* beginning of the records */
    size_t *cuts; /* beginnings of the runs, and the end of the last one */
    size_t n_cuts;
    worker head, *workers;
    size_t n;
    bool over; /* failed or stopped */
} driver;

/* A chunk with the size of a later host's. */
typedef struct longer_chunk {
    brz_chunk chunk;
    unsigned char beyond[64];
} longer_chunk;

/* ---- violations ---------------------------------------------------------------------------- */

static void note_status(driver *s, const worker *w, const char *call, brz_rc rc)
{
    if (rc == BRZ_OK)
        return;
    s->over = true;
    if (rc == BRZ_STOP) {
        s->result->stopped = true;
        if (s->how->stop_at == 0)
            check_fail(s->check, 17, CHECK_NOTHING, CHECK_NOTHING,
                       "%s: %s returned BRZ_STOP, though the host did not ask it to stop",
                       s->k->label, call);
    } else if (!brz_notices_are_fatal(&w->instance->reports)) {
        check_fail(s->check, 18, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: %s returned %d without a diag of severity BRZ_FATAL", s->k->label, call,
                   (int)rc);
    }
}

/* Reports the violations of the contract that the host has detected. */
static void report_violations(const driver *s, const worker *w)
{
    const brz_notices *r = &w->instance->reports;
    for (size_t i = 0; i < r->n; i++) {
        const brz_notice *n = &r->items[i];
        if (n->code == NULL || strcmp(n->code, "host.contract") != 0)
            continue;
        bool size = memmem(n->msg.data, n->msg.len, "struct_size", 11) != NULL;
        check_fail(s->check, size ? 20 : 15, CHECK_NOTHING, CHECK_NOTHING, "%s: %.*s", s->k->label,
                   (int)n->msg.len, n->msg.data);
    }
    /* malformed messages concern only the test of messages */
    if (w->monitor.clause != 0 && (w->monitor.clause != 19 || s->check->test->clause == 19))
        check_fail(s->check, w->monitor.clause, CHECK_NOTHING, CHECK_NOTHING, "%s: %s", s->k->label,
                   w->monitor.fault);
}

/* ---- instances ----------------------------------------------------------------------------- */

static void make_worker(driver *s, worker *w, uint32_t index)
{
    const brz_collapser *c = s->k->collapser;
    w->instance = brz_instance_create(s->k->loaded, &s->check->run, s->k->cfg, s->prelude_data,
                                      c->inst_size, index);
    brz_instance_collect(w->instance, "sample", s->how->ctx_flags);
    check_host_monitor_init(&w->monitor, w->instance, s->how->newer);
    w->monitor.stop_at = s->how->stop_at;
    if (s->how->answers_related)
        w->monitor.related = s->how->related;
}

static longer_chunk make_chunk(const driver *s, const uint8_t *data, size_t n, uint32_t flags,
                               size_t at)
{
    longer_chunk l = {.chunk = {sizeof(brz_chunk), flags, data, n, at}};
    if (s->how->newer & CHECK_ODD_FLAGS)
        l.chunk.flags |= CHECK_ODD_FLAG;
    if (s->how->newer & CHECK_LONGER) {
        l.chunk.struct_size = sizeof l;
        memset(l.beyond, 0xa5, sizeof l.beyond);
    }
    return l;
}

/* Shows the bytes [at, at + n) to an instance. */
static longer_chunk expose_bytes(driver *s, worker *w, size_t at, size_t n, uint32_t flags)
{
    brz_instance *i = w->instance;
    i->chunk = check_guarded_buffer_set(&s->buffer, s->k->data + at, n, s->how->slack,
                                        s->how->slack_at_front);
    i->chunk_len = n;
    i->chunk_offset = i->chunk_byte = at;
    return make_chunk(s, i->chunk, n, flags, at);
}

static void hide_bytes(driver *s, worker *w)
{
    check_guarded_buffer_overwrite(&s->buffer);
    w->instance->chunk = NULL;
    w->instance->chunk_len = 0;
}

static void run_prelude(driver *s)
{
    const brz_collapser *c = s->k->collapser;
    size_t used = 0, n = s->k->len < BRZ_PRELUDE_SIZE ? s->k->len : BRZ_PRELUDE_SIZE;
    if (c->prelude == NULL)
        return;
    uint32_t last = n == s->k->len ? BRZ_CHUNK_LAST : 0;
    longer_chunk l =
        expose_bytes(s, &s->head, 0, n, BRZ_CHUNK_RANGE_START | BRZ_CHUNK_INPUT_START | last);
    brz_instance_enter(s->head.instance, "prelude", s->k->label, 0, n);
    brz_rc rc = c->prelude(&s->head.instance->ctx, &l.chunk, &used, &s->prelude_data);
    brz_instance_leave(s->head.instance);
    hide_bytes(s, &s->head);
    note_status(s, &s->head, "prelude", rc);
    if (brz_instance_has_emitted(s->head.instance))
        check_fail(s->check, 16, CHECK_NOTHING, CHECK_NOTHING,
                   "%s: prelude asked for frames or weights, or emitted", s->k->label);
    if (used > n)
        check_fail(s->check, 31, CHECK_NOTHING, CHECK_NOTHING, "%s: prelude used %zu of %zu bytes",
                   s->k->label, used, n);
    s->begin = used < n ? used : n;
}

static void open_worker(driver *s, worker *w)
{
    if (s->k->collapser->open == NULL)
        return;
    brz_instance_enter(w->instance, "open", s->k->label, 0, 0);
    brz_rc rc = s->k->collapser->open(&w->instance->ctx);
    brz_instance_leave(w->instance);
    note_status(s, w, "open", rc);
}

static void make_workers(driver *s)
{
    size_t n = s->how->instances > 0 ? s->how->instances : 1;
    s->workers = brz_calloc(n, sizeof *s->workers);
    for (; s->n < n && !s->over; s->n++) {
        make_worker(s, &s->workers[s->n], (uint32_t)s->n);
        open_worker(s, &s->workers[s->n]);
    }
}

/* ---- boundaries ---------------------------------------------------------------------------- */

/* Returns the first boundary at or after an offset, found as the host finds it: with windows that
 * begin one byte before it. */
static size_t find_boundary(driver *s, size_t offset)
{
    const check_case *k = s->k;
    for (size_t want = 16 + check_random_below(&s->random, 300);; want *= 4) {
        size_t left = k->len - (offset - 1), n = left < want ? left : want;
        const uint8_t *p = check_guarded_buffer_set(&s->buffer, k->data + offset - 1, n,
                                                    s->how->slack, s->how->slack_at_front);
        brz_call_enter(k->loaded, "boundary", k->label, offset - 1, n);
        size_t at = k->collapser->boundary(s->prelude_data, p, n, 1);
        brz_call_leave();
        if (at < 1 || at > n) {
            check_fail(s->check, 36, CHECK_NOTHING, CHECK_NOTHING,
                       "%s: boundary from 1 of %zu bytes answers %zu", k->label, n, at);
            return k->len;
        }
        if (at < n)
            return offset - 1 + at;
        if (n == left)
            return k->len;
    }
}

static int by_offset(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

/* Computes the beginnings of the runs, in order, and the end. Duplicate boundaries do not create
 * empty runs. */
static void make_cuts(driver *s)
{
    const check_case *k = s->k;
    bool is_split = (k->collapser->flags & BRZ_SPLITTABLE) && !s->head.instance->in_order;
    size_t wanted = is_split ? s->how->cuts : 0, n = 0;
    s->cuts = brz_calloc(wanted + 2, sizeof *s->cuts);
    s->cuts[n++] = s->begin;
    for (size_t i = 0; i < wanted && s->begin + 1 < k->len; i++)
        s->cuts[n++] =
            find_boundary(s, s->begin + 1 + check_random_below(&s->random, k->len - s->begin - 1));
    s->cuts[n++] = k->len;
    qsort(s->cuts, n, sizeof *s->cuts, by_offset);
    for (size_t i = 0; i < n; i++)
        if (s->n_cuts == 0 || s->cuts[i] > s->cuts[s->n_cuts - 1])
            s->cuts[s->n_cuts++] = s->cuts[i];
    if (s->n_cuts == 1)
        s->cuts[s->n_cuts++] = k->len; /* a single empty run */
}

/* ---- parsing ------------------------------------------------------------------------------- */

static size_t parse(driver *s, worker *w, size_t at, size_t n, uint32_t flags)
{
    size_t used = 0;
    longer_chunk l = expose_bytes(s, w, at, n, flags);
    brz_instance_enter(w->instance, "parse", s->k->label, at, n);
    brz_rc rc = s->k->collapser->parse(&w->instance->ctx, &l.chunk, &used);
    brz_instance_leave(w->instance);
    note_status(s, w, "parse", rc);
    if (used > n) {
        check_fail(s->check, 31, CHECK_NOTHING, CHECK_NOTHING, "%s: parse used %zu of %zu bytes",
                   s->k->label, used, n);
        s->over = true;
        used = n;
    }
    if ((flags & BRZ_CHUNK_LAST) && used < n && !s->over)
        brz_instance_report(w->instance, BRZ_WARNING, "host.truncated", w->instance->chunk + used,
                            0, "the input ends within a record: left out");
    hide_bytes(s, w);
    return used;
}

static size_t next_step(driver *s, size_t left)
{
    if (s->how->step == 0 || s->k->collapser->flags & BRZ_WHOLE_INPUT)
        return left;
    size_t step =
        s->how->random_steps ? 1 + check_random_below(&s->random, s->how->step) : s->how->step;
    return step < left ? step : left;
}

/* Parses the bytes from one cut to the next. Presents unused bytes again with more bytes after
 * them; if a record is much longer than a step, increases the step to bound the total time. */
static void parse_run(driver *s, worker *w, size_t at, size_t to)
{
    uint32_t flags = BRZ_CHUNK_RANGE_START | (at == s->begin ? BRZ_CHUNK_INPUT_START : 0);
    size_t shown = 0;
    for (bool last = false; !last && !s->over;) {
        size_t step = next_step(s, to - at - shown), more = shown / 8;
        shown += step > more ? step : more < to - at - shown ? more : to - at - shown;
        last = at + shown == to;
        size_t used = parse(s, w, at, shown, flags | (last ? BRZ_CHUNK_LAST : 0));
        flags &= used > 0 ? ~(BRZ_CHUNK_RANGE_START | BRZ_CHUNK_INPUT_START) : ~0u;
        at += used;
        shown -= used;
    }
    s->result->rest += to == s->k->len ? shown : 0;
}

/* Assigns runs to random instances, in order, as the host does. */
static void parse_runs(driver *s)
{
    for (size_t i = 0; i + 1 < s->n_cuts && !s->over; i++)
        parse_run(s, &s->workers[check_random_below(&s->random, s->n)], s->cuts[i], s->cuts[i + 1]);
}

/* ---- end ----------------------------------------------------------------------------------- */

static void merge(driver *s)
{
    for (size_t i = s->n; i-- > 1 && !s->over;) {
        worker *into = &s->workers[0], *from = &s->workers[i];
        brz_instance_enter(into->instance, "merge", s->k->label, 0, 0);
        brz_rc rc = s->k->collapser->merge(&into->instance->ctx, &from->instance->ctx);
        brz_instance_leave(into->instance);
        note_status(s, into, "merge", rc);
    }
}

static void finish(driver *s)
{
    const brz_collapser *c = s->k->collapser;
    if (c->merge != NULL)
        merge(s);
    for (size_t i = 0; i < s->n; i++) {
        worker *w = &s->workers[i];
        if (c->finish != NULL && !s->over) {
            brz_instance_enter(w->instance, "finish", s->k->label, 0, 0);
            brz_rc rc = c->finish(&w->instance->ctx);
            brz_instance_leave(w->instance);
            note_status(s, w, "finish", rc);
        }
        brz_instance_finish_trace(w->instance);
    }
    if (s->how->measures_memory)
        s->result->memory = check_resident();
}

static void collect_result(driver *s)
{
    brz_notices all = {0};
    brz_profile *profile = brz_profile_create();
    brz_notices_absorb(&all, &s->head.instance->reports);
    report_violations(s, &s->head);
    for (size_t i = 0; i < s->n; i++) {
        worker *w = &s->workers[i];
        brz_notices_absorb(&all, &w->instance->reports);
        brz_profile_seal(w->instance->profile);
        brz_profile_absorb(profile, w->instance->profile);
        report_violations(s, w);
        s->result->emissions += w->monitor.emissions;
        s->result->after_stop += w->monitor.after_stop;
        s->result->related_calls += w->monitor.related_calls;
        s->result->tagged += w->monitor.tagged;
        s->result->timed += w->monitor.timed;
    }
    s->result->good = !s->over && !brz_notices_are_fatal(&all);
    brz_profile_sort_weights(profile);
    check_collapse_result_add_profile(s->result, profile);
    check_collapse_result_add_messages(s->result, &all);
    brz_notices_finish(&all);
    brz_profile_destroy(profile);
}

static void close_workers(driver *s)
{
    for (size_t i = 0; i < s->n; i++) {
        brz_instance_enter(s->workers[i].instance, "close", s->k->label, 0, 0);
        if (s->k->collapser->close != NULL)
            s->k->collapser->close(&s->workers[i].instance->ctx);
        brz_instance_leave(s->workers[i].instance);
        brz_instance_destroy(s->workers[i].instance);
    }
    free(s->workers);
    brz_instance_destroy(s->head.instance); /* last, since its memory contains `prelude_data` */
}

void check_run_collapser(check *c, const check_case *k, const check_collapser_options *how,
                         check_collapse_result *o)
{
    driver s = {.check = c, .k = k, .how = how, .result = o, .random = how->seed};
    memset(o, 0, sizeof *o);
    check_guarded_buffer_init(&s.buffer, &c->guarded);
    make_worker(&s, &s.head, 0);
    run_prelude(&s);
    if (!s.over) {
        make_workers(&s);
        make_cuts(&s);
        parse_runs(&s);
        finish(&s);
    }
    collect_result(&s);
    close_workers(&s);
    free(s.cuts);
    check_guarded_buffer_finish(&s.buffer);
}

size_t check_records_begin(check *c, const check_case *k)
{
    static const check_collapser_options how = {.seed = 1};
    check_collapse_result o = {0};
    driver s = {.check = c, .k = k, .how = &how, .result = &o};
    check_guarded_buffer_init(&s.buffer, &c->guarded);
    make_worker(&s, &s.head, 0);
    run_prelude(&s);
    brz_instance_destroy(s.head.instance);
    check_guarded_buffer_finish(&s.buffer);
    return s.over ? k->len : s.begin;
}
