/* SPDX-License-Identifier: MIT */
/* Counts samples, and judges them. */
#include "sampling.h"

#include <stdio.h>

/* The last software event that is a timer. */
#define LAST_CLOCK 1

/* The advice for stacks without callers. */
#define NO_FRAME_POINTERS                                                                          \
    "the code has no frame pointers; record with --call-graph dwarf, compile with "                \
    "-fno-omit-frame-pointer, or start java with -XX:+PreserveFramePointer"

/* Samples below this number give rough shares. */
#define FEW 100

/* Number of samples of a processor from which on their moments can be judged. */
#define ENOUGH 1000

/* Number of stacks from which on their shape can be judged. */
#define ENOUGH_STACKS 20

#define MILLISECOND SAMPLING_PERIOD

/* ---- counting ------------------------------------------------------------------------------- */

uint32_t *sampling_phases(sampling *s, brz_ctx *ctx)
{
    if (s->phases == NULL)
        s->phases =
            ctx->host->alloc(ctx, (size_t)SAMPLING_CPUS * SAMPLING_PARTS * sizeof *s->phases, 64);
    return s->phases;
}

/* ---- moments -------------------------------------------------------------------------------- */

/* Adds the samples of a processor, and the most of them that are at about the same moment. */
static void judge_cpu(const uint32_t *parts, uint64_t *all, uint64_t *same)
{
    uint64_t sum = 0, most = 0;
    for (size_t i = 0; i < SAMPLING_PARTS; i++) {
        uint64_t two = (uint64_t)parts[i] + parts[(i + 1) % SAMPLING_PARTS];
        sum += parts[i];
        most = two > most ? two : most;
    }
    *all += sum >= ENOUGH ? sum : 0;
    *same += sum >= ENOUGH ? most : 0;
}

/* Returns the whole milliseconds between samples of a timer, or 0. */
static uint64_t whole_period(const event *v)
{
    bool is_timer = v->type == TYPE_SOFTWARE && v->config <= LAST_CLOCK;
    if (!is_timer || v->column == BRZ_NO_FRAME || v->sample_period == 0)
        return 0;
    uint64_t period = v->sample_period;
    if (v->flags & ATTR_FREQ)
        period = 1000 * MILLISECOND % period == 0 ? 1000 * MILLISECOND / period : 1;
    return period % MILLISECOND == 0 ? period / MILLISECOND : 0;
}

/* ---- reporting ------------------------------------------------------------------------------ */

static void say(brz_ctx *ctx, const char *code, uint64_t count, const char *text)
{
    brz_report_count(ctx, BRZ_NOTE, code, count, 0, brz_str_of_text(text));
}

/* Reports a part of all samples. The line at the end names it from one of 100 on. */
static void say_of(brz_ctx *ctx, const char *code, uint64_t count, uint64_t of, const char *text)
{
    char whole[256];
    snprintf(whole, sizeof whole, "{count} of %llu %s", (unsigned long long)of, text);
    brz_report_count(ctx, count * 100 < of ? BRZ_DEBUG : BRZ_NOTE, code, count, 0,
                     brz_str_of_text(whole));
}

/* Reports samples that a timer takes in step with other timers. */
static void report_steps(const sampling *s, const events *e, brz_ctx *ctx)
{
    uint64_t all = 0, same = 0, period = 0;
    for (size_t i = 0; i < e->n && period == 0; i++)
        period = whole_period(&e->items[i]);
    for (size_t i = 0; i < SAMPLING_CPUS && s->phases != NULL; i++)
        judge_cpu(s->phases + i * SAMPLING_PARTS, &all, &same);
    if (period > 0)
        say(ctx, "quality.lock-step", period,
            "samples are taken every {count} ms, in step with timers: code that a timer starts is "
            "seen always or never; record with -F 997");
    else if (same > all / 5 * 4)
        say_of(ctx, "quality.lock-step", same, all,
               "samples {is|are} at the same moment of a millisecond: code that a timer starts is "
               "seen "
               "always or never; record with -F 997");
}

static void report_chains(const sampling *s, brz_ctx *ctx)
{
    if (s->n_chains == 0)
        say(ctx, "quality.no-stacks", s->n,
            "{count} {sample has|samples have} no callers: record with -g, or with --call-graph "
            "dwarf");
    bool is_single = s->n_user >= ENOUGH_STACKS && s->n_single > s->n_user / 5 &&
                     s->n_single > s->n_unmapped; /* the same cause, which is reported once */
    if (!is_single)
        say_of(ctx, "quality.frame-pointers", s->n_unmapped, s->n_user,
               "stacks {has|have} callers where no code is mapped: " NO_FRAME_POINTERS);
    if (is_single)
        say_of(ctx, "quality.single-frame", s->n_single, s->n_user,
               "user stacks {has|have} one frame: " NO_FRAME_POINTERS);
    say_of(ctx, "quality.depth", s->n_deepest, s->n_user,
           "stacks {is|are} as deep as the kernel records, so {its root is|their roots are} "
           "missing: raise "
           "kernel.perf_event_max_stack");
}

void sampling_report(const sampling *s, const events *e, brz_ctx *ctx)
{
    if (s->n < FEW)
        say(ctx, "quality.few-samples", s->n,
            "{count} {sample is little|samples are few}, so shares are rough: record longer, or "
            "with a higher -F");
    report_chains(s, ctx);
    report_steps(s, e, ctx);
}
