/* The state of a recording that is being read. */
#ifndef PERF_DATA_RECORDING_H
#define PERF_DATA_RECORDING_H

#include "events.h"
#include "header.h"
#include "losses.h"
#include "modules.h"
#include "queue.h"
#include "symbols.h"
#include "threads.h"
#include "tracepoints.h"
#include "unpack.h"

#include "../perf/off_cpu.h"

#include <brazier/text/stacks.h>

/* Values of the option compat. */
enum { COMPAT_NONE, COMPAT_PERF_SCRIPT };

/* The machine of a recording, as far as its registers matter. */
enum machine { MACHINE_UNKNOWN, MACHINE_X86_64, MACHINE_ARM64, MACHINE_OTHER };

typedef struct options {
    bool addrs, all, debuginfod, inlined, inlines, jit, kernel, pid, srcline, tid;
    int32_t compat;
    brz_str kallsyms, build_id_dir;
    off_cpu_options off;
} options;

/* Number of addresses that are found without a look at the mappings: a power of two. */
#define KNOWN_CODE 8192

/* The frames of an address in an address space, as long as it does not change. */
typedef struct known_code {
    uint64_t ip;
    const maps *maps; /* NULL: free */
    uint32_t version; /* of the address space */
    uint32_t kind;
    uint32_t value;
    uint32_t reserved;
} known_code;

/* Frames of addresses: see frames.h. */
typedef struct frames {
    pair_map cache; /* (address, module) to a frame or a list */
    known_code *known;
    brz_frame_list lists; /* lengths and frames */
    brz_frame_list found; /* frames of the address that is being resolved */
    brz_text scratch, hex;
    brz_frame_cache roots; /* names of threads to frames */
    bool addrs, inlined, inlines, kernel, jit, pid, srcline, tid, by_perf_script;
    bool of_waker; /* the frames that are made belong to a waker */
} frames;

/* Rules for unwinding: see unwind.h. */
typedef struct rules {
    pair_map cache; /* (offset, module) to a position */
    struct frame_rule *items;
    size_t n, cap;
} rules;

typedef struct recording {
    brz_ctx *ctx;
    const uint8_t *data; /* the input */
    size_t len;
    header header;
    events events;
    modules modules;
    threads threads;
    enum machine machine;
    maps *kernel; /* mappings of the kernel and its modules */
    symbols symbols;
    rules rules;
    queue queue;
    unpack unpack;
    frames frames;
    brz_stacks stacks; /* leaf first */
    losses losses;
    tracepoints tracepoints;
    off_cpu off;
    uint32_t n_columns; /* events with samples */
    bool is_scan;       /* damage is reported later, when the records are read */
    bool wants_tags, wants_time;
} recording;

/* Reports a problem of the recording at a place in the input; other places are left out. */
void recording_warn(recording *p, const char *code, const uint8_t *at, brz_str text);

/* Reports a record that is left out, likewise. */
void recording_lost(recording *p, const char *code, const uint8_t *at, brz_str text);

#endif
