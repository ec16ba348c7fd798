/* SPDX-License-Identifier: MIT */
/* Has texts that add a line to a list, and that change the direction of text. */
#include <brazier/plugin.h>

#define RIGHT_TO_LEFT "\xe2\x80\xae"

struct config {
    int64_t number;
};

static const brz_option options[] = {
    BRZ_OPTION(struct config, "number", INT, number, "7", "a number" RIGHT_TO_LEFT "rebmun"),
};

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    (void)ctx;
    *used = chunk->len;
    return BRZ_OK;
}

static const brz_collapser collapser = {.struct_size = sizeof collapser, .parse = parse};

static const brz_component component = {.struct_size = sizeof component,
                                        .kind = BRZ_COLLAPSER,
                                        .id = "zoo",
                                        .summary = "odd" RIGHT_TO_LEFT "ddo\ncollapser perf",
                                        .help = "First line" RIGHT_TO_LEFT "\nsecond line",
                                        .vtable = &collapser,
                                        BRZ_OPTIONS(options, struct config)};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("odd", "1", "MIT", "", components)
