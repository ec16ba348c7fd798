/* Counts what a recording lacks. */
#include "losses.h"

#include <string.h>

static void say(brz_ctx *ctx, int32_t severity, const char *code, uint64_t count, uint64_t records,
                const char *text)
{
    brz_diag d = {.struct_size = sizeof d, .severity = severity, .code = code};
    if (count == 0)
        return;
    d.msg = brz_str_of(text, strlen(text));
    d.count = count;
    d.records = records;
    ctx->host->diag(ctx, &d);
}

void losses_report(const losses *l, brz_ctx *ctx)
{
    uint64_t lost = l->lost > l->lost_samples ? l->lost : l->lost_samples;
    say(ctx, BRZ_WARNING, "perf-data.lost", lost, 0,
        "the kernel lost records because perf record could not keep up: {count}");
    say(ctx, BRZ_WARNING, "perf-data.throttled", l->throttled, 0,
        "the kernel took fewer samples than asked for, because they took too long: {count} times");
    say(ctx, BRZ_WARNING, "perf-data.map-timeout", l->map_timeouts, 0,
        "mappings of processes are incomplete because reading them took too long: {count}");
    say(ctx, BRZ_WARNING, "perf-data.aux-lost", l->aux_lost, 0,
        "hardware traces have gaps: {count}");
    say(ctx, BRZ_NOTE, "perf-data.aux", l->aux, 0, "hardware traces are not decoded: {count}");
    say(ctx, BRZ_WARNING, "perf-data.type", l->unknown_type, 0,
        "records of unknown types are skipped: {count}");
    say(ctx, BRZ_WARNING, "perf-data.no-event", l->unknown_event, l->unknown_event,
        "samples of events that the recording does not describe are left out: {count}");
    say(ctx, BRZ_WARNING, "perf-data.chain", l->bad_chains, 0,
        "call chains with an unknown marker count for their leaf only: {count}");
    say(ctx, BRZ_WARNING, "perf-data.deferred", l->deferred, 0,
        "deferred call chains of user code are not read: {count}");
    say(ctx, BRZ_WARNING, "perf-data.stacks", l->not_unwound, 0,
        "copies of user stacks are not unwound: their callers are missing in {count} samples");
    say(ctx, BRZ_WARNING, "perf-data.events", l->no_column, l->no_column,
        "more than 255 events have samples: those of the others are left out: {count}");
    say(ctx, BRZ_WARNING, "perf-data.payload", l->bad_payloads, 0,
        "switches and wake-ups without the fields that the recording describes are not used: "
        "{count}");
    say(ctx, BRZ_NOTE, "perf-data.no-frames", l->no_frames, l->no_frames,
        "samples without a frame are left out: {count}");
}
