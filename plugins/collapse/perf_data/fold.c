/* Counts samples. */
#include "fold.h"

#include "chain.h"
#include "changes.h"
#include "deferred.h"
#include "frames.h"
#include "pending.h"
#include "unwind.h"

#include <brazier/symbol.h>

/* The most columns that a profile can have. */
#define COLUMNS_MAX 255

/* ---- frames --------------------------------------------------------------------------------- */

/* Returns whether a sample waits for the rest of its stack. Switches are used at once. */
static bool can_wait(const recording *p, chain_end end)
{
    return end.is_deferred && !p->off.is_on;
}

/* Pushes the frames of a sample, leaf first. */
static chain_end push_frames(recording *p, const thread *of, const event *v, const sample *s,
                             uint32_t mode)
{
    chain_end end = chain_push(p, of, v, s, mode);
    bool has_stack = s->registers != NULL && (v->sample_type & SAMPLE_STACK_USER) != 0;
    if (has_stack && end.n_user == 0)
        p->losses.ends[unwind_sample(p, of, v, s)]++;
    bool has_leaf = p->stacks.path->n > 0 || can_wait(p, end);
    if (!has_leaf && (v->sample_type & SAMPLE_IP))
        chain_push_address(p, of, mode, s->ip, false);
    return end;
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
    bool has_period = (v->sample_type & SAMPLE_PERIOD) != 0 || !(v->flags & ATTR_FREQ);
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

/* Makes the path of a sample without the frame of its thread. */
static chain_end make_path(recording *p, const event *v, const sample *s, const thread *of,
                           uint16_t misc)
{
    brz_path_cut(p->stacks.path, 0);
    p->sampling.is_unmapped = false;
    return push_frames(p, of, v, s, misc & MISC_CPUMODE);
}

void fold_waker(recording *p, const event *v, const sample *s, uint16_t misc)
{
    const thread *of = threads_get(&p->threads, p->ctx, s->pid, s->tid);
    losses counted = p->losses; /* when the sample itself was counted */
    p->frames.of_waker = true;
    make_path(p, v, s, of, misc);
    p->frames.of_waker = false;
    p->losses = counted;
    brz_path_push(p->stacks.path, p->ctx, frames_waker_root(p, of));
}

/* Counts the path in the column of the event, or holds it without its root until the rest comes. */
static brz_rc count(recording *p, event *v, const sample *s, thread *of, chain_end end)
{
    if (!has_column(p, v))
        return BRZ_OK;
    if (p->wants_tags || p->wants_time)
        place(p, v, s, of);
    if (can_wait(p, end))
        return deferred_hold(p, of, end.cookie, v->column, s);
    p->losses.deferred += end.is_deferred;
    return pending_count(p, v->column, word_clamped(s->period));
}

brz_rc fold_sample(recording *p, event *v, const sample *s, uint16_t misc)
{
    thread *of = threads_get(&p->threads, p->ctx, s->pid, s->tid);
    chain_end end = make_path(p, v, s, of, misc);
    sampling_add(&p->sampling, p->ctx, v, s, end.n_user);
    bool is_empty = p->stacks.path->n == 0 && !end.is_deferred;
    if (!can_wait(p, end))
        brz_path_push(p->stacks.path, p->ctx, frames_root(p, of));
    if (!is_empty)
        return count(p, v, s, of, end);
    p->losses.no_frames++;
    return BRZ_OK;
}
