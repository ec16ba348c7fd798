/* SPDX-License-Identifier: MIT */
/* Has hints, and says on standard error that it is loaded. */
#include <brazier/plugin.h>

#include <string.h>
#include <unistd.h>

#ifndef ID
#define ID "zoo"
#endif

__attribute__((constructor)) static void begin(void)
{
    if (write(2, "loaded\n", 7) != 7)
        _exit(99);
}

static int32_t sniff(const brz_head *head)
{
    return head->len >= 8 && memcmp(head->data, "zoo says", 8) == 0 ? BRZ_SNIFF_MAGIC
                                                                    : BRZ_SNIFF_NO;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_frame frame = ctx->host->intern(ctx, "zoo", 3);
    *used = chunk->len;
    return ctx->host->emit(ctx, &frame, 1, 1, 0);
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser, .sniff = sniff, .parse = parse};
static const brz_component component = {.struct_size = sizeof component,
                                        .kind = BRZ_COLLAPSER,
                                        .id = ID,
                                        .summary = "lines of a zoo",
                                        .vtable = &collapser};
static const brz_component *const components[] = {&component, NULL};

BRZ_HINTS(BRZ_IF_CONTAINS("zoo says"))

BRZ_PLUGIN("hinted", "1.0", "MIT", "https://example.org/zoo", components)
