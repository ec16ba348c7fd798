/* SPDX-License-Identifier: MIT */
/* A chunk of a recording, with the types and constants that its events use.
 *
 *     recording  := chunk*
 *     chunk      := "FLR\0" major minor size constants metadata start duration ticks frequency
 * flags event* event      := size type payload payload    := metadata | checkpoint | fields
 *
 * Metadata and checkpoints are events of their own, with types 0 and 1.
 */
#ifndef JFR_CHUNK_H
#define JFR_CHUNK_H

#include "types.h"

/* Types of events that have no metadata. */
#define METADATA_EVENT   0u
#define CHECKPOINT_EVENT 1u

/* The last use of a constant. Damaged metadata may use one constant as several kinds. */
enum { MADE_NOTHING, MADE_FRAME, MADE_STACK, MADE_STATE };

/* A value in the constants, of which the position in the chunk is known. */
typedef struct constant {
    uint64_t id;
    uint32_t type;        /* index */
    uint32_t made;        /* the frame or stack made of it, or whether it is sleep */
    uint64_t made_for;    /* what else determines the frame */
    const uint8_t *at;    /* the value in the chunk */
    const uint8_t *end;   /* end of the event that has it */
    uint8_t made_as;      /* MADE_NOTHING or another one */
    uint8_t is_truncated; /* the stack is incomplete */
    uint8_t reserved[6];  /* 0 */
} constant;

typedef struct constants {
    constant *items;
    size_t n, cap;
    pair_map index; /* type and id, to a position in `items` */
} constants;

/* A part of the chunk, as offsets from its start. */
typedef struct extent {
    size_t from, to;
} extent;

typedef struct chunk {
    reader reader;
    types types;
    constants constants;
    brz_bytes bytes;     /* the events */
    extent *checkpoints; /* payloads of checkpoints */
    size_t n_checkpoints, checkpoints_cap;
    brz_bytes metadata; /* payload of the metadata */
    bool has_metadata;
    uint64_t n_events;    /* before damage */
    const uint8_t *start; /* of the header */
    size_t len;           /* with the header */
    uint64_t constants_offset, metadata_offset;
    int64_t start_ns, duration_ns;
    uint64_t start_ticks, frequency; /* frequency: ticks per second, not 0 */
    uint64_t steps;                  /* number of fields that may still be read or skipped */
} chunk;

/* A place in the input where a chunk begins, or could. */
typedef struct chunks {
    brz_ctx *ctx;
    const uint8_t *data, *at, *end;
    bool reports; /* reports damage: in the first of two passes */
    bool any;     /* a chunk has been found */
} chunks;

/* Moves to the next chunk and reads its header, the places of its metadata and checkpoints, and
 * its types. Damage is reported, and skipped. Returns BRZ_OK with *found, or BRZ_ERROR after
 * reporting that the input is no recording, or one of an old version. */
brz_rc chunks_next(chunks *s, chunk *c, bool *found);

/* Takes the next event: its type, and a cursor over its payload. Returns false at the end of the
 * chunk, and at damage, which chunks_next() has reported. */
bool chunk_next_event(const chunk *c, brz_bytes *events, uint64_t *type, brz_bytes *payload);

/* Converts a time of the chunk to nanoseconds since 1970, or a duration to nanoseconds. */
int64_t chunk_time(const chunk *c, uint64_t ticks);
int64_t chunk_span(const chunk *c, uint64_t value, span_unit unit);

#endif
