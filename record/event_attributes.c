/* Chooses the events of a recording and sets their attributes. */
#include "record/event_set.h"

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

static bool add_event(brz_event_set *s, brz_str word, brz_console *console)
{
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

/* Appends why a tracepoint may not be recorded. */
static void refuse_tracepoint(const brz_event_set *s, const char *name, brz_buf *why)
{
    const brz_kernel_refusal r = {
        .error = EACCES, .event = name, .tracepoint = true, .limits = s->limits};
    brz_kernel_refusal_explain(&r, why);
}

/* Adds a tracepoint if that is permitted. Returns whether it was added, or appends why not. */
static bool add_tracepoint(brz_event_set *s, const char *name, brz_buf *why)
{
    brz_event e;
    if (s->n == BRZ_EVENTS_MAX)
        return false;
    if (!s->limits.may_perfmon && s->limits.paranoid >= 0) {
        refuse_tracepoint(s, name, why);
        return false;
    }
    if (!brz_event_parse(&e, brz_str_of(name, strlen(name)), why))
        return false;
    e.is_scheduler = true;
    s->events[s->n++] = e;
    return true;
}

/* Adds the event that samples at each context switch, if the kernel may be recorded. Returns
 * whether it was added. */
static bool add_switches(brz_event_set *s)
{
    brz_buf error = {0};
    bool is_permitted = s->limits.may_perfmon || s->limits.paranoid <= 1;
    bool good = s->n < BRZ_EVENTS_MAX && is_permitted &&
                brz_event_parse(&s->events[s->n], BRZ_STR("context-switches"), &error);
    if (good)
        s->events[s->n++].is_scheduler = true;
    brz_buf_finish(&error);
    return good;
}

/* Reports what the picture lacks since the tracepoints of the scheduler are missing. */
static void say_lacks(bool wakers, bool stacks, const brz_buf *why, brz_console *console)
{
    if (why->len == 0 || (!wakers && !stacks))
        return;
    brz_say(console, BRZ_NOTE, "%s%s%s: %s", wakers ? "wake-ups are not recorded" : "",
            wakers && stacks ? ", and " : "",
            stacks ? "waits have the stack of the sample before them" : "", brz_buf_text(why));
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

static void set_rate(brz_event *e, const brz_record_request *r)
{
    if (r->period > 0 || brz_event_counts_each(e)) {
        e->attr.sample_period = r->period > 0 ? r->period : 1;
        return;
    }
    e->attr.freq = 1;
    e->attr.sample_freq = r->frequency > 0 ? r->frequency : BRZ_FREQUENCY;
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
static void set_tracking(brz_event_set *s)
{
    struct perf_event_attr *a = &s->events[0].attr;
    a->mmap = a->mmap2 = a->comm = a->comm_exec = a->task = a->build_id = 1;
    a->ksymbol = s->limits.may_perfmon;
}

/* Lowers the frequency to what the kernel permits. */
static void limit_frequency(const brz_event_set *s, brz_record_request *r, brz_console *console)
{
    bool is_highest = r->frequency == BRZ_FREQUENCY_MAX;
    uint64_t most = s->limits.frequency > 0 ? (uint64_t)s->limits.frequency
                    : is_highest            ? BRZ_FREQUENCY
                                            : UINT64_MAX;
    uint64_t wish = r->frequency > 0 ? r->frequency : BRZ_FREQUENCY;
    if (r->period > 0 || wish <= most)
        return;
    if (is_highest)
        brz_say(console, BRZ_NOTE, "%llu samples per second, the most that the kernel permits",
                (unsigned long long)most);
    else
        brz_say(console, BRZ_NOTE,
                "%llu samples per second instead of %llu: kernel.perf_event_max_sample_rate "
                "permits no more",
                (unsigned long long)most, (unsigned long long)wish);
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
    limit_frequency(s, &r, console);
    for (size_t i = 0; i < s->n; i++)
        set_attributes(s, &s->events[i], &r);
    set_tracking(s);
    return true;
}
