/* SPDX-License-Identifier: MIT */
/* Walks through the objects of a trace, and through the events and stacks in its blocks.
 *
 *     trace  := "Nettrace" 20 "!FastSerialization.1" object* 1
 *     object := 5 type content 6
 *     type   := 5 1 version:4 least-version:4 length:4 name 6
 *
 * All integers are little-endian. The content of an object "Trace" has a fixed size. Those of
 * others are blocks: a length, zeros up to the next multiple of 4 bytes in the file, and so many
 * bytes.
 */
#ifndef NETTRACE_BLOCKS_H
#define NETTRACE_BLOCKS_H

#include <brazier/binary.h>

typedef enum block_kind {
    BLOCK_TRACE,
    BLOCK_METADATA,
    BLOCK_EVENTS,
    BLOCK_STACKS,
    BLOCK_SEQUENCE, /* a point from which ids of stacks are given again */
    BLOCK_OTHER,
} block_kind;

typedef struct block {
    block_kind kind;
    brz_bytes bytes;
} block;

/* Starts after the headline of a trace. Makes the cursor fail for other data. */
void blocks_start(brz_bytes *b);

/* Reads the next object. Returns false at the end, and where the cursor fails. A block that is cut
 * off has the bytes that are there; the cursor then has its error. */
bool blocks_next(brz_bytes *b, block *to);

/* An event, or the description of a kind of events. */
typedef struct event {
    uint32_t metadata; /* id of its description; 0: the event is one */
    uint32_t sequence; /* its number among those of the thread that wrote it */
    uint64_t writer;   /* that thread */
    uint64_t thread;
    uint32_t processor;
    uint32_t stack; /* id */
    uint64_t time;
    brz_bytes payload;
} event;

/* The events of a block. */
typedef struct events {
    brz_bytes bytes;
    bool is_compressed;
    event last;
    uint32_t payload_size;
} events;

/* Starts to read a block of events or metadata. */
void events_start(events *e, const block *b);

/* Reads the next event into e->last. Returns false at the end, and where e->bytes fails. */
bool events_next(events *e);

/* The same, but only `metadata` and `payload` of e->last are valid. */
bool events_next_payload(events *e);

#endif
