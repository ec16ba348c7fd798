/** @file
 * What the host does for a component: the only way to allocate, report, write and emit.
 *
 * Everything hangs off a `brz_ctx`, one per instance, used by one thread at a time; so no service
 * locks anything, and ids are the instance's own until the host merges instances.
 */
#ifndef BRAZIER_HOST_H
#define BRAZIER_HOST_H

#include <brazier/base.h>

typedef struct brz_ctx brz_ctx;
typedef struct brz_host brz_host;
struct brz_tree;

#define BRZ_CTX_ORDERED 1u /**< the run wants samples in input order: do not sum them up */

/** What an instance of a component is given with every call. */
struct brz_ctx {
    uint32_t struct_size; /**< sizeof(brz_ctx) in the host */
    uint32_t index;       /**< which instance this is, from 0 */
    const brz_host *host; /**< the services */
    const void *cfg;      /**< the component's options, filled and checked; read-only */
    const void *shared;   /**< what `prelude` gave; read-only */
    void *inst;           /**< inst_size bytes, zeroed before the first call, 64-byte aligned */
    uint64_t seed;        /**< for hash tables; never let it show in a result */
    uint32_t flags;       /**< BRZ_CTX_ORDERED; ignore those that you do not know */
    uint32_t reserved;    /**< 0 */
};

/* Severities of a diagnostic and levels of the log. */
#define BRZ_FATAL   0 /**< the run fails */
#define BRZ_WARNING 1 /**< something is missing from the result, or odd about it */
#define BRZ_NOTE    2 /**< good to know */
#define BRZ_DEBUG   3 /**< for who looks into how it works */

/** The code of a plug-in's report that a sum of its own left the range of 64 bits and stays at its
 * end. The host says so once, with its own sums. */
#define BRZ_SATURATED "host.saturated"

/** Something worth telling the user about the input. */
typedef struct brz_diag {
    uint32_t struct_size; /**< sizeof(brz_diag) */
    int32_t severity;     /**< BRZ_FATAL to BRZ_DEBUG */
    const char *code; /**< "perf.stack-line": what repeated reports are counted by; static text */
    const void *at;   /**< into the chunk being parsed, or NULL; the host finds line and column */
    size_t len;       /**< how many bytes from `at` are meant; 0: one place */
    brz_str msg;      /**< one line, no full stop; "{count}" becomes how often; copied */
    uint64_t count;   /**< how many times it happened; 0 means once */
} brz_diag;

/** A frame with all that is known of it. Frames are equal when every member is. */
typedef struct brz_frame_desc {
    uint32_t struct_size; /**< sizeof(brz_frame_desc) */
    uint32_t kind;        /**< BRZ_KIND_* */
    brz_str name;      /**< as the folded line shows it, with an annotation such as _[k], if any */
    brz_str module;    /**< program, library or package; empty: not known */
    brz_str file;      /**< of the source; empty: not known */
    uint32_t line;     /**< in the file, from 1; 0: not known */
    uint32_t reserved; /**< 0 */
} brz_frame_desc;

/** A kind of weight that samples carry: a column of the profile. */
typedef struct brz_weight_desc {
    uint32_t struct_size; /**< sizeof(brz_weight_desc) */
    uint32_t decimals;    /**< values are multiples of 10^-decimals of the unit; at most 9 */
    brz_str name;         /**< "samples", "cycles", "alloc_space" */
    brz_str unit;         /**< "samples", "nanoseconds", "bytes", "count" */
} brz_weight_desc;

/** `value` more of `weight` for `stack`. */
typedef struct brz_count {
    brz_stack stack; /**< from brz_host.stack */
    uint32_t weight; /**< the column's index, from brz_host.weight, or 0 */
    int64_t value;   /**< in 10^-decimals of the column's unit */
} brz_count;

/** A sample with everything it may carry. */
typedef struct brz_sample {
    uint32_t struct_size;    /**< sizeof(brz_sample) */
    uint32_t flags;          /**< BRZ_LEAF_FIRST, or 0 */
    const brz_frame *frames; /**< the stack */
    size_t n_frames;         /**< how deep it is */
    const int64_t *values;   /**< one per weight the instance declared, in that order */
    size_t n_values;         /**< how many there are; missing ones are 0 */
} brz_sample;

#define BRZ_LEAF_FIRST 1u /**< frames run from leaf to root; without it from root to leaf */

/** Takes what colours mean, one category after the other. Whoever wants to know fills one in. */
typedef struct brz_legend brz_legend;
struct brz_legend {
    uint32_t struct_size; /**< sizeof(brz_legend) */
    uint32_t reserved;    /**< 0 */
    /** A category: its colour 0xRRGGBBAA, and what it means, in a few words that are copied. */
    void (*add)(brz_legend *, uint32_t color, brz_str name);
};

