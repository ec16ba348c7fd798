/* SPDX-License-Identifier: MIT */
/* Chooses the events of a recording and sets their attributes. */
#include "record/event_set.h"

#include <brazier/symbol.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "record/refusal.h"

/* Registers of a sample with a copy of the stack. */
#if defined(__x86_64__)
#define USER_REGISTERS UINT64_C(0xff0fff)
#elif defined(__aarch64__)
#define USER_REGISTERS UINT64_C(0x1ffffffff)
#else
#define USER_REGISTERS UINT64_C(0)
#endif

/* Register with the address to which a function that calls nothing returns. Frame pointers lead
 * from it to the caller of its caller. On other machines, the stack has this address. */
#if defined(__aarch64__)
#define LINK_REGISTER (UINT64_C(1) << 30)
#else
#define LINK_REGISTER UINT64_C(0)
#endif

static brz_event *next_event(brz_event_set *s, brz_console *console)
{
    if (s->n < BRZ_EVENTS_MAX)
        return &s->events[s->n];
    brz_say(console, BRZ_FATAL, "more than %d events", BRZ_EVENTS_MAX);
    return NULL;
}

/* Returns whether an event has this name: a second one would count everything twice. */
static bool has_event(const brz_event_set *s, brz_str word)
{
    for (size_t i = 0; i < s->n; i++)
        if (brz_str_is(word, s->events[i].name))
            return true;
    return false;
}

