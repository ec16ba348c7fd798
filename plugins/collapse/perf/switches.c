/* SPDX-License-Identifier: MIT */
/* Finds switches and wake-ups of threads: the payloads of the tracepoints sched_switch,
 * sched_waking and sched_wakeup, in the words of the kernel or in those of perf's own plug-ins.
 *
 *     switch  := "prev_comm=" comm " prev_pid=" n ... " prev_state=" state " ==> next_comm=" ...
 *                " next_pid=" n ...
 *              | comm ":" n " [" n "] " state " ==> " comm ":" n " [" n "]"
 *     wake-up := "comm=" comm " pid=" n ... | comm ":" n " [" n "]" ...
 *
 * A comm may contain any text, so fields are searched from the end.
 */
#include "reader.h"

#include "event_words.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include <string.h>

/* ---- fields ---------------------------------------------------------------------------------- */

/* Returns the position of the last occurrence of a word, or SIZE_MAX. */
static size_t find_last(brz_str s, brz_str word)
{
    size_t last = SIZE_MAX;
    for (size_t at = 0; (at = brz_str_find(s, word, at)) != SIZE_MAX; at++)
        last = at;
    return last;
}

/* Cuts a text at the last occurrence of a word: *after is what follows. Returns false if the word
 * does not occur. */
static bool cut_at_last(brz_str *s, brz_str word, brz_str *after)
{
    size_t at = find_last(*s, word);
    if (at == SIZE_MAX)
        return false;
    *after = brz_str_from(*s, at + word.len);
    s->len = at;
    return true;
}

/* Parses `comm ":" number " [" ...`. Cuts the text in front of the bracket. */
static bool take_short_pid(brz_str *s, uint32_t *pid)
{
    brz_str rest, digits;
    return cut_at_last(s, BRZ_STR(" ["), &rest) && cut_at_last(s, BRZ_STR(":"), &digits) &&
           event_id_in(digits, pid);
}

static bool parse_switch(brz_str s, perf_switch *found)
{
    brz_str next, state, previous;
    if (!cut_at_last(&s, BRZ_STR(" ==> next_comm="), &next) ||
        !cut_at_last(&s, BRZ_STR(" prev_state="), &state) ||
        !cut_at_last(&s, BRZ_STR(" prev_pid="), &previous) || state.len == 0)
        return false;
    brz_str pid;
    found->state = off_cpu_state_of(state.data[0]);
    return cut_at_last(&next, BRZ_STR(" next_pid="), &pid) && event_id_in(pid, &found->other) &&
           event_id_in(previous, &found->tid);
}

static bool parse_short_switch(brz_str s, perf_switch *found)
{
    brz_str next;
    if (!cut_at_last(&s, BRZ_STR(" ==> "), &next) || !take_short_pid(&next, &found->other))
        return false;
    brz_str state = brz_str_from(s, word_last(s));
    if (state.len == 0 || !take_short_pid(&s, &found->tid))
        return false;
    found->state = off_cpu_state_of(state.data[0]);
    return true;
}

