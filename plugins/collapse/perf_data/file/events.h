/* SPDX-License-Identifier: MIT */
/* The events of a recording: their attributes, names and ids. */
#ifndef PERF_DATA_EVENTS_H
#define PERF_DATA_EVENTS_H

#include "counters.h"
#include "../../../common/pair_map.h"
#include "../../../common/words.h"

#include <brazier/text/buffer.h>

/* Bits of sample_type. */
#define SAMPLE_IP           (UINT64_C(1) << 0)
#define SAMPLE_TID          (UINT64_C(1) << 1)
#define SAMPLE_TIME         (UINT64_C(1) << 2)
#define SAMPLE_ADDR         (UINT64_C(1) << 3)
#define SAMPLE_READ         (UINT64_C(1) << 4)
#define SAMPLE_CALLCHAIN    (UINT64_C(1) << 5)
#define SAMPLE_ID           (UINT64_C(1) << 6)
#define SAMPLE_CPU          (UINT64_C(1) << 7)
#define SAMPLE_PERIOD       (UINT64_C(1) << 8)
#define SAMPLE_STREAM_ID    (UINT64_C(1) << 9)
#define SAMPLE_RAW          (UINT64_C(1) << 10)
#define SAMPLE_BRANCH_STACK (UINT64_C(1) << 11)
#define SAMPLE_REGS_USER    (UINT64_C(1) << 12)
#define SAMPLE_STACK_USER   (UINT64_C(1) << 13)
#define SAMPLE_IDENTIFIER   (UINT64_C(1) << 16)

/* Bits of the flags. */
#define ATTR_INHERIT        (UINT64_C(1) << 1)
#define ATTR_FREQ           (UINT64_C(1) << 10)
#define ATTR_SAMPLE_ID_ALL  (UINT64_C(1) << 18)
#define ATTR_CONTEXT_SWITCH (UINT64_C(1) << 26)

/* Bit of branch_type: the branches are calls that have not returned. */
#define BRANCH_CALL_STACK (UINT64_C(1) << 11)

/* Size of the first version of perf_event_attr. */
#define ATTR_SIZE_MIN 64

/* Bits of read_format. */
#define READ_ENABLED 1u
#define READ_RUNNING 2u
#define READ_ID      4u
#define READ_GROUP   8u
#define READ_LOST    16u

/* A field of a payload by which samples are weighed. */
typedef struct event_field {
    uint32_t offset, size; /* size 0: the event does not have it */
    bool is_signed;
} event_field;

/* Types of events. */
enum { TYPE_SOFTWARE = 1, TYPE_TRACEPOINT = 2, TYPE_BREAKPOINT = 5 };

typedef struct event {
    uint32_t type;
    uint64_t config;
    uint64_t sample_period; /* or frequency, with ATTR_FREQ */
    uint64_t sample_type, read_format, flags;
    uint64_t branch_type, user_registers;
    uint32_t stack_copied; /* bytes of the stack that samples copy at most */
    brz_str name;          /* copied; empty: unknown */
    uint32_t column;       /* the host's; BRZ_NO_FRAME: not declared yet */
    size_t id_at, time_at; /* 1 + offsets of the fields in a sample; 0: absent */
    bool is_plain;         /* samples have a thread, a time, a call chain, and nothing after it */
    uint8_t ip_at;         /* offset of the address in a plain sample; thread and time follow */
    uint8_t cpu_at;        /* likewise, of these fields; 0: absent */
    uint8_t period_at;
    uint8_t chain_at;
    size_t trailer;         /* size of the trailer of other records */
    size_t trailer_id_back; /* distance of the id from the end of a record; 0: absent */
    size_t trailer_time_back;
    enum counter_scope scope; /* of the counters in samples */
    uint64_t lost;            /* records that LOST_SAMPLES counts */
    event_field *fields;      /* in the order of the option weight-field; NULL: none described */
    uint32_t *field_columns;  /* those of the fields; NULL: no sample yet */
} event;

typedef struct events {
    event *items;
    size_t n, cap;
    pair_map ids;   /* (id, 0) to position */
    bool by_id;     /* records carry ids: there are several events */
    size_t id_at;   /* of all events in samples; 0: they differ */
    size_t id_back; /* likewise in trailers */
    brz_text scratch;
} events;

void events_init(events *e, brz_ctx *ctx);

/* Adds an event from its attributes: `b` is a perf_event_attr of any version, whose size field is
 * believed as far as `b` reaches. Returns its position, or BRZ_NO_FRAME if it is damaged. */
uint32_t events_add(events *e, brz_ctx *ctx, brz_bytes b);

/* Maps an id to an event. */
void events_add_id(events *e, brz_ctx *ctx, uint64_t id, uint32_t position);

/* Returns the event with an id, or NULL. */
event *events_of_id(const events *e, uint64_t id);

/* Returns the bytes of the stack that samples of any event copy at most. */
uint32_t events_stack_copied(const events *e);

/* Names an event; the first name that is not empty counts. */
void events_name(events *e, brz_ctx *ctx, uint32_t position, brz_str name);

/* Names events without a name by their type and configuration. */
void events_name_rest(events *e, brz_ctx *ctx);

/* Returns the event with an id, or NULL. A record without an id is of the first event. */
event *events_by_id(const events *e, uint64_t id);

/* Returns the event of a sample, or NULL if the recording does not describe it. `body` has `n`
 * bytes. */
static inline event *events_of_sample(const events *e, const uint8_t *body, size_t n,
                                      uint32_t order)
{
    if (e->n == 0)
        return NULL;
    if (!e->by_id || e->id_at == 0)
        return &e->items[0];
    return e->id_at - 1 + 8 <= n ? events_by_id(e, word_u64(body + e->id_at - 1, order)) : NULL;
}

/* Returns the event of another kernel record by its trailer, or NULL. */
event *events_of_trailer(const events *e, const uint8_t *body, size_t n, uint32_t order);

#endif
