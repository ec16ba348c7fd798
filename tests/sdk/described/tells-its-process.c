/* SPDX-License-Identifier: MIT */
/* Shows in which process its constructor ran: in the summary of its components, and in frames. It
 * has components of two kinds, and options with a rule. */
#include <brazier/plugin.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct config {
    int64_t number;
    brz_str word;
};

static const brz_option options[] = {
    BRZ_OPTION(struct config, "number", INT, number, "7", "a number that is not 13"),
    BRZ_OPTION(struct config, "word", STR, word, "none", "a word"),
};

static char summary[64] = "nobody has loaded this";
static long loaded_in;

__attribute__((constructor)) static void begin(void)
{
    loaded_in = (long)getpid();
    snprintf(summary, sizeof summary, "loaded by %ld", loaded_in);
}

static int32_t sniff(const brz_head *head)
{
    return head->len >= 8 && memcmp(head->data, "zoo says", 8) == 0 ? BRZ_SNIFF_MAGIC
                                                                    : BRZ_SNIFF_NO;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const struct config *cfg = ctx->cfg;
    char name[64];
    *used = chunk->len;
    int n = snprintf(name, sizeof name, "in %ld", (long)getpid() == loaded_in ? loaded_in : 0);
    brz_frame frames[] = {ctx->host->intern(ctx, name, (uint64_t)n),
                          ctx->host->intern(ctx, cfg->word.data, cfg->word.len)};
    return ctx->host->emit(ctx, frames, 2, cfg->number, 0);
}

static void validate(const void *cfg, brz_option_faults *faults)
{
    if (((const struct config *)cfg)->number == 13)
        faults->add(faults, "number", 0, BRZ_STR("is unlucky"));
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser, .sniff = sniff, .parse = parse};

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    (void)ctx;
    (void)in;
    return 0x123456ffu;
}

static const brz_palette palette = {.struct_size = sizeof palette, .color = color};

static const brz_component components_of_both[] = {
    {.struct_size = sizeof(brz_component),
     .kind = BRZ_COLLAPSER,
     .id = "zoo",
     .summary = summary,
     .vtable = &collapser,
     .validate = validate,
     BRZ_OPTIONS(options, struct config)},
    {.struct_size = sizeof(brz_component),
     .kind = BRZ_PALETTE,
     .id = "zoo",
     .summary = summary,
     .vtable = &palette},
};

static const brz_component *const components[] = {&components_of_both[0], &components_of_both[1],
                                                  NULL};

BRZ_PLUGIN("tells", "1.0", "MIT", "https://example.org/zoo", components)
