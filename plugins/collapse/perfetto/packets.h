/* SPDX-License-Identifier: MIT */
/* Walks through the packets of a trace, also those that are compressed.
 *
 *     trace  := (1 packet)*
 *     packet := timestamp? clock? sequence? flags? interned? defaults? data?
 *
 * The data of a packet is one of many messages, or compressed packets: a trace by themselves, in
 * the format of zlib or zstd.
 */
#ifndef PERFETTO_PACKETS_H
#define PERFETTO_PACKETS_H

#include <brazier/binary.h>

/* Numbers of the fields of a packet that hold data. */
enum {
    DATA_FTRACE = 1,
    DATA_PROCESS_TREE = 2,
    DATA_CLOCKS = 6,
    DATA_TRACK_EVENT = 11,
    DATA_HEAP_PROFILE = 37,
    DATA_PROCESS = 43,
    DATA_THREAD = 44,
    DATA_SYSTEM = 45,
    DATA_COMPRESSED = 50,
    DATA_CHROME_SAMPLES = 54,
    DATA_HEAP_GRAPH = 56,
    DATA_TRACK = 60,
    DATA_SYMBOLS = 61,
    DATA_DEOBFUSCATION = 64,
    DATA_PERF_SAMPLE = 66,
    DATA_UUID = 89,
    DATA_COMPRESSED_ZSTD = 133,
    DATA_STACK_SAMPLE = 135,
};

typedef struct packet {
    const char *at; /* where it is in the input, for messages */
    uint64_t time;
    uint32_t clock;    /* 0: that of the defaults */
    uint32_t sequence; /* the writer */
    bool has_time;
    bool is_first;  /* of its sequence */
    bool clears;    /* what the sequence stated before is void */
    bool follows;   /* refers to what the sequence stated before */
    bool after_gap; /* packets of the sequence were lost before it */
    bool is_damaged;
    brz_bytes interned, defaults; /* messages, or empty */
    bool has_defaults;
    uint32_t kind; /* number of the field of its data; 0: none */
    brz_bytes data;
} packet;

/* Neighbouring packets that name nothing: samples and events. */
typedef struct packet_run {
    const uint8_t *start, *end;
} packet_run;

typedef struct packets {
    brz_ctx *ctx;
    const uint8_t *data;
    size_t len;
    packet_run *runs; /* the long ones, in their order */
    size_t n_runs, runs_cap;
    bool has_samples;  /* in the runs */
    brz_str *unpacked; /* what is in the compressed packets, in their order */
    size_t n_unpacked, cap;
    uint64_t budget; /* bytes that may be unpacked */
} packets;

/* A place in the packets. */
typedef struct packet_walk {
    const packets *of;
    brz_bytes outer, inner;
    const char *at; /* of the compressed packet that `inner` is in */
    size_t taken;   /* number of compressed packets */
    size_t run;     /* index of the next run to skip; of a walk that skips none, their number */
} packet_walk;

/* Unpacks the compressed packets. Reports what is damaged. */
void packets_init(packets *p, brz_ctx *ctx, const uint8_t *data, size_t len);

packet_walk packets_start(const packets *p);

/* Starts a walk that skips the runs. */
packet_walk packets_start_at_names(const packets *p);

/* Reads the next packet. Returns false at the end. */
bool packets_next(packet_walk *w, packet *to);

/* Returns how certain the beginning of an input is that of a trace: see brz_collapser.sniff. */
int32_t packets_sniff(brz_bytes b);

#endif
