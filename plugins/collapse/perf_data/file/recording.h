/* SPDX-License-Identifier: MIT */
/* The state of a recording that is being read. */
#ifndef PERF_DATA_RECORDING_H
#define PERF_DATA_RECORDING_H

#include "../process/code_table.h"
#include "counters.h"
#include "events.h"
#include "header.h"
#include "losses.h"
#include "../process/modules.h"
#include "queue.h"
#include "sampling.h"
#include "../process/symbols.h"
#include "../process/threads.h"
#include "tracepoints.h"
#include "unpack.h"

#include "../../../common/fields/weight_fields.h"
#include "../../../common/off_cpu/off_cpu.h"

#include <brazier/draft/demangle.h>
#include <brazier/text/stacks.h>

/* Values of the option compat. */
enum { COMPAT_NONE, COMPAT_PERF_SCRIPT };

/* The machine of a recording, as far as its registers matter. */
enum machine { MACHINE_UNKNOWN, MACHINE_X86_64, MACHINE_ARM64, MACHINE_OTHER };

typedef struct options {
    bool addrs, all, debuginfod, inlined, inlines, jit, kernel, pid, srcline, tid;
    int32_t compat;
    brz_str kallsyms, build_id_dir;
    brz_strlist weight_field;
    off_cpu_options off;
} options;

/* An address whose frames are made at the end. */
typedef struct pending_code {
    uint64_t address, context;
    uint32_t value; /* stands for the frames, once it is named */
    bool is_named;
} pending_code;

/* Classes of frames that the report on the quality counts samples of. */
enum frame_class {
    CLASS_UNNAMED, /* code without a symbol */
    CLASS_KERNEL,  /* likewise, of the kernel */
    CLASS_JIT,     /* likewise, of compilers at run time */
    CLASS_PYTHON,  /* an interpreter */
    CLASS_PHP,
    CLASS_PERL,
    CLASS_RUBY,
    FRAME_CLASSES,
};

/* Frames of addresses: see frames.h. */
typedef struct frames {
    code_table known;
    recent_code *recent; /* of the thread that adds to it */
    pair_map named; /* (symbol, module) to a frame or a list, for those equal at all addresses */
    brz_frame_list lists; /* lengths and frames */
    brz_frame_list found; /* frames of the address that is being resolved */
    brz_text scratch;
    const brz_demangler *demangler; /* for names in the way of perf script; NULL: none */
    brz_frame_cache roots;          /* names of threads to frames */
    pending_code *pending;
    size_t n_pending, pending_cap;
    size_t n_unnamed; /* of those */
    bool addrs, inlined, inlines, kernel, jit, pid, srcline, tid, by_perf_script;
    bool drops_addresses; /* frames that differ only by their addresses are equal */
    uint8_t *classes;     /* bits of classes, by frame */
    size_t n_classes, classes_cap;
    uint64_t samples_of[FRAME_CLASSES]; /* samples with a frame of a class, among those counted */
    uint64_t n_counted;
    bool has_python;          /* functions of Python have frames */
    uint64_t unmapped_kernel; /* addresses of the kernel that are in no module */
    bool of_waker;            /* the frames that are made belong to a waker */
} frames;

/* Number of ranges of offsets whose rules are found without reading: a power of two. Offsets that
 * differ above the lowest RULE_BITS have places of their own; a range has up to RULE_PLACES. */
#define RULE_RANGES 32768
#define RULE_BITS   7
#define RULE_PLACES 32

/* Offsets in the file of a module with the same rules. */
typedef struct rule_range {
    uint64_t start, end;
    uint32_t module;
    const struct frame_rule *rule;
} rule_range;

/* Rules for unwinding: see rules.h. Kept ranges and rules do not change. */
typedef struct rules {
    _Atomic(const rule_range *) *ranges; /* by an offset and its module; NULL: none */
    pair_map equal;                      /* packed rules to a position in `items` */
    const struct frame_rule **items;
    size_t n, cap;
    _Atomic(const struct module_trampoline *) trampolines; /* the newest one */
} rules;

/* The value that a sample adds to a column. */
typedef struct column_count {
    uint32_t column;
    int64_t value;
} column_count;

typedef struct column_counts {
    column_count *items; /* of different columns */
    size_t n, cap;
} column_counts;

