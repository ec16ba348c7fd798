/* SPDX-License-Identifier: MIT */
/* Counts what a recording lacks. */
#include "losses.h"

#include <stdio.h>
#include <string.h>

/* The bytes of the largest copy of a stack that the kernel makes, and of the next one to try. */
#define STACK_MAX    65528u
#define STACK_COPIED 16384u

/* Sizes of copies are advised in steps of bytes. */
#define STACK_STEP 1024u

static void say(brz_ctx *ctx, int32_t severity, const char *code, uint64_t count, uint64_t records,
                const char *text)
{
    brz_report_count(ctx, severity, code, count, records, brz_str_of_text(text));
}

/* ---- stacks --------------------------------------------------------------------------------- */

/* The message for a reason why stacks end early. */
typedef struct end_text {
    const char *code, *found;
    const char *remedy; /* NULL: larger copies */
} end_text;

static const end_text end_texts[UNWIND_ENDS] = {
    [UNWIND_IMPOSSIBLE] = {"quality.stack-machine", "{is|are} not unwound",
                           "only those of 64-bit programs on x86-64 and arm64 can be; "
                           "--call-graph fp needs no unwinding"},
    [UNWIND_CUT] = {"quality.stack-cut", "{is|are} cut off where {its|their} copy ends", NULL},
    [UNWIND_ABSENT] = {"quality.stack-absent", "{ends|end} at memory that could not be copied",
                       "a function has reserved it and not used it yet; larger copies do not help, "
                       "--call-graph fp does if the code has frame pointers"},
    [UNWIND_NO_RULES] = {"quality.stack-rules", "{stops|stop} in code without unwind tables",
                         "compile it with -fasynchronous-unwind-tables or frame pointers (java: "
                         "-XX:+PreserveFramePointer), or name its files with --sysroot"},
    [UNWIND_UNMAPPED] = {"quality.stack-unmapped", "{stops|stop} where no code is mapped",
                         "a mapping was lost, or the unwind tables of the caller are wrong"},
    [UNWIND_BAD_STACK] = {"quality.stack-broken", "{stops|stop} at a frame that cannot be right",
                          "the unwind tables do not fit the code, or a register is not recorded"},
    [UNWIND_ELSEWHERE] = {"quality.stack-elsewhere",
                          "{continues|continue} on another stack, which is not copied",
                          "record C that Go calls, and handlers of signals on stacks of their own, "
                          "with --call-graph fp; C needs -fno-omit-frame-pointer"},
    [UNWIND_DEEP] = {"quality.stack-deep", "{has|have} more than 1024 frames",
                     "the outer ones are left out"},
};

/* Returns a size of copies with some room for stacks that are larger. */
static uint64_t with_room(uint64_t needed)
{
    return (needed + needed / 8 + STACK_STEP) / STACK_STEP * STACK_STEP;
}

/* Returns the size of copies to try: what the largest stack needs, or twice as much as now if the
 * ends of some are not known. */
static uint64_t size_to_try(uint32_t size, const losses *l)
{
    uint64_t twice = size < STACK_COPIED / 2 ? STACK_COPIED : 2 * (uint64_t)size;
    uint64_t known = l->stack_needed > size ? with_room(l->stack_needed) : 0;
    uint64_t unknown = l->stack_at_least > size ? with_room(l->stack_at_least) : 0;
    if (known == 0 || unknown > 0)
        unknown = unknown > twice ? unknown : twice;
    return known > unknown ? known : unknown;
}

/* Writes how copies of stacks become larger than `size` bytes. */
static void enlarge(char *text, size_t room, uint32_t size, const losses *l)
{
    uint64_t larger = size_to_try(size, l);
    uint64_t needed = l->stack_needed > l->stack_at_least ? l->stack_needed : l->stack_at_least;
    if (needed > STACK_MAX)
        snprintf(text, room,
                 "they take up to %llu KiB, and the kernel copies at most 64 KiB; record with "
                 "--call-graph fp, if the code has frame pointers",
                 (unsigned long long)(needed / 1024 + 1));
    else if (size < STACK_MAX)
        snprintf(text, room, "record more of each: --call-graph dwarf,%llu",
                 (unsigned long long)(larger < STACK_MAX ? larger : STACK_MAX));
    else
        snprintf(text, room,
                 "they are as large as the kernel makes them; record with --call-graph "
                 "fp, if the code has frame pointers");
}

