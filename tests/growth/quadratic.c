/* SPDX-License-Identifier: MIT */
/* Collapses lines, and can look at the rest of the input for each of them: the faults that the
 * tests of growth must find. */
#include <brazier/plugin.h>

#include <string.h>

struct config {
    bool walk;   /* byte by byte */
    bool search; /* with vectors */
};

static int32_t sniff(const brz_head *head)
{
    (void)head;
    return BRZ_SNIFF_NO;
}

/* Returns the number of bytes in a text that equal its first one. */
static int64_t walk(const uint8_t *text, size_t n)
{
    int64_t equal = 0;
    for (const volatile uint8_t *at = text; at < text + n; at++)
        equal += *at == text[0];
    return equal;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const struct config *config = ctx->cfg;
    const uint8_t *at = chunk->data, *end = at + chunk->len;
    int64_t lines = 0, found = 0;
    for (const uint8_t *next; at < end; at = next, lines++) {
        next = memchr(at, '\n', (size_t)(end - at));
        next = next == NULL ? end : next + 1;
        if (config->walk)
            found += walk(at, (size_t)(end - at));
        if (config->search)
            found += memchr(at, 0, (size_t)(end - at)) != NULL;
    }
    *used = chunk->len;
    brz_frame frame = ctx->host->intern(ctx, "lines", 5);
    return ctx->host->emit(ctx, &frame, 1, lines + (found & 1), 0);
}

#define FLAG(name_)                                                                                \
    {                                                                                              \
        .name = #name_, .type = BRZ_OPTION_BOOL, .offset = offsetof(struct config, name_),         \
        .help = "look at the rest of the input for each line"                                      \
    }

static const brz_option options[] = {FLAG(walk), FLAG(search)};

static const brz_collapser collapser = {
    .struct_size = sizeof(brz_collapser),
    .flags = BRZ_WHOLE_INPUT,
    .sniff = sniff,
    .parse = parse,
};

static const brz_component component = {
    .struct_size = sizeof(brz_component),
    .kind = BRZ_COLLAPSER,
    .id = "quadratic",
    .summary = "Lines, slowly",
    .vtable = &collapser,
    .options = options,
    .n_options = BRZ_COUNT_OF(options),
    .option_size = sizeof(brz_option),
    .cfg_size = sizeof(struct config),
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("quadratic", "1.0", "MIT", "https://example.org/quadratic", components)
