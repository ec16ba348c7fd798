/* SPDX-License-Identifier: MIT */
/* Uses the records that `perf script --show-switch-events --show-task-events --show-lost-events`
 * prints between the samples: switches, beginnings and ends of threads, and losses.
 *
 *     record := comm tid ["[" cpu "]"] time "PERF_RECORD_" what
 *     what   := ("SWITCH" | "SWITCH_CPU_WIDE") ("IN" | "OUT" ["preempt"]) ...
 *             | ("FORK" | "EXIT") "(" pid ":" tid "):(" ...
 *             | "LOST" ...
 *
 * The thread in front is the one that a switch is about.
 */
#include "reader.h"

#include "event_words.h"

#include <brazier/symbol.h>

#define MARK BRZ_STR("PERF_RECORD_")

/* A record: the fields in front of it, and the text after MARK. */
typedef struct side_record {
    event_line fields;
    brz_str what;
    uint32_t tid, cpu;
    int64_t time;
} side_record;

/* Returns the number of a text, or `otherwise`. */
static uint32_t number_in(brz_str text, uint32_t otherwise)
{
    uint32_t id;
    return event_id_in(text, &id) && id != UINT32_MAX ? id : otherwise;
}

/* Parses a line. Returns false if it is no record, or has no time. */
static bool parse(brz_str line, side_record *r)
{
    size_t at = brz_str_find(line, MARK, 0);
    if (at == SIZE_MAX || !event_line_parse(brz_str_of(line.data, at), &r->fields) ||
        !r->fields.has_time)
        return false;
    r->what = brz_str_from(line, at + MARK.len);
    r->time = event_time(r->fields.time);
    r->tid = number_in(r->fields.tid, 0);
    r->cpu = r->fields.cpu.len > 1 ? number_in(brz_str_from(r->fields.cpu, 1), NO_CPU) : NO_CPU;
    return true;
}

/* Uses a record that a thread leaves its processor or comes back. */
static brz_rc take_switch(perf *p, brz_ctx *ctx, const side_record *r, brz_str words)
{
    brz_str way = word_next(&words);
    if (brz_str_equal(way, BRZ_STR("IN")))
        return off_cpu_enter(&p->off, ctx, r->tid, r->time);
    if (!brz_str_equal(way, BRZ_STR("OUT"))) {
        p->n_bad_switches++;
        return BRZ_OK;
    }
    bool is_preempted = brz_str_equal(word_next(&words), BRZ_STR("preempt"));
    p->naming.waker = false;
    brz_frame root = event_root(p, ctx, &r->fields);
    brz_tag_desc who = event_describe(&r->fields);
    bool wants_tags = (ctx->flags & BRZ_CTX_WANTS_TAGS) != 0;
    off_cpu_moment m = {r->tid, 1, r->time, &root, wants_tags ? &who : NULL};
    return off_cpu_leave_by_record(&p->off, ctx, &m,
                                   is_preempted ? OFF_CPU_PREEMPTED : OFF_CPU_BLOCKED, r->cpu);
}

/* Returns the thread of "(pid:tid):(...", or 0. */
static uint32_t thread_in(brz_str words)
{
    size_t colon = brz_str_find(words, BRZ_STR(":"), 0);
    return colon == SIZE_MAX ? 0 : number_in(brz_str_from(words, colon + 1), 0);
}

static brz_rc take(perf *p, brz_ctx *ctx, const side_record *r)
{
    brz_str words = r->what, first = word_next(&words);
    if (brz_str_equal(first, BRZ_STR("SWITCH")) || brz_str_equal(first, BRZ_STR("SWITCH_CPU_WIDE")))
        return take_switch(p, ctx, r, words);
    if (brz_starts_with(first, BRZ_STR("FORK(")) && r->time > 0) /* 0: it runs already */
        off_cpu_begin(&p->off, ctx, thread_in(first));
    else if (brz_starts_with(first, BRZ_STR("EXIT(")))
        off_cpu_end(&p->off, ctx, thread_in(first));
    else if (brz_str_equal(first, BRZ_STR("LOST")) || brz_str_equal(first, BRZ_STR("LOST_SAMPLES")))
        off_cpu_lose(&p->off, ctx, r->cpu);
    return BRZ_OK;
}

brz_rc side_record_take(perf *p, brz_ctx *ctx, brz_str line)
{
    side_record r;
    if (!parse(line, &r))
        return BRZ_OK;
    brz_rc rc = sample_end(p, ctx); /* which may be one without a stack */
    return rc == BRZ_OK ? take(p, ctx, &r) : rc;
}
