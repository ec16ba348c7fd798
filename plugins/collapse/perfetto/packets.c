/* SPDX-License-Identifier: MIT */
/* Walks through the packets of a trace, also those that are compressed. */
#include "packets.h"

#include <brazier/collapser.h>
#include <brazier/text/buffer.h>

#include "../../common/budget.h"
#include "../../common/quick_fields.h"
#include "unpack.h"

/* Fields of a packet. */
enum {
    PACKET_UID = 3,
    PACKET_TIME = 8,
    PACKET_SEQUENCE = 10,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_CLEARED = 41,
    PACKET_DROPPED = 42,
    PACKET_CLOCK = 58,
    PACKET_DEFAULTS = 59,
    PACKET_PID = 79,
    PACKET_FIRST = 87,
    PACKET_MACHINE = 98,
};

enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };

#define TRACE_PACKET 1 /* field of a trace */

/* ---- packets --------------------------------------------------------------------------------- */

static inline void take_number(packet *to, uint32_t number, uint64_t value)
{
    switch (number) {
    case PACKET_TIME:
        to->time = value;
        to->has_time = true;
        break;
    case PACKET_SEQUENCE:
        to->sequence = (uint32_t)value;
        break;
    case PACKET_FLAGS:
        to->clears |= (value & FLAG_CLEARED) != 0;
        to->follows = (value & FLAG_NEEDS_STATE) != 0;
        break;
    case PACKET_CLEARED:
        to->clears |= value != 0;
        break;
    case PACKET_DROPPED:
        to->after_gap = value != 0;
        break;
    case PACKET_CLOCK:
        to->clock = (uint32_t)value;
        break;
    case PACKET_FIRST:
        to->is_first = value != 0;
        break;
    default:
        break;
    }
}

/* Returns where a packet keeps the message or text with this number. */
static inline brz_bytes *message_of(packet *to, uint32_t number)
{
    if (number == PACKET_INTERNED)
        return &to->interned;
    if (number == PACKET_DEFAULTS) {
        to->has_defaults = true;
        return &to->defaults;
    }
    to->kind = number;
    return &to->data;
}

/* Starts a packet. Sets its members one by one, as most compilers clear it as a whole slowly. */
static inline void clear(packet *to, const char *at)
{
    static const brz_bytes none = {0};
    to->at = at;
    to->time = 0;
    to->clock = to->sequence = to->kind = 0;
    to->has_time = to->is_first = to->clears = to->follows = to->after_gap = false;
    to->is_damaged = to->has_defaults = false;
    to->interned = to->defaults = to->data = none;
}

/* Reads a packet of usual fields. Returns false if it has others; some of `to` is then set. */
static inline bool read_usual(packet *to, const brz_bytes *b)
{
    const uint8_t *at = b->at, *end = b->end;
    quick_field f;
    while (at < end) {
        at = quick_next(at, end, &f);
        if (at == NULL)
            return false;
        if (f.type == BRZ_PROTO_BYTES)
            quick_part(message_of(to, f.number), b, f.at, at);
        else
            take_number(to, f.number, f.value);
    }
    return true;
}

static void read_packet(packet *to, const brz_bytes *of, const char *at)
{
    clear(to, at);
    if (read_usual(to, of))
        return;
    clear(to, at);
    brz_proto_field f;
    brz_bytes b = *of;
    while (brz_proto_next(&b, &f))
        if (f.type == BRZ_PROTO_BYTES)
            *message_of(to, f.number) = f.part;
        else
            take_number(to, f.number, f.value);
    to->is_damaged = b.error != NULL;
}

/* Takes the next packet of a trace. Returns false at the end. */
static inline bool take_packet(brz_bytes *b, brz_bytes *to)
{
    quick_field quick;
    brz_proto_field f;
    if (brz_bytes_left(b) == 0)
        return false;
    const uint8_t *end = quick_next(b->at, b->end, &quick);
    if (end != NULL && quick.number == TRACE_PACKET && quick.type == BRZ_PROTO_BYTES) {
        quick_part(to, b, quick.at, end);
        b->at = end;
        return true;
    }
    while (brz_proto_next(b, &f))
        if (f.number == TRACE_PACKET && f.type == BRZ_PROTO_BYTES) {
            *to = f.part;
            return true;
        }
    return false;
}

