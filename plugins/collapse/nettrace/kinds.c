/* SPDX-License-Identifier: MIT */
/* Knows the kinds of events that matter, by the ids of their descriptions. */
#include "kinds.h"

#include <brazier/json.h>
#include <brazier/symbol.h>

/* Takes a character, or U+FFFD for a surrogate without its pair. */
static uint32_t take_character(brz_bytes *b)
{
    uint32_t first = brz_bytes_u16(b);
    if (first < 0xd800 || first > 0xdfff)
        return first;
    brz_bytes next = *b;
    uint32_t second = brz_bytes_u16(&next);
    if (first > 0xdbff || second < 0xdc00 || second > 0xdfff)
        return 0xfffd;
    *b = next;
    return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
}

brz_str take_utf16(brz_bytes *b, brz_ctx *ctx)
{
    brz_bytes scan = *b;
    size_t n = 0;
    while (brz_bytes_u16(&scan) != 0)
        n++;
    char *to = ctx->host->alloc(ctx, 3 * n + 4, 1);
    size_t len = 0;
    for (uint32_t c = take_character(b); c != 0; c = take_character(b))
        len += brz_json_put_utf8(c, to + len);
    return brz_str_of(to, len);
}

/* The events that matter, by the name of their provider and their number there. */
static const struct {
    const char *provider;
    uint32_t first, last;
    event_kind kind;
} known[] = {
    {"Microsoft-DotNETCore-SampleProfiler", 0, 0, EVENT_SAMPLE},
    {"Microsoft-Windows-DotNETRuntimeRundown", 143, 144, EVENT_METHOD},
    {"Microsoft-Windows-DotNETRuntimeRundown", 153, 154, EVENT_MODULE},
    {"Microsoft-Windows-DotNETRuntime", 143, 143, EVENT_METHOD},
    {"Microsoft-Windows-DotNETRuntime", 152, 152, EVENT_MODULE},
};

static event_kind find_known(brz_str provider, uint32_t number)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(known); i++)
        if (number >= known[i].first && number <= known[i].last &&
            brz_str_is(provider, known[i].provider))
            return known[i].kind;
    return EVENT_OTHER;
}

static void read_description(kinds *k, brz_ctx *ctx, brz_bytes b)
{
    uint32_t id = brz_bytes_u32(&b);
    brz_str provider = take_utf16(&b, ctx);
    uint32_t number = brz_bytes_u32(&b);
    event_kind kind = find_known(provider, number);
    brz_bytes_warn(ctx, &b, "nettrace.description");
    if (b.error == NULL && id < SMALL_IDS)
        k->of_small[id] = (uint8_t)kind;
    else if (b.error == NULL && kind != EVENT_OTHER)
        pair_map_put(&k->of, ctx, id, 0, (uint32_t)kind);
}

void kinds_read(kinds *k, brz_ctx *ctx, const block *b)
{
    events e;
    events_start(&e, b);
    while (events_next(&e))
        read_description(k, ctx, e.last.payload);
    brz_bytes_warn(ctx, &e.bytes, "nettrace.metadata");
}
