/* SPDX-License-Identifier: MIT */
/* Finds switches and wake-ups of threads. */
#include "switches.h"

#include "../file/changes.h"
#include "fold.h"
#include "../stack/frames.h"

/* Configurations of software events. */
enum { SOFTWARE_LAST_CLOCK = 1, SOFTWARE_SWITCHES = 3 };

/* Bits of common_flags: an interrupt or its deferred work runs. */
#define IN_INTERRUPT (0x08u | 0x10u)

/* ---- samples -------------------------------------------------------------------------------- */

/* Returns the path as the stack of a thread at a time. */
static off_cpu_moment moment_of(const recording *p, uint32_t tid, uint64_t time)
{
    const brz_path *path = p->stacks.path;
    return (off_cpu_moment){tid, (uint32_t)path->n, word_clamped(time), path->ids, NULL};
}

static uint32_t cpu_of(const event *v, uint32_t cpu)
{
    return v->sample_type & SAMPLE_CPU ? cpu : NO_CPU;
}

static brz_rc take_switch(recording *p, const event *v, const sample *s, const tracepoint *t,
                          brz_bytes payload)
{
    uint64_t previous, next, state;
    if (!payload_value(payload, t->prev_pid, &previous) ||
        !payload_value(payload, t->next_pid, &next) || !payload_value(payload, t->state, &state)) {
        p->losses.bad_payloads++;
        return BRZ_OK;
    }
    const thread *of = threads_get(&p->threads, p->ctx, s->pid, s->tid);
    brz_tag_desc who = fold_describe(p, v, s, of);
    off_cpu_moment m = moment_of(p, (uint32_t)previous, s->time);
    m.who = p->wants_tags ? &who : NULL;
    off_cpu_state why = off_cpu_state_of(tracepoint_letter(t, state));
    brz_rc rc = off_cpu_leave(&p->off, p->ctx, &m, why, cpu_of(v, s->cpu));
    return rc == BRZ_OK ? off_cpu_enter(&p->off, p->ctx, (uint32_t)next, m.time) : rc;
}

static void take_wake(recording *p, const event *v, const sample *s, const tracepoint *t,
                      brz_bytes payload, uint16_t misc)
{
    uint64_t wakee, flags = 0;
    if (!payload_value(payload, t->pid, &wakee)) {
        p->losses.bad_payloads++;
        return;
    }
    payload_value(payload, t->flags, &flags);
    if (off_cpu_needs_wakers(p->off.options))
        fold_waker(p, v, s, misc);
    off_cpu_moment m = moment_of(p, s->tid, s->time);
    off_cpu_wake(&p->off, p->ctx, &m, (uint32_t)wakee, (flags & IN_INTERRUPT) != 0);
}

static brz_rc take_tracepoint(recording *p, const event *v, const sample *s, uint16_t misc)
{
    const tracepoint *t = tracepoints_find(&p->tracepoints, v->config);
    brz_bytes payload = brz_bytes_of(s->raw, s->raw_size);
    payload.order = p->header.order;
    if (t == NULL)
        return BRZ_OK;
    if (t->kind == TRACEPOINT_SWITCH)
        return take_switch(p, v, s, t, payload);
    take_wake(p, v, s, t, payload, misc);
    return BRZ_OK;
}

/* Returns whether samples of an event are spread over the time on a processor. */
static bool is_sampling(const event *v)
{
    if (v->type == TYPE_SOFTWARE)
        return v->config <= SOFTWARE_LAST_CLOCK;
    return v->type != TYPE_TRACEPOINT && v->type != TYPE_BREAKPOINT;
}

brz_rc switches_sample(recording *p, const event *v, const sample *s, uint16_t misc)
{
    if (!(v->sample_type & SAMPLE_TIME) || !(v->sample_type & SAMPLE_TID))
        return BRZ_OK;
    if (v->type == TYPE_TRACEPOINT)
        return take_tracepoint(p, v, s, misc);
    const thread *of = threads_get(&p->threads, p->ctx, s->pid, s->tid);
    brz_tag_desc who = fold_describe(p, v, s, of);
    off_cpu_moment m = moment_of(p, s->tid, s->time);
    m.who = p->wants_tags ? &who : NULL;
    if (is_sampling(v))
        return off_cpu_sample(&p->off, p->ctx, &m);
    if (v->type == TYPE_SOFTWARE && v->config == SOFTWARE_SWITCHES)
        off_cpu_sample_at_switch(&p->off, p->ctx, &m);
    return BRZ_OK;
}

/* ---- records of the kernel ------------------------------------------------------------------ */

/* Takes the fields of a trailer. */
static sample read_trailer(const event *v, brz_bytes b)
{
    sample s = {.cpu = NO_CPU};
    if (v->sample_type & SAMPLE_TID) {
        s.pid = brz_bytes_u32(&b);
        s.tid = brz_bytes_u32(&b);
    }
    s.time = v->sample_type & SAMPLE_TIME ? brz_bytes_u64(&b) : 0;
    brz_bytes_skip(&b, v->sample_type & SAMPLE_ID ? 8 : 0);
    brz_bytes_skip(&b, v->sample_type & SAMPLE_STREAM_ID ? 8 : 0);
    if (v->sample_type & SAMPLE_CPU)
        s.cpu = brz_bytes_u32(&b);
    return s;
}