static bool is_compressed(const packet *p)
{
    return p->kind == DATA_COMPRESSED || p->kind == DATA_COMPRESSED_ZSTD;
}

/* ---- runs ------------------------------------------------------------------------------------ */

#define LEAST_RUN 4 /* packets */

static bool is_sample(uint32_t kind)
{
    return kind == DATA_PERF_SAMPLE || kind == DATA_STACK_SAMPLE || kind == DATA_CHROME_SAMPLES;
}

/* Returns the kind of a packet of usual fields that names nothing, or 0. */
static uint32_t kind_without_names(const uint8_t *at, const uint8_t *end)
{
    quick_field f;
    uint32_t kind = 0;
    while (at < end) {
        at = quick_next(at, end, &f);
        if (at == NULL)
            return 0;
        if (f.type == BRZ_PROTO_BYTES && f.number != PACKET_INTERNED && f.number != PACKET_DEFAULTS)
            kind = f.number;
    }
    return is_sample(kind) || kind == DATA_TRACK_EVENT || kind == DATA_FTRACE ? kind : 0;
}

/* Takes packets of a trace as long as they name nothing that the first pass reads, and remembers
 * where many do. */
static void take_run(packets *p, brz_bytes *b)
{
    packet_run r = {b->at, b->at};
    bool has_samples = false;
    size_t n = 0;
    for (; r.end < b->end; n++) {
        quick_field f;
        const uint8_t *end = quick_next(r.end, b->end, &f);
        if (end == NULL || f.number != TRACE_PACKET || f.type != BRZ_PROTO_BYTES)
            break;
        uint32_t kind = kind_without_names(f.at, end);
        if (kind == 0)
            break;
        has_samples |= is_sample(kind);
        r.end = end;
    }
    b->at = r.end;
    if (n < LEAST_RUN)
        return;
    p->has_samples |= has_samples;
    p->runs = brz_list_room(p->ctx, p->runs, p->n_runs, &p->runs_cap, sizeof *p->runs);
    p->runs[p->n_runs++] = r;
}

/* Moves a walk to the end of the run that begins here. */
static void skip_run(packet_walk *w)
{
    const packets *p = w->of;
    if (w->run < p->n_runs && p->runs[w->run].start == w->outer.at)
        w->outer.at = p->runs[w->run++].end;
}

/* ---- compressed packets ---------------------------------------------------------------------- */

/* Reports damaged packets within compressed ones. */
static void check_unpacked(const packets *p, brz_str unpacked, const char *at)
{
    brz_bytes b = brz_bytes_of(unpacked.data, unpacked.len), part;
    while (take_packet(&b, &part))
        ;
    if (b.error != NULL)
        brz_report_lost(p->ctx, "perfetto.compressed", at, 0,
                        BRZ_STR("a damaged packet within compressed ones: those from there are "
                                "left out"));
}

static void unpack_packet(packets *p, const packet *from)
{
    brz_str packed = brz_str_of((const char *)from->data.at, brz_bytes_left(&from->data));
    brz_text out = {0};
    unpack_result result =
        unpack(p->ctx, packed, from->kind == DATA_COMPRESSED_ZSTD, p->budget, &out);
    if (result == UNPACK_TOO_LARGE)
        brz_report_lost(
            p->ctx, "perfetto.size", from->at, 0,
            BRZ_STR("compressed packets of an implausible size: their rest is left out"));
    else if (result == UNPACK_DAMAGED)
        brz_report_lost(p->ctx, "perfetto.compressed", from->at, 0,
                        BRZ_STR("compressed packets are damaged: those from there are left out"));
    else
        check_unpacked(p, brz_text_str(&out), from->at);
    p->budget -= out.len;
    p->unpacked = brz_list_room(p->ctx, p->unpacked, p->n_unpacked, &p->cap, sizeof *p->unpacked);
    p->unpacked[p->n_unpacked++] = brz_text_str(&out);
}

