/* SPDX-License-Identifier: MIT */
/* Counts samples. */
#include "fold.h"

#include "../../../common/names/event_name.h"
#include "../file/changes.h"
#include "../stack/deferred.h"
#include "../stack/frames.h"
#include "../stack/pending.h"
#include "../stack/push.h"

#include <brazier/symbol.h>
#include <brazier/tree.h>

/* Maximum number of columns of a profile. */
#define COLUMNS_MAX 255

/* Addresses that lie further apart are not of the same stack. */
#define SAME_STACK (UINT64_C(1) << 26)

/* ---- traces --------------------------------------------------------------------------------- */

/* Returns whether a sample waits for the rest of its stack. Switches are used at once. */
static bool can_wait(const recording *p, const trace *t)
{
    return t->is_deferred && !p->off.is_on;
}

/* Makes the path of a sample without the frame of its thread. */
static void push_traced(recording *p, const trace *t)
{
    p->sampling.is_unmapped = t->is_unmapped;
    p->losses.bad_chains += t->is_bad && !p->frames.by_perf_script;
    if (t->is_unwound)
        p->losses.ends[t->end]++;
    if (t->is_hashed) {
        p->ready.ids = t->values;
        p->ready.n = t->n;
        p->ready.hashes[t->n + 1] = t->hash;
        p->stacks.path = &p->ready;
        return;
    }
    if (t->is_pushed)
        return;
    brz_path_cut(p->stacks.path, 0);
    push_trace(p, t);
}

static void push_root(recording *p, const trace *t, brz_frame root)
{
    if (t->is_hashed)
        p->stacks.path->n++;
    else
        brz_path_push(p->stacks.path, p->ctx, root);
}

/* ---- columns and tags ----------------------------------------------------------------------- */

/* Returns the name of an event's column: without modifiers, as in the text of the recording, unless
 * another event differs in nothing else. */
static brz_str column_name(const recording *p, const event *v)
{
    brz_str name = event_without_modifiers(v->name);
    for (size_t i = 0; i < p->events.n; i++) {
        const event *other = &p->events.items[i];
        if (other != v && brz_str_equal(event_without_modifiers(other->name), name))
            return v->name;
    }
    return name;
}

/* Declares the column of an event. Returns its index. */
static uint32_t declare_column(const recording *p, const event *v, uint32_t flags)
{
    bool is_clock = v->type == 1 && v->config <= 1;
    bool has_counts = (v->sample_type & SAMPLE_READ) != 0 && (v->read_format & READ_ID) != 0;
    bool has_period =
        has_counts || (v->sample_type & SAMPLE_PERIOD) != 0 || !(v->flags & ATTR_FREQ);
    brz_column_desc d = {.struct_size = sizeof d, .name = column_name(p, v), .flags = flags};
    d.unit = !has_period ? BRZ_STR("samples")
             : is_clock  ? BRZ_STR("nanoseconds")
                         : BRZ_STR("count");
    return p->ctx->host->column(p->ctx, &d);
}

/* Declares the column of an event at its first sample. Returns false if there are too many. */
static bool has_column(recording *p, event *v)
{
    if (v->column != BRZ_NO_FRAME)
        return true;
    if (p->n_columns == COLUMNS_MAX) {
        p->losses.no_column++;
        return false;
    }
    v->column = declare_column(p, v, 0);
    p->n_columns++;
    return true;
}

void fold_choose_column(const recording *p)
{
    if (!p->is_own || p->off.is_on || weight_fields_are_on(&p->fields))
        return;
    for (size_t i = 0; i < p->events.n; i++) {
        const event *v = &p->events.items[i];
        if (v->column == BRZ_NO_FRAME)
            continue;
        if (v->column > 0)
            declare_column(p, v, BRZ_COLUMN_DEFAULT);
        return;
    }
}

brz_tag_desc fold_describe(const recording *p, const event *v, const sample *s, const thread *of)
{
    brz_tag_desc d = {.struct_size = sizeof d, .label_size = sizeof(brz_label)};
    if (v->sample_type & SAMPLE_TID)
        d.flags |= BRZ_TAG_PROCESS | BRZ_TAG_THREAD;
    if (v->sample_type & SAMPLE_CPU)
        d.flags |= BRZ_TAG_CPU;
    d.process = of->pid;
    d.thread = of->tid;
    d.cpu = v->sample_type & SAMPLE_CPU ? s->cpu : 0;
    d.process_name = threads_process_name(&p->threads, of->pid);
    d.thread_name = of->name;
    return d;
}

static brz_tag tag_of(recording *p, const event *v, const sample *s, thread *of)
{
    uint32_t version = p->threads.processes[of->process].name_version;
    if (of->has_tag && of->tag_cpu == s->cpu && of->tag_version == version)
        return of->tag;
    brz_tag_desc d = fold_describe(p, v, s, of);
    of->tag = p->ctx->host->tag(p->ctx, &d);
    of->tag_cpu = s->cpu;
    of->tag_version = version;
    of->has_tag = true;
    return of->tag;
}