static bool add_event(brz_event_set *s, brz_str word, brz_console *console)
{
    if (has_event(s, word))
        return true;
    brz_buf error = {0};
    brz_event *e = next_event(s, console);
    bool good = e != NULL && brz_event_parse(e, word, &error);
    if (good)
        s->n++;
    else if (e != NULL)
        brz_say(console, BRZ_FATAL, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

/* Adds events whose names are separated by commas. */
static bool add_events(brz_event_set *s, const char *words, brz_console *console)
{
    bool good = true;
    for (const char *at = words; good; at++) {
        size_t n = strcspn(at, ",");
        good = add_event(s, brz_str_of(at, n), console);
        at += n;
        if (*at == '\0')
            break;
    }
    return good;
}

/* Returns whether two events count the same, also by different names. */
static bool is_same_event(const brz_event *a, const brz_event *b)
{
    return a->attr.type == b->attr.type && a->attr.config == b->attr.config &&
           a->user_only == b->user_only && a->kernel_only == b->kernel_only;
}

/* Appends why a tracepoint may not be recorded. */
static void refuse_tracepoint(const brz_event_set *s, const char *name, brz_buf *why)
{
    const brz_kernel_refusal r = {
        .error = EACCES, .event = name, .tracepoint = true, .limits = s->limits};
    brz_kernel_refusal_explain(&r, why);
}

/* Adds an event of the scheduler, or makes an equal one of the user's report every occurrence.
 * Returns whether it is there. */
static bool add_for_scheduler(brz_event_set *s, const brz_event *event)
{
    brz_event *e = s->events;
    while (e < s->events + s->n && !is_same_event(e, event))
        e++;
    if (e == s->events + BRZ_EVENTS_MAX)
        return false;
    if (e == s->events + s->n) {
        *e = *event;
        s->n++;
    }
    e->is_scheduler = true;
    return true;
}

/* Adds a tracepoint if that is permitted. Returns whether it is there, or appends why not. */
static bool add_tracepoint(brz_event_set *s, const char *name, brz_buf *why)
{
    brz_event e;
    if (!s->limits.may_perfmon && s->limits.paranoid >= 0) {
        refuse_tracepoint(s, name, why);
        return false;
    }
    return brz_event_parse(&e, brz_str_of_text(name), why) && add_for_scheduler(s, &e);
}

/* Adds the event that samples at each context switch, if the kernel may be recorded. Returns
 * whether it is there. */
static bool add_switches(brz_event_set *s)
{
    brz_event e;
    brz_buf error = {0};
    bool is_permitted = s->limits.may_perfmon || s->limits.paranoid <= 1;
    bool good = is_permitted && brz_event_parse(&e, BRZ_STR("context-switches"), &error) &&
                add_for_scheduler(s, &e);
    brz_buf_finish(&error);
    return good;
}

/* Reports the gaps in the picture that missing tracepoints of the scheduler cause. */
static void say_lacks(bool wakers, bool stacks, const brz_buf *why, brz_console *console)
{
    if (why->len == 0 || (!wakers && !stacks))
        return;
    brz_say(console, BRZ_NOTE, "%s%s%s: %s", wakers ? "wake-ups are not recorded" : "",
            wakers && stacks ? ", and " : "",
            stacks ? "waits get the stack of the sample before them" : "", brz_buf_text(why));
}

/* Adds the events of the scheduler. The tracepoint has the stack with which a thread leaves its
 * processor, or else the event context-switches has. Records of switches tell when it comes back;
 * if all threads are recorded, the tracepoint of another thread does. */
static void add_scheduler(brz_event_set *s, const brz_record_request *r, brz_console *console)
{
    if (!r->off_cpu && !r->wakeup)
        return;
    brz_buf why = {0}, same = {0};
    bool is_whole = r->all || r->cgroup != NULL;
    bool has_point = add_tracepoint(s, "sched:sched_switch", &why);
    s->events[0].attr.context_switch = !is_whole || !has_point;
    bool has_stacks = has_point || add_switches(s);
    bool has_wakers = has_point && r->wakeup && add_tracepoint(s, "sched:sched_waking", &why);
    if (has_wakers)
        add_tracepoint(s, "sched:sched_wakeup_new", &same);
    say_lacks(r->wakeup && !has_wakers, !has_stacks, &why, console);
    brz_buf_finish(&why);
    brz_buf_finish(&same);
}

/* Sets how often the event is sampled. Of the scheduler's, every occurrence is needed. */
static void set_rate(brz_event *e, const brz_record_request *r)
{
    bool has_period = r->period > 0 && !e->is_scheduler;
    if (has_period || brz_event_counts_each(e)) {
        e->attr.sample_period = has_period ? r->period : 1;
        return;
    }
    e->attr.freq = 1;
    e->attr.sample_freq = r->frequency > 0 ? r->frequency : BRZ_FREQUENCY;
    brz_event_slow_clock(e);
}

static void set_call_graph(brz_event *e, const brz_record_request *r)
{
    if (r->call_graph != BRZ_CALL_GRAPH_NONE)
        e->attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
    if (r->call_graph == BRZ_CALL_GRAPH_FP && LINK_REGISTER != 0) {
        e->attr.sample_type |= PERF_SAMPLE_REGS_USER;
        e->attr.sample_regs_user = LINK_REGISTER;
    }
    if (r->call_graph != BRZ_CALL_GRAPH_DWARF)
        return;
    e->attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    e->attr.sample_regs_user = USER_REGISTERS;
    e->attr.sample_stack_user = r->stack_size > 0 ? r->stack_size : BRZ_STACK_SIZE;
    e->attr.exclude_callchain_user = 1;
}

/* Sets what all events have in common. */
static void set_attributes(brz_event_set *s, brz_event *e, const brz_record_request *r)
{
    struct perf_event_attr *a = &e->attr;
    a->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
                     PERF_SAMPLE_PERIOD | (s->n > 1 ? PERF_SAMPLE_IDENTIFIER : 0) |
                     (brz_event_is_tracepoint(e) ? PERF_SAMPLE_RAW : 0);
    a->disabled = 1;
    a->inherit = !r->all && r->cgroup == NULL;
    a->enable_on_exec = (brz_records_command(r) || r->waiting > 0) && r->delay == 0;
    a->sample_id_all = 1;
    a->watermark = 1;
    a->use_clockid = 1;
    a->clockid = CLOCK_MONOTONIC;
    a->exclude_kernel = e->user_only || (r->kernel == BRZ_KERNEL_NO && !e->is_scheduler);
    /* An interrupt that comes late finds the kernel running. */
    a->exclude_callchain_kernel = e->user_only || r->kernel == BRZ_KERNEL_NO;
    a->exclude_user = e->kernel_only;
    set_rate(e, r);
    set_call_graph(e, r);
}

/* Makes the first event report mappings, names and threads. */
static void set_tracking(brz_event_set *s, const brz_record_request *r)
{
    struct perf_event_attr *a = &s->events[0].attr;
    a->mmap = a->mmap2 = a->comm = a->comm_exec = a->task = a->build_id = 1;
    a->mmap_data = brz_records_data(r);
    a->ksymbol = s->limits.may_perfmon;
}

/* Lowers the frequency to what the kernel permits. */
static void limit_frequency(brz_event_set *s, brz_record_request *r)
{
    bool is_highest = r->frequency == BRZ_FREQUENCY_MAX;
    uint64_t most = s->limits.frequency > 0 ? (uint64_t)s->limits.frequency
                    : is_highest            ? BRZ_FREQUENCY
                                            : UINT64_MAX;
    uint64_t wish = r->frequency > 0 ? r->frequency : BRZ_FREQUENCY;
    if (r->period > 0 || wish <= most)
        return;
    s->wished_frequency = wish;
    r->frequency = most;
}

bool brz_event_set_init(brz_event_set *s, const brz_record_request *request, brz_console *console)
{
    brz_record_request r = *request;
    *s = (brz_event_set){.cgroup = -1, .limits = brz_kernel_limits_read()};
    bool good = true;
    for (size_t i = 0; i < r.n_events && good; i++)
        good = add_events(s, r.events[i], console);
    if (good && r.n_events == 0) {
        good = add_events(s, "cycles", console);
        s->events[0].is_default = true;
    }
    if (!good)
        return false;
    add_scheduler(s, &r, console);
    limit_frequency(s, &r);
    for (size_t i = 0; i < s->n; i++)
        set_attributes(s, &s->events[i], &r);
    set_tracking(s, &r);
    return true;
}