static bool parse_wake(brz_str s, perf_switch *found)
{
    brz_str pid;
    if (brz_starts_with(s, BRZ_STR("comm=")))
        return cut_at_last(&s, BRZ_STR(" pid="), &pid) && event_id_in(pid, &found->other);
    return take_short_pid(&s, &found->other);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Software events that do not divide the time on a processor evenly. */
static const char *const counts[] = {
    "alignment-faults", "bpf-output",   "cgroup-switches",  "context-switches", "cs",
    "cpu-migrations",   "dummy",        "emulation-faults", "faults",           "major-faults",
    "migrations",       "minor-faults", "page-faults",
};

/* Returns whether samples of an event are spread over the time on a processor. */
static bool is_sampling(brz_str event)
{
    if (event.len == 0)
        return true;
    for (size_t i = 0; i < BRZ_COUNT_OF(counts); i++)
        if (brz_str_equal(event, brz_str_of(counts[i], strlen(counts[i]))))
            return false;
    return memchr(event.data, ':', event.len) == NULL;
}

static bool is_wake(brz_str event)
{
    return brz_str_equal(event, BRZ_STR("sched:sched_waking")) ||
           brz_str_equal(event, BRZ_STR("sched:sched_wakeup")) ||
           brz_str_equal(event, BRZ_STR("sched:sched_wakeup_new"));
}

/* Returns whether a sample is taken when its thread is about to leave its processor. */
static bool is_switching(brz_str event)
{
    return brz_str_equal(event, BRZ_STR("context-switches")) || brz_str_equal(event, BRZ_STR("cs"));
}

/* Parses the number of a thread; one that has ended may have -1. */
static bool thread_in(brz_str text, uint32_t *tid)
{
    bool has_ended = brz_str_equal(text, BRZ_STR("-1"));
    if (has_ended)
        *tid = OFF_CPU_ENDED_THREAD;
    return has_ended || event_id_in(text, tid);
}

/* Parses the meaning of an event line. Returns false if its fields are not known. */
static bool parse(const event_line *e, perf_switch *found)
{
    bool has_tid = thread_in(e->tid, &found->tid);
    found->type = NO_SWITCH;
    found->time = e->has_time ? event_time(e->time) : 0;
    if (brz_str_equal(e->event, BRZ_STR("sched:sched_switch")))
        found->type = SWITCHED;
    else if (is_wake(e->event))
        found->type = WOKE;
    else if (has_tid && e->has_time && is_switching(e->event))
        found->type = SWITCHING;
    else if (has_tid && e->has_time && is_sampling(e->event))
        found->type = SAMPLED;
    if (found->type == SWITCHED)
        return e->has_time && (parse_switch(e->rest, found) || parse_short_switch(e->rest, found));
    return found->type != WOKE || (e->has_time && has_tid && parse_wake(e->rest, found));
}

/* Keeps the description of a thread, whose texts the next chunk overwrites. */
static void keep_thread(perf_switch *s, brz_ctx *ctx, const event_line *e)
{
    s->who = event_describe(e);
    s->comm.len = 0;
    brz_text_append(&s->comm, ctx, e->comm);
    s->who.thread_name = brz_text_str(&s->comm);
    if (s->who.process_name.len > 0)
        s->who.process_name = s->who.thread_name;
}

void switches_begin(perf *p, brz_ctx *ctx, const event_line *e)
{
    perf_switch *s = &p->last_switch;
    if (!parse(e, s)) {
        s->type = NO_SWITCH;
        p->n_bad_switches++;
    }
    p->naming.waker = s->type == WOKE && off_cpu_needs_wakers(&p->options->off);
    if (ctx->flags & BRZ_CTX_WANTS_TAGS)
        keep_thread(s, ctx, e);
}

brz_rc switches_end(perf *p, brz_ctx *ctx)
{
    const perf_switch *s = &p->last_switch;
    if (s->type == NO_SWITCH)
        return BRZ_OK;
    if (!p->stop)
        brz_frame_list_push(&p->body, ctx, p->root);
    off_cpu_moment m = {s->tid, (uint32_t)p->body.n, s->time, p->body.ids, NULL};
    m.who = ctx->flags & BRZ_CTX_WANTS_TAGS ? &s->who : NULL;
    if (s->type == SAMPLED)
        return off_cpu_sample(&p->off, ctx, &m);
    if (s->type == SWITCHING) {
        off_cpu_sample_at_switch(&p->off, ctx, &m);
        return BRZ_OK;
    }
    if (s->type == WOKE) {
        off_cpu_wake(&p->off, ctx, &m, s->other, false);
        return BRZ_OK;
    }
    brz_rc rc = off_cpu_leave(&p->off, ctx, &m, s->state, NO_CPU);
    return rc == BRZ_OK ? off_cpu_enter(&p->off, ctx, s->other, s->time) : rc;
}

/* ---- reports --------------------------------------------------------------------------------- */

void switches_report(perf *p, brz_ctx *ctx)
{
    if (p->chunk == 0) /* another instance has the input */
        return;
    brz_report_count(ctx, BRZ_WARNING, "perf.switch", p->n_bad_switches, 0,
                     BRZ_STR("switches and wake-ups without a time or with unknown fields are not "
                             "used: {count} (print them with -F +comm,tid,time,event,trace)"));
    off_cpu_report(&p->off, ctx,
                   BRZ_STR("no thread leaves its processor and comes back in the text: record with "
                           "-e sched:sched_switch of all processors (-a), or with --switch-events "
                           "and print with --show-switch-events"));
}