/* A count that waits for the rest of its stack: see deferred.h. */
typedef struct held_sample {
    brz_frame_list frames; /* leaf first */
    uint32_t shared;       /* number of the element that has the frames instead; 0: itself */
    column_count count;
    int64_t time;
    uint64_t ip; /* the leaf, if no frame is known */
    uint32_t timed;
    brz_tag tag;
    uint32_t next; /* 1 + position of the next one of the thread, or of the next free one; or 0 */
} held_sample;

typedef struct held_samples {
    held_sample *items;
    size_t n, cap;
    size_t n_used;
    uint32_t free; /* 1 + position; 0: none */
} held_samples;

/* A count of a path with ids of addresses whose frames are made at the end: see pending.h. */
typedef struct held_count {
    size_t first; /* of its ids */
    uint32_t n, column;
    brz_tag tag;
    uint32_t timed;
    int64_t time, value;
} held_count;

typedef struct pending {
    held_count *items;
    size_t n, cap;
    brz_frame_list ids; /* of all paths */
    pair_map by_path;   /* hash of a path, and column, to the count, where counts are summed */
    uint64_t next_look; /* when names are looked for while the recording is shown, in ns */
} pending;

/* A file with records: the input, and the other files of a directory. */
typedef struct stream {
    const uint8_t *data; /* the file */
    size_t len;
    const uint8_t *at, *end; /* records that were not read yet */
    uint32_t number;         /* in the name data.N; of a file next to the input */
    bool is_damaged;         /* unpacked bytes are skipped until a record is found */
    bool is_searching;       /* likewise, bytes of the file */
    record_place damaged;    /* where they begin */
    uint64_t newest;         /* time of the newest record so far */
    unpack_stream packed;
} stream;

typedef struct ahead ahead;

typedef struct recording {
    brz_ctx *ctx;
    const uint8_t *data; /* the input, or its current chunk */
    size_t len;
    uint64_t offset;  /* of these bytes in the input */
    bool is_streamed; /* the input arrives in chunks, and records in it have to be copied */
    bool is_own;      /* brazier recorded it */
    bool is_open;     /* more of the input follows */
    bool is_live;     /* the profile is shown meanwhile: see <brazier/draft/live.h> */
    const record_place *delivered; /* place of the record that is delivered; NULL: none is */
    stream *streams;               /* the first one is the input */
    size_t n_streams, cap_streams;
    stream *stream; /* that of the current record */
    uint64_t ticks; /* records handled so far */
    header header;
    events events;
    counters counters;
    column_counts sample_counts; /* of the counters of the current sample */
    modules modules;
    threads threads;
    enum machine machine;
    maps *kernel;           /* mappings of the kernel and its modules */
    uint64_t kernel_end;    /* of the kernel's code; 0: unknown */
    uint32_t kernel_module; /* number of the kernel */
    symbols symbols;
    rules rules;
    queue queue;
    unpack unpack;
    unpack_stream stored; /* copies of records of an input that arrives in chunks */
    uint64_t described;   /* offset up to which the descriptions were read in advance */
    frames frames;
    brz_stacks stacks; /* leaf first */
    losses losses;
    sampling sampling;
    tracepoints tracepoints;
    weight_fields fields;      /* by which samples are weighed, too */
    known_fields known_fields; /* those that are described */
    off_cpu off;
    held_samples held;
    pending pending;
    brz_path ready;    /* the path of a sample whose hash is computed; it has no other hashes */
    ahead *ahead;      /* NULL: samples are folded one by one: see ahead.h */
    bool is_ahead;     /* samples are collected */
    brz_bytes tracing; /* descriptions of tracepoints; empty: none */
    brz_text message;
    uint32_t n_columns; /* events with samples */
    bool is_described;  /* the header and the descriptions at the beginning are read */
    bool is_scan;       /* damage is reported later, when the records are read */
    bool wants_tags, wants_time;
} recording;

/* Returns the place of bytes in the input. */
static inline record_place recording_place(const recording *p, const uint8_t *at)
{
    if (p->is_streamed)
        return (record_place){.offset = p->offset + (uint64_t)(at - p->data)};
    return (record_place){.at = at};
}

/* Reports a problem of the recording at a place in the input. A place in another file of the
 * recording becomes a part of the text; other places are left out. */
void recording_warn(recording *p, const char *code, const uint8_t *at, brz_str text);

/* Reports a record that is left out, likewise. */
void recording_lost(recording *p, const char *code, const uint8_t *at, brz_str text);

/* Does the same for a place, which may be in an earlier chunk. */
void recording_lost_at(recording *p, const char *code, record_place place, brz_str text);

#endif