static void place(recording *p, const event *v, const sample *s, thread *of)
{
    bool timed = p->wants_time && (v->sample_type & SAMPLE_TIME) != 0;
    brz_tag tag = p->wants_tags ? tag_of(p, v, s, of) : BRZ_NO_TAG;
    brz_stacks_place(&p->stacks, tag, timed ? BRZ_TIMED : 0, word_clamped(s->time));
}

/* ---- samples -------------------------------------------------------------------------------- */

/* Returns the state of a thread at a sample. */
static traced_thread thread_at(recording *p, const thread *of, uint16_t misc)
{
    return (traced_thread){
        .maps = threads_maps(&p->threads, of),
        .is_java = of->is_java,
        .is_starting = threads_is_starting(&p->threads, of, (misc & MISC_CPUMODE) == MODE_USER)};
}

void fold_waker(recording *p, const event *v, const sample *s, uint16_t misc)
{
    const thread *of = threads_get(&p->threads, p->ctx, s->pid, s->tid);
    const traced_thread from = thread_at(p, of, misc);
    losses counted = p->losses; /* when the sample itself was counted */
    trace t;
    p->frames.of_waker = true;
    push_sample(p, v, s, misc & MISC_CPUMODE, &from, &t);
    push_traced(p, &t);
    p->frames.of_waker = false;
    p->losses = counted;
    brz_path_push(p->stacks.path, p->ctx, frames_waker_root(p, of));
}

/* Counts the path in columns, or holds it without its root until the rest comes. */
static brz_rc count(recording *p, const event *v, const sample *s, thread *of, const trace *t,
                    const column_count *counts, size_t n)
{
    if (p->wants_tags || p->wants_time)
        place(p, v, s, of);
    if (can_wait(p, t))
        return deferred_hold(p, of, t->cookie, s->ip, counts, n);
    p->losses.deferred += t->is_deferred;
    return pending_count_all(p, counts, n);
}

/* ---- counters ------------------------------------------------------------------------------- */

/* Adds a value to those that a sample counts. */
static void add_count(recording *p, uint32_t column, int64_t value)
{
    column_counts *c = &p->sample_counts;
    size_t i = 0;
    while (i < c->n && c->items[i].column != column)
        i++;
    if (i == c->n) {
        c->items = brz_list_room(p->ctx, c->items, c->n, &c->cap, sizeof *c->items);
        c->items[c->n++] = (column_count){.column = column};
    }
    brz_stacks_sum(&p->stacks, &c->items[i].value, value);
}

/* Returns the event of a counter of a sample, or NULL. */
static event *counter_event(const recording *p, event *v, uint64_t id)
{
    event *found = events_of_id(&p->events, id);
    return found == NULL && !(v->read_format & READ_GROUP) ? v : found;
}

/* Finds how much the counters of a sample have grown since the sample before: the sample counts
 * that. A sample without frames counts nothing, nor does the next one in its place. */
static void take_growth(recording *p, event *v, const sample *s, bool is_empty)
{
    p->sample_counts.n = 0;
    for (uint64_t i = 0; i < s->n_counts; i++) {
        sample_count c = sample_count_at(s, v, i, p->header.order);
        event *counted = counter_event(p, v, c.id);
        p->losses.unknown_event += counted == NULL;
        if (counted == NULL)
            continue;
        uint64_t grown = counters_advance(&p->counters, p->ctx, c.id, s->tid, c.value, &v->scope);
        if (grown > 0 && !is_empty && has_column(p, counted))
            add_count(p, counted->column, word_clamped(grown));
    }
}

/* ---- samples -------------------------------------------------------------------------------- */

/* Returns a number of `size` bytes with its sign, or without one. */
static int64_t signed_value(uint64_t value, event_field f)
{
    uint32_t unused = 64 - 8 * f.size;
    return f.is_signed ? (int64_t)(value << unused) >> unused : word_clamped(value);
}

/* Reads the fields of a sample's payload. */
static void take_fields(recording *p, const event *v, const sample *s)
{
    brz_bytes payload = brz_bytes_of(s->raw, s->raw_size);
    payload.order = p->header.order;
    weight_fields_clear(&p->fields);
    for (size_t i = 0; v->fields != NULL && i < p->fields.n; i++) {
        weight_field *f = &p->fields.items[i];
        payload_field at = {v->fields[i].offset, v->fields[i].size};
        uint64_t value;
        if (!payload_value(payload, at, &value))
            continue;
        f->state = FIELD_IS_NUMBER;
        f->value = signed_value(value, v->fields[i]);
        f->unit = BRZ_STR("");
    }
}