static brz_rc take_record(recording *p, const event *v, const sample *s, uint16_t misc)
{
    if (!(misc & MISC_SWITCH_OUT))
        return off_cpu_enter(&p->off, p->ctx, s->tid, word_clamped(s->time));
    thread *of = threads_get(&p->threads, p->ctx, s->pid, s->tid);
    brz_frame root = frames_root(p, of);
    brz_tag_desc who = fold_describe(p, v, s, of);
    off_cpu_moment m = {s->tid, 1, word_clamped(s->time), &root, p->wants_tags ? &who : NULL};
    off_cpu_state why = misc & MISC_SWITCH_PREEMPT ? OFF_CPU_PREEMPTED : OFF_CPU_BLOCKED;
    return off_cpu_leave_by_record(&p->off, p->ctx, &m, why, s->cpu);
}

/* Returns the number of the thread that a FORK or EXIT record is about. */
static uint32_t thread_in(brz_bytes body)
{
    brz_bytes_skip(&body, 8);
    return brz_bytes_u32(&body);
}

brz_rc switches_change(recording *p, uint32_t type, uint16_t misc, const event *v, brz_bytes body,
                       brz_bytes trailer)
{
    bool has_trailer = brz_bytes_left(&trailer) > 0;
    sample s = read_trailer(v, trailer);
    switch (type) {
    case RECORD_SWITCH:
    case RECORD_SWITCH_CPU_WIDE:
        return has_trailer && s.time > 0 ? take_record(p, v, &s, misc) : BRZ_OK;
    case RECORD_FORK:
        if (s.time > 0) /* perf makes such records of threads that run already */
            off_cpu_begin(&p->off, p->ctx, thread_in(body));
        return BRZ_OK;
    case RECORD_EXIT:
        off_cpu_end(&p->off, p->ctx, thread_in(body));
        return BRZ_OK;
    case RECORD_LOST:
    case RECORD_LOST_SAMPLES:
        off_cpu_lose(&p->off, p->ctx, s.cpu);
        return BRZ_OK;
    default:
        return BRZ_OK;
    }
}

/* ---- reports -------------------------------------------------------------------------------- */

/* Returns whether the recording has events of tracepoints. */
static bool has_tracepoints(const recording *p)
{
    for (size_t i = 0; i < p->events.n; i++)
        if (p->events.items[i].type == TYPE_TRACEPOINT)
            return true;
    return false;
}

/* Returns whether the kernel recorded only some of the switches. */
static bool has_gaps(const recording *p)
{
    for (size_t i = 0; i < p->events.n; i++) {
        const event *v = &p->events.items[i];
        const tracepoint *t =
            v->type == TYPE_TRACEPOINT ? tracepoints_find(&p->tracepoints, v->config) : NULL;
        if (t != NULL && ((v->flags & ATTR_FREQ) || v->sample_period > 1))
            return true;
    }
    return false;
}

/* Returns whether switches were to be recorded. */
static bool records_switches(const recording *p)
{
    for (size_t i = 0; i < p->events.n; i++) {
        const event *v = &p->events.items[i];
        const tracepoint *t =
            v->type == TYPE_TRACEPOINT ? tracepoints_find(&p->tracepoints, v->config) : NULL;
        if ((v->flags & ATTR_CONTEXT_SWITCH) || (t != NULL && t->kind == TRACEPOINT_SWITCH))
            return true;
    }
    return false;
}

/* Returns the remedy for a recording without intervals off the processors. */
static brz_str advice_of(const recording *p)
{
    return records_switches(p)
               ? BRZ_STR("no thread leaves its processor and comes back in the recording: each ran "
                         "or waited all the time")
               : BRZ_STR("no thread leaves its processor and comes back in the recording: record "
                         "with --switch-events, or -e sched:sched_switch of all processors (-a)");
}

void switches_report(recording *p)
{
    if (!p->off.is_on)
        return;
    if (has_gaps(p))
        recording_warn(p, "perf-data.switch-period", NULL,
                       BRZ_STR("only some of the switches and wake-ups are recorded, so intervals "
                               "off the processors are wrong: give -F or -c to the other event "
                               "only, as in -e cpu-clock/freq=997/"));
    bool is_undescribed = p->tracepoints.n == 0 && has_tracepoints(p);
    if (is_undescribed)
        recording_warn(p, "perf-data.no-tracing-data", NULL,
                       BRZ_STR("the recording does not describe its tracepoints: switches and "
                               "wake-ups among them are not used"));
    off_cpu_report(&p->off, p->ctx, is_undescribed ? brz_str_of("", 0) : advice_of(p));
}
