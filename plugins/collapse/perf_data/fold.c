/* Counts samples. */
#include "fold.h"

#include "changes.h"
#include "deferred.h"
#include "frames.h"
#include "pending.h"
#include "push.h"

#include <brazier/symbol.h>

/* The most columns that a profile can have. */
#define COLUMNS_MAX 255

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

/* Declares the column of an event at its first sample. Returns false if there are too many. */
static bool has_column(recording *p, event *v)
{
    if (v->column != BRZ_NO_FRAME)
        return true;
    if (p->n_columns == COLUMNS_MAX) {
        p->losses.no_column++;
        return false;
    }
    bool is_clock = v->type == 1 && v->config <= 1;
    bool has_period =
        (v->sample_type & (SAMPLE_PERIOD | SAMPLE_READ)) != 0 || !(v->flags & ATTR_FREQ);
    brz_weight_desc d = {.struct_size = sizeof d, .name = v->name};
    d.unit = !has_period ? BRZ_STR("samples")
             : is_clock  ? BRZ_STR("nanoseconds")
                         : BRZ_STR("count");
    v->column = p->ctx->host->weight(p->ctx, &d);
    p->n_columns++;
    return true;
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

void fold_waker(recording *p, const event *v, const sample *s, uint16_t misc)
{
    const thread *of = threads_get(&p->threads, p->ctx, s->pid, s->tid);
    fold_from from = {.maps = threads_maps(&p->threads, of), .is_java = of->is_java};
    losses counted = p->losses; /* when the sample itself was counted */
    trace t;
    p->frames.of_waker = true;
    push_sample(p, v, s, misc & MISC_CPUMODE, from.maps, from.is_java, &t);
    push_traced(p, &t);
    p->frames.of_waker = false;
    p->losses = counted;
    brz_path_push(p->stacks.path, p->ctx, frames_waker_root(p, of));
}

/* Counts the path in the column of the event, or holds it without its root until the rest comes. */
static brz_rc count(recording *p, event *v, const sample *s, thread *of, const trace *t)
{
    if (!has_column(p, v))
        return BRZ_OK;
    if (p->wants_tags || p->wants_time)
        place(p, v, s, of);
    if (can_wait(p, t))
        return deferred_hold(p, of, t->cookie, v->column, s);
    p->losses.deferred += t->is_deferred;
    return pending_count(p, v->column, word_clamped(s->period));
}

/* Returns what a counter of a sample has grown by since the sample before. */
static uint64_t growth_of(recording *p, const event *v, const sample *s, const sample_count *c)
{
    uint32_t tid = v->flags & ATTR_INHERIT ? s->tid : 0; /* each thread has its own values */
    return counters_advance(&p->counters, p->ctx, c->id, tid, c->value);
}

/* Counts the path in the columns of all counters that have grown. A sample without frames counts
 * nowhere, nor does the next one in its place. */
static brz_rc count_counters(recording *p, const event *v, const sample *s, thread *of,
                             const trace *t, bool is_empty)
{
    brz_rc rc = BRZ_OK;
    for (uint64_t i = 0; i < s->n_counts && rc == BRZ_OK; i++) {
        sample_count c = sample_count_at(s, v, i, p->header.order);
        event *counted = events_of_id(&p->events, c.id);
        sample one = *s;
        one.period = growth_of(p, v, s, &c);
        p->losses.unknown_event += counted == NULL;
        if (counted != NULL && one.period > 0 && !is_empty)
            rc = count(p, counted, &one, of, t);
    }
    return rc;
}

brz_rc fold_traced(recording *p, event *v, const sample *s, const fold_from *from, const trace *t)
{
    brz_rc rc = BRZ_OK;
    push_traced(p, t);
    sampling_add(&p->sampling, p->ctx, v, s, t->n_user);
    bool is_empty = p->stacks.path->n == 0 && !t->is_deferred;
    if (!can_wait(p, t))
        push_root(p, t, from->root);
    p->losses.no_frames += is_empty;
    if (s->n_counts > 0)
        rc = count_counters(p, v, s, &p->threads.items[from->thread], t, is_empty);
    else if (!is_empty)
        rc = count(p, v, s, &p->threads.items[from->thread], t);
    if (t->is_hashed)
        p->stacks.path = &p->stacks.own;
    return rc;
}

brz_rc fold_sample(recording *p, event *v, const sample *s, uint16_t misc)
{
    thread *of = threads_get(&p->threads, p->ctx, s->pid, s->tid);
    fold_from from = {.maps = threads_maps(&p->threads, of), .is_java = of->is_java};
    trace t;
    from.thread = (uint32_t)(of - p->threads.items);
    from.root = frames_root(p, of);
    push_sample(p, v, s, misc & MISC_CPUMODE, from.maps, from.is_java, &t);
    return fold_traced(p, v, s, &from, &t);
}