/* Reports why stacks that were unwound end early. */
static void report_ends(const losses *l, const losses_of *of, brz_ctx *ctx)
{
    uint64_t sum = 0;
    char larger[160], text[360];
    enlarge(larger, sizeof larger, of->stack_copied, l);
    for (int i = 0; i < UNWIND_ENDS; i++)
        sum += l->ends[i];
    for (int i = UNWIND_COMPLETE + 1; i < UNWIND_ENDS; i++) {
        const end_text *t = &end_texts[i];
        snprintf(text, sizeof text, "{count} of %llu copied stacks %s: %s", (unsigned long long)sum,
                 t->found, t->remedy != NULL ? t->remedy : larger);
        bool is_consequence = i == UNWIND_NO_RULES && of->lacks_files;
        bool is_few = l->ends[i] * 100 < sum;
        say(ctx,
            i == UNWIND_IMPOSSIBLE     ? BRZ_WARNING
            : is_few || is_consequence ? BRZ_DEBUG
                                       : BRZ_NOTE,
            t->code, l->ends[i], 0, text);
    }
}

/* ---- records -------------------------------------------------------------------------------- */

/* Reports losses of the kernel and of perf. */
static void report_lost(const losses *l, const losses_of *of, brz_ctx *ctx)
{
    uint64_t lost = l->lost > l->lost_samples ? l->lost : l->lost_samples;
    say(ctx, lost * 100 < of->n_samples ? BRZ_DEBUG : BRZ_WARNING, "quality.lost", lost, 0,
        of->stack_copied > 0
            ? "{count} {record was|records were} lost: the recorder could not keep up; record with "
              "a lower -F, less of each stack (--call-graph dwarf,4096), or larger buffers (perf "
              "record -m 16M)"
            : "{count} {record was|records were} lost: the recorder could not keep up; record with "
              "a lower -F, or larger buffers (perf record -m 16M)");
    say(ctx, BRZ_WARNING, "quality.throttled", l->throttled, 0,
        "the kernel throttled the sampling {count} {time|times}: there are fewer samples than "
        "asked for; "
        "record with a lower -F, or raise kernel.perf_cpu_time_max_percent");
    say(ctx, BRZ_WARNING, "quality.map-timeout", l->map_timeouts, 0,
        "{count} {mapping of a process was|mappings of processes were} read too late: code in them "
        "has no names; record with "
        "--proc-map-timeout 5000");
    say(ctx, BRZ_WARNING, "quality.trace-gaps", l->aux_lost, 0,
        "{count} {piece of a hardware trace has a gap|pieces of hardware traces have gaps}: record "
        "with larger buffers (-m ,64M)");
}

/* Reports hardware traces, by pieces or, without their data, by threads. */
static void report_traces(const losses *l, brz_ctx *ctx)
{
    char text[160];
    snprintf(text, sizeof text,
             "hardware traces are not decoded: {count} %s, %llu bytes; `perf script --itrace=i` "
             "makes samples of them",
             l->aux > 0 ? "{piece|pieces}" : "{thread|threads}", (unsigned long long)l->aux_bytes);
    say(ctx, BRZ_NOTE, "perf-data.aux", l->aux > 0 ? l->aux : l->traces, 0, text);
}

void losses_report_late(uint64_t count, brz_ctx *ctx)
{
    say(ctx, BRZ_WARNING, "perf-data.order", count, 0,
        "records came too late to be put in the order of time: {count}");
}

void losses_report(const losses *l, const losses_of *of, brz_ctx *ctx)
{
    report_lost(l, of, ctx);
    report_traces(l, ctx);
    say(ctx, BRZ_WARNING, "perf-data.type", l->unknown_type, 0,
        "records of unknown types are skipped: {count}");
    say(ctx, BRZ_WARNING, "perf-data.no-event", l->unknown_event, l->unknown_event,
        "samples of events that the recording does not describe are left out: {count}");
    say(ctx, BRZ_WARNING, "perf-data.chain", l->bad_chains, 0,
        "call chains with an unknown marker count for their leaf only: {count}");
    say(ctx, BRZ_WARNING, "quality.deferred", l->deferred, 0,
        "{count} {sample lacks|samples lack} the user part of {its stack|their stacks}: the kernel "
        "did not record the chains "
        "that it deferred");
    report_ends(l, of, ctx);
    say(ctx, BRZ_WARNING, "perf-data.events", l->no_column, l->no_column,
        "more than 255 events have samples: those of the others are left out: {count}");
    say(ctx, BRZ_WARNING, "perf-data.payload", l->bad_payloads, 0,
        "switches and wake-ups without the fields that the recording describes are not used: "
        "{count}");
    say(ctx, BRZ_NOTE, "perf-data.no-frames", l->no_frames, l->no_frames,
        "samples without a frame are left out: {count}");
}
