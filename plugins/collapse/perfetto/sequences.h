/* SPDX-License-Identifier: MIT */
/* Keeps what the writers of packets state for their later packets: tables of texts and messages to
 * which packets refer by number, defaults, and the thread that a sequence of packets is about.
 *
 * A sequence may declare all of that void and begin again. What it states from then on is of
 * another generation.
 */
#ifndef PERFETTO_SEQUENCES_H
#define PERFETTO_SEQUENCES_H

#include "../../common/pair_map.h"
#include "packets.h"

/* Tables: their fields in InternedData. */
enum {
    TABLE_CATEGORIES = 1,
    TABLE_EVENT_NAMES = 2,
    TABLE_FUNCTIONS = 5,
    TABLE_FRAMES = 6,
    TABLE_CALLSTACKS = 7,
    TABLE_BUILD_IDS = 16,
    TABLE_PATHS = 17,
    TABLE_SOURCE_PATHS = 18,
    TABLE_MAPPINGS = 19,
    TABLE_TASKS = 48,
    TABLE_EXECUTIONS = 49,
    TABLE_COUNTERS = 50,
    TABLE_TEXTS = 64, /* all texts of a table that a heap profile has of its own */
};

/* Flag of the generation of such tables. */
#define OWN_TABLES (1u << 31)

/* An entry of a table. */
typedef struct interned {
    brz_str text;   /* a text, or a message */
    const char *at; /* for messages about it */
    uint32_t made;  /* what was made of it, from 1; 0: nothing yet */
} interned;

typedef struct sequence {
    uint32_t id;
    uint32_t generation;
    bool is_valid;     /* nothing was lost since it began this generation */
    brz_str defaults;  /* message */
    uint32_t clock;    /* default clock; 0: that of the trace */
    uint64_t track;    /* default track; 0: none */
    uint32_t sampling; /* number of its counters, from 1; 0: unknown */
    bool has_thread, has_reference, is_whole;
    int64_t process, thread;
    int64_t reference;       /* time to which differences are added, in nanoseconds */
    uint32_t own_generation; /* of the tables in heap profiles */
} sequence;

typedef struct sequences {
    brz_ctx *ctx;
    sequence *items;
    size_t n, cap;
    size_t last; /* index of the one that was found last, or `n` */
    pair_map by_id;
    interned *entries;
    size_t n_entries, entries_cap;
    pair_map by_key;
    uint32_t generations;
    uint64_t invalid; /* packets that refer to what was lost */
} sequences;

void sequences_init(sequences *s, brz_ctx *ctx);

/* Returns the sequence of a packet, after all that the packet states for it. Returns NULL if the
 * packet refers to what was lost, and counts that. The pointer is valid until the next call. */
sequence *sequences_enter(sequences *s, const packet *p);

/* Begins a generation. Returns its number. */
uint32_t sequences_generation(sequences *s);

/* Adds an entry, a message with a number, to a table. The first entry with a number counts. */
void sequences_add(sequences *s, uint32_t generation, uint32_t table, brz_bytes message,
                   const char *at);

/* Returns an entry of a table, or NULL. The pointer is valid until an entry is added. */
interned *sequences_find(const sequences *s, uint32_t generation, uint32_t table, uint64_t number);

/* Returns a text of a table. Warns if the table does not have it, and returns an empty one. */
brz_str sequences_text(const sequences *s, uint32_t generation, uint32_t table, uint64_t number,
                       const char *at);

/* Takes what a descriptor of a thread says of the sequence. */
void sequence_take_thread(sequence *s, brz_bytes message);

#endif
