/* SPDX-License-Identifier: MIT */
/* Knows the kinds of events that matter, by the ids of their descriptions. */
#ifndef NETTRACE_KINDS_H
#define NETTRACE_KINDS_H

#include "../../common/pair_map.h"
#include "blocks.h"

typedef enum event_kind {
    EVENT_OTHER,
    EVENT_SAMPLE, /* a stack of a thread */
    EVENT_METHOD, /* code of a method, with its names */
    EVENT_MODULE,
} event_kind;

#define SMALL_IDS 1024

typedef struct kinds {
    uint8_t of_small[SMALL_IDS]; /* by id of the description */
    pair_map of;                 /* of other ids */
} kinds;

/* Reads the descriptions in a block of metadata. */
void kinds_read(kinds *k, brz_ctx *ctx, const block *b);

static inline event_kind kinds_find(const kinds *k, const event *e)
{
    if (e->metadata < SMALL_IDS)
        return (event_kind)k->of_small[e->metadata];
    uint32_t kind = pair_map_find(&k->of, e->metadata, 0);
    return kind == PAIR_MISS ? EVENT_OTHER : (event_kind)kind;
}

/* Takes a text of UTF-16 with a terminating 0, as UTF-8 in memory that lives as long as the
 * instance. */
brz_str take_utf16(brz_bytes *b, brz_ctx *ctx);

#endif