/** Host services. A plug-in may call those up to its BRZ_TARGET_MINOR without asking. */
struct brz_host {
    uint32_t struct_size; /**< sizeof(brz_host) in the host */
    uint16_t abi_major;   /**< the host's BRZ_ABI_MAJOR */
    uint16_t abi_minor;   /**< the host's BRZ_ABI_MINOR: what is newer is not in this table */
    const char *name;     /**< the program's */
    const char *version;  /**< the program's */

    /** Zeroed memory that lives as long as the instance. Never NULL: when memory is exhausted the
     * host ends the run. `align` is a power of two, 0 for 16. */
    void *(*alloc)(brz_ctx *, size_t size, size_t align);
    /** A line for the user that has nothing to do with the input and fails nothing. */
    void (*log)(brz_ctx *, int32_t level, brz_str line);
    /** A report about the input. One of severity BRZ_FATAL fails the run. */
    void (*diag)(brz_ctx *, const brz_diag *);

    /** A frame that has a name and nothing else. Bytes are copied; invalid UTF-8 becomes U+FFFD. */
    brz_frame (*intern)(brz_ctx *, const char *name, size_t len);
    /** A frame with all that is known of it. */
    brz_frame (*frame)(brz_ctx *, const brz_frame_desc *);

    /** Declares a column and gives its index; the same name gives the same column. The first
     * column is the default of the run. Without any, column 0 is "samples". */
    uint32_t (*weight)(brz_ctx *, const brz_weight_desc *);
    /** From now on the column counts in 10^-decimals; what it holds is rescaled. Never coarser. */
    void (*decimals)(brz_ctx *, uint32_t weight, uint32_t decimals);

    /** Simple formats: one call per sample, `value` more of column 0 for the stack of `n` frames.
     * Equal stacks are found by the host. `flags` is BRZ_LEAF_FIRST or 0. */
    brz_rc (*emit)(brz_ctx *, const brz_frame *frames, size_t n, int64_t value, uint32_t flags);
    /** The same with a value for each column. */
    brz_rc (*emit_sample)(brz_ctx *, const brz_sample *);

    /** Hot formats: stores a stack, once per distinct one. The caller keeps track of them, by the
     * copy that *stored points to, in the order given, which stays as it is (`stored` may be NULL:
     * not wanted). */
    brz_stack (*stack)(brz_ctx *, const brz_frame *frames, size_t n, uint32_t flags,
                       const brz_frame **stored);
    /** Hot formats: counts stored stacks, in batches of a few thousand. */
    brz_rc (*add)(brz_ctx *, const brz_count *counts, size_t n);

    /** Tracers: a call begins. The host keeps a stack of calls per track (a thread, say), gives
     * each frame the time that passed while it was on top, in units of column 0, and closes what is
     * open when the instance finishes. Times do not decrease within a track. */
    brz_rc (*enter)(brz_ctx *, uint64_t track, brz_frame frame, int64_t time);
    /** Tracers: the call on top of the track ends. */
    brz_rc (*leave)(brz_ctx *, uint64_t track, int64_t time);

    /** True once the run is to end early. */
    bool (*stopped)(brz_ctx *);

    /** Outputs: the colour 0xRRGGBBAA of a node about to be drawn. Call it once per drawn frame,
     * in drawing order: palettes that draw random numbers depend on it. */
    uint32_t (*color)(brz_ctx *, const struct brz_tree *, uint32_t node);

    /** Outputs: the background, top and bottom, 0xRRGGBBAA, that suits the palette. */
    void (*background)(brz_ctx *, uint32_t colors[2]);

    /** A service outside this table ("brz.x.name/1" for drafts), or NULL. */
    const void *(*extension)(brz_ctx *, const char *id);

    /** Outputs: what the palettes' colours mean. Those whose colours mean nothing add nothing. */
    void (*legend)(brz_ctx *, const struct brz_tree *, brz_legend *);
};

/** Reports `msg` (a literal) about the bytes at `at`. */
#define BRZ_WARN(ctx, code_, at_, len_, msg_)                                                      \
    brz_report((ctx), BRZ_WARNING, (code_), (at_), (len_), BRZ_STR(msg_))

/** Reports `msg` about `len` bytes at `at`, a place in the chunk, or NULL. */
static inline void brz_report(brz_ctx *ctx, int32_t severity, const char *code, const void *at,
                              size_t len, brz_str msg)
{
    brz_diag d;
    d.struct_size = (uint32_t)sizeof d;
    d.severity = severity;
    d.code = code;
    d.at = at;
    d.len = len;
    d.msg = msg;
    d.count = 1;
    ctx->host->diag(ctx, &d);
}

#endif
