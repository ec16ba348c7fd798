/* SPDX-License-Identifier: MIT */
/* Its option has another default in each process that loads it. */
#include <brazier/plugin.h>

#include <stdio.h>
#include <unistd.h>

static char number[32] = "0";
static const brz_option options[] = {
    {.name = "number", .type = BRZ_OPTION_INT, .dflt = number, .help = "a number"},
};

__attribute__((constructor)) static void begin(void)
{
    snprintf(number, sizeof number, "%ld", (long)getpid());
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_frame frame = ctx->host->intern(ctx, "zoo", 3);
    *used = chunk->len;
    return ctx->host->emit(ctx, &frame, 1, 1, 0);
}

static const brz_collapser collapser = {.struct_size = sizeof collapser, .parse = parse};
static const brz_component component = {.struct_size = sizeof component,
                                        .kind = BRZ_COLLAPSER,
                                        .id = "zoo",
                                        .summary = "lines of a zoo",
                                        BRZ_OPTIONS(options, int64_t),
                                        .vtable = &collapser};
static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("changing", "1.0", "MIT", "https://example.org/zoo", components)