/* Adds the fields of a sample to what it counts. */
static void add_fields(recording *p, event *v, const sample *s)
{
    take_fields(p, v, s);
    weight_fields_note(&p->fields);
    if (v->field_columns == NULL)
        v->field_columns = weight_fields_new_columns(&p->fields, p->ctx);
    for (size_t i = 0; i < p->fields.n; i++) {
        uint32_t column =
            weight_fields_column(&p->fields, p->ctx, i, column_name(p, v), v->field_columns);
        if (column != BRZ_NO_COLUMN)
            add_count(p, column, p->fields.items[i].value);
    }
}

/* Counts the path of a sample in the columns of its counters or of its event, and in those of
 * fields. */
static brz_rc count_by_fields(recording *p, event *v, const sample *s, thread *of, const trace *t)
{
    const column_counts *c = &p->sample_counts;
    if (s->n_counts == 0 && has_column(p, v))
        add_count(p, v->column, word_clamped(s->period));
    add_fields(p, v, s);
    return c->n > 0 ? count(p, v, s, of, t, c->items, c->n) : BRZ_OK;
}

/* Counts the path of a sample in the columns of its counters, or of its event. */
static brz_rc count_sample(recording *p, event *v, const sample *s, thread *of, const trace *t)
{
    const column_counts *c = &p->sample_counts;
    if (weight_fields_are_on(&p->fields))
        return count_by_fields(p, v, s, of, t);
    if (s->n_counts > 0)
        return c->n > 0 ? count(p, v, s, of, t, c->items, c->n) : BRZ_OK;
    if (!has_column(p, v))
        return BRZ_OK;
    column_count one = {v->column, word_clamped(s->period)};
    return count(p, v, s, of, t, &one, 1);
}

/* Measures how much of a stack that was cut would have to be copied: up to the highest frame that
 * other samples of the thread have. */
static void measure_stack(recording *p, thread *of, const trace *t)
{
    if (!t->is_unwound || t->stack_end == 0)
        return;
    bool is_same = of->stack_end >= t->sp && of->stack_end - t->sp < SAME_STACK;
    if (!is_same || t->stack_end > of->stack_end)
        of->stack_end = t->stack_end;
    of->ends_there = t->end == UNWIND_COMPLETE || (is_same && of->ends_there);
    uint64_t needed = t->end == UNWIND_CUT ? of->stack_end - t->sp : 0;
    uint64_t *most = of->ends_there ? &p->losses.stack_needed : &p->losses.stack_at_least;
    *most = needed > *most ? needed : *most;
}

brz_rc fold_traced(recording *p, event *v, const sample *s, const fold_from *from, const trace *t)
{
    brz_rc rc = BRZ_OK;
    push_traced(p, t);
    measure_stack(p, &p->threads.items[from->thread], t);
    sampling_add(&p->sampling, p->ctx, v, &(moment){s->time, s->cpu}, t->n_user);
    frames_count_classes(p, p->sampling.n);
    /* perf script shows the name of the thread alone. */
    bool is_empty = p->stacks.path->n == 0 && !t->is_deferred && !p->frames.by_perf_script;
    if (!can_wait(p, t))
        push_root(p, t, from->root);
    p->losses.no_frames += is_empty;
    take_growth(p, v, s, is_empty);
    if (!is_empty)
        rc = count_sample(p, v, s, &p->threads.items[from->thread], t);
    if (t->is_hashed)
        p->stacks.path = &p->stacks.own;
    return rc;
}

brz_rc fold_usual(recording *p, const event *v, const moment *at, uint64_t period, const trace *t)
{
    brz_stacks *s = &p->stacks;
    p->ready.ids = t->values;
    p->ready.n = t->n;
    p->sampling.is_unmapped = t->is_unmapped;
    sampling_add(&p->sampling, p->ctx, v, at, t->n_user);
    s->path = &p->ready;
    frames_count_classes(p, p->sampling.n);
    p->ready.hashes[++p->ready.n] = t->hash;
    brz_rc rc = brz_stacks_count(s, p->ctx, v->column, word_clamped(period));
    s->path = &s->own;
    return rc;
}

brz_rc fold_sample(recording *p, event *v, const sample *s, uint16_t misc)
{
    thread *of = threads_get(&p->threads, p->ctx, s->pid, s->tid);
    const traced_thread traced = thread_at(p, of, misc);
    const fold_from from = {(uint32_t)(of - p->threads.items), frames_root(p, of)};
    trace t;
    push_sample(p, v, s, misc & MISC_CPUMODE, &traced, &t);
    return fold_traced(p, v, s, &from, &t);
}

brz_rc fold_pass_on(recording *p)
{
    brz_stacks *s = &p->stacks;
    for (size_t i = 0; i < s->n_entries && !s->ordered; i++) {
        brz_stacks_entry *e = &s->entries[i];
        brz_rc rc = e->value == 0 ? BRZ_OK : brz_stacks_send(s, p->ctx, e, e->value);
        if (rc != BRZ_OK)
            return rc;
        e->value = 0;
    }
    return brz_stacks_flush(s, p->ctx);
}
