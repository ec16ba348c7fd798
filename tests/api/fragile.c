/* SPDX-License-Identifier: MIT */
/* Collapses the format "fragile": counts lines, and crashes at a line that begins with "crash". */
#include <brazier/plugin.h>

#include <signal.h>
#include <string.h>

static int32_t sniff(const brz_head *head)
{
    (void)head;
    return BRZ_SNIFF_NO;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_frame frame = ctx->host->intern(ctx, "lines", 5);
    int64_t lines = 0;
    for (size_t i = 0; i < chunk->len; i++)
        lines += chunk->data[i] == '\n';
    if (chunk->len >= 5 && memcmp(chunk->data, "crash", 5) == 0)
        raise(SIGSEGV);
    *used = chunk->len;
    return ctx->host->emit(ctx, &frame, 1, lines, 0);
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .sniff = sniff,
    .parse = parse,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "fragile",
    .summary = "counts lines, unless it crashes",
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};
BRZ_PLUGIN("fragile", "1.0", "MIT", "nowhere", components)