void packets_init(packets *p, brz_ctx *ctx, const uint8_t *data, size_t len)
{
    *p = (packets){.ctx = ctx, .data = data, .len = len, .budget = budget_of(len)};
    brz_bytes b = brz_bytes_of(data, len), part;
    packet one;
    take_run(p, &b);
    while (take_packet(&b, &part)) {
        read_packet(&one, &part, (const char *)part.at);
        if (is_compressed(&one))
            unpack_packet(p, &one);
        take_run(p, &b);
    }
    if (b.error != NULL)
        BRZ_WARN(ctx, "perfetto.cut", b.error_at, 0,
                 "the input ends or is damaged here: the rest is missing");
}

packet_walk packets_start(const packets *p)
{
    packet_walk w = {.of = p, .outer = brz_bytes_of(p->data, p->len)};
    w.inner = brz_bytes_of(p->data, 0);
    w.run = p->n_runs;
    return w;
}

packet_walk packets_start_at_names(const packets *p)
{
    packet_walk w = packets_start(p);
    w.run = 0;
    return w;
}

bool packets_next(packet_walk *w, packet *to)
{
    brz_bytes part;
    for (;;) {
        if (take_packet(&w->inner, &part)) {
            read_packet(to, &part, w->at);
            return true;
        }
        skip_run(w);
        if (!take_packet(&w->outer, &part))
            return false;
        read_packet(to, &part, (const char *)part.at);
        if (!is_compressed(to))
            return true;
        brz_str unpacked = w->of->unpacked[w->taken++];
        w->inner = brz_bytes_of(unpacked.data, unpacked.len);
        w->at = to->at;
    }
}

/* ---- format detection ------------------------------------------------------------------------ */

#define LOOKED_AT  64   /* number of packets */
#define LAST_FIELD 2000 /* the largest number of a field of packets */

static bool is_number_field(uint32_t number)
{
    static const uint8_t numbers[] = {PACKET_UID,   PACKET_TIME,    PACKET_SEQUENCE, PACKET_FLAGS,
                                      PACKET_CLOCK, PACKET_CLEARED, PACKET_DROPPED,  PACKET_PID,
                                      PACKET_FIRST, PACKET_MACHINE};
    return number < 256 && memchr(numbers, (int)number, sizeof numbers) != NULL;
}

/* Returns whether the bytes of a packet are fields of their types, as far as they are there. Sets
 * *is_certain if it has members that packets alone have. */
static bool is_packet(brz_bytes b, bool *is_certain)
{
    brz_proto_field f;
    size_t n = 0;
    for (; brz_proto_next(&b, &f); n++) {
        bool is_number = f.type == BRZ_PROTO_VARINT;
        bool is_known = is_number_field(f.number);
        if (f.number > LAST_FIELD || (!is_number && f.type != BRZ_PROTO_BYTES) ||
            (f.number <= PACKET_MACHINE && is_number != is_known))
            return false;
        *is_certain |= f.number == PACKET_SEQUENCE || f.number == PACKET_TIME ||
                       f.number == PACKET_UID || f.number == DATA_COMPRESSED ||
                       f.number == DATA_COMPRESSED_ZSTD || f.number == DATA_TRACK;
    }
    return b.error == NULL && n > 0;
}

/* Returns whether a trace begins with compressed packets, which may be longer than `b`. */
static bool begins_compressed(brz_bytes b)
{
    if (brz_bytes_varint(&b) != (TRACE_PACKET << 3 | BRZ_PROTO_BYTES))
        return false;
    brz_bytes_varint(&b);
    uint64_t key = brz_bytes_varint(&b);
    brz_bytes_varint(&b);
    if (key == (DATA_COMPRESSED << 3 | BRZ_PROTO_BYTES))
        return brz_bytes_u8(&b) == 0x78;
    return key == (DATA_COMPRESSED_ZSTD << 3 | BRZ_PROTO_BYTES) && brz_bytes_u32(&b) == 0xfd2fb528;
}

int32_t packets_sniff(brz_bytes b)
{
    brz_proto_field f;
    bool is_certain = begins_compressed(b);
    size_t n = is_certain;
    for (; n < LOOKED_AT && brz_proto_next(&b, &f); n++)
        if (f.number != TRACE_PACKET || f.type != BRZ_PROTO_BYTES ||
            !is_packet(f.part, &is_certain))
            return BRZ_SNIFF_NO;
    if ((b.error != NULL && !b.is_cut) || n == 0)
        return BRZ_SNIFF_NO;
    return is_certain ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}
