/* SPDX-License-Identifier: MIT */
/** @file
 * Declares the host's services: the only way to allocate memory, report problems and emit samples.
 *
 * Each role has a context and a table of services: #brz_ctx and #brz_collapser_host for collapsers,
 * #brz_palette_ctx and #brz_palette_host, #brz_output_ctx and #brz_output_host, #brz_transform_ctx
 * and #brz_transform_host. The tables begin with the same members, up to `extension`, and the
 * contexts with the same members, up to `seed`. A service that a role may not call is not in its
 * table.
 *
 * All services take the context. There is one per instance, used by one thread at a time, so
 * services need no locks, and ids are local to the instance until the host merges instances.
 */
#ifndef BRAZIER_HOST_H
#define BRAZIER_HOST_H

#include <brazier/base.h>
#include <brazier/metadata.h>
#include <brazier/tag.h>

#include <string.h>

typedef struct brz_ctx brz_ctx;
typedef struct brz_collapser_host brz_collapser_host;

/* Flags of brz_ctx: what the run does with samples. A collapser that ignores them gives a correct
 * profile with less in it. If any of the first three is set, counts must not be summed over several
 * samples. */
#define BRZ_CTX_WANTS_ORDER 1u /**< the run needs samples in input order */
#define BRZ_CTX_WANTS_TAGS  2u /**< the run needs the tag of each sample */
/** The run needs the time of each sample. BRZ_CTX_WANTS_ORDER is set, too. */
#define BRZ_CTX_WANTS_TIME 4u
/** The user asked for a frame per address. Otherwise a collapser may leave out addresses. */
#define BRZ_CTX_WANTS_ADDRESSES 8u
/** The user asked for a frame per line. Otherwise a collapser may leave out lines. */
#define BRZ_CTX_WANTS_LINES 16u
/** The host drops the addresses of frames, since neither the user nor an output needs them: the
 * frames of all addresses of a function are equal, so a collapser need not ask for each. */
#define BRZ_CTX_DROPS_ADDRESSES 32u
/** The plug-in runs in isolation, which ends a process that makes memory executable: it must not
 * compile anything to machine code. */
#define BRZ_CTX_CONFINED 64u

/** An input of the run. */
typedef struct brz_input_desc {
    uint32_t struct_size; /**< sizeof(brz_input_desc) in the host */
    uint32_t index;       /**< index among the inputs of the run, from 0 */
    brz_str name;         /**< name in messages: the path as given, or "stdin" */
    uint64_t size;        /**< size in bytes, after decoding; 0: unknown */
} brz_input_desc;

/** The context that the host passes to each call of a collapser's instance. */
struct brz_ctx {
    uint32_t struct_size;           /**< sizeof(brz_ctx) in the host */
    uint32_t index;                 /**< index of the instance, from 0 */
    const brz_collapser_host *host; /**< host services */
    const void *cfg;                /**< the component's options, parsed and checked; read-only */
    void *inst;                  /**< inst_size bytes of state, initially zeroed, 64-byte aligned */
    uint64_t seed;               /**< random seed for hash tables; results must not depend on it */
    const void *prelude_data;    /**< data set by `prelude`; read-only */
    uint32_t flags;              /**< BRZ_CTX_WANTS_ORDER and others; ignore unknown bits */
    uint32_t reserved;           /**< 0; ignore it */
    const brz_input_desc *input; /**< the input */
};

/* Severities of a diagnostic and levels of the log. */
#define BRZ_FATAL   0 /**< fails the run */
#define BRZ_WARNING 1 /**< the result is incomplete or suspicious */
#define BRZ_NOTE    2 /**< useful information */
#define BRZ_DEBUG   3 /**< details for debugging */

/** The diagnostic code with which a plug-in reports that one of its own sums exceeded 64 bits and
 * was clamped. The host reports the overflow once, together with overflows of its own sums. */
#define BRZ_SATURATED "host.saturated"

/** A diagnostic about the input. */
typedef struct brz_diag {
    uint32_t struct_size; /**< sizeof(brz_diag) */
    int32_t severity;     /**< BRZ_FATAL to BRZ_DEBUG */
    /** Kind of diagnostic, such as "perf.stack-line"; repeated ones are counted by it. Static text,
     * not copied. */
    const char *code;
    const void *at; /**< position in the current chunk, or NULL; the host derives line and column */
    size_t len;     /**< number of bytes at `at` that the message is about; 0: a single position */
    /** One line without a full stop; copied. "{count}" stands for the number of occurrences. After
     * it, "{record was|records were}", of lower-case words, stands for either by that number. */
    brz_str msg;
    uint64_t count;   /**< number of occurrences; 0 means 1 */
    uint64_t records; /**< number of samples or rows that it leaves out of the result */
    uint64_t weighed; /**< number of these that `missing` covers; the others' weight is unknown */
    /** Weight missing from column 0 because of these, in units of the column's values. It is 0 if
     * other stacks include it. */
    int64_t missing;
    /** If `at` is NULL: a position in this chunk or an earlier one, for binary inputs: the number
     * of a byte in the decoded input, from 1; 0: none. */
    uint64_t byte_number;
} brz_diag;

/** A frame with all its attributes. Give all that the format knows: the host leaves out what the
 * run does not distinguish. Two frames are equal if all remaining members are equal. */
typedef struct brz_frame_desc {
    uint32_t struct_size; /**< sizeof(brz_frame_desc) */
    uint32_t kind;        /**< BRZ_KIND_* */
    /** Name. Attributes tell what is known of the code, so the name has no annotation such as _[k],
     * unless the user asks for those of compatible text: see brz_display_name(). */
    brz_str name;
    brz_str module;      /**< program, library or package; empty: unknown */
    brz_str file;        /**< source file; empty: unknown */
    uint32_t line;       /**< line in the source file, from 1; 0: unknown */
    uint32_t column;     /**< column in that line, from 1; 0: unknown */
    uint32_t flags;      /**< BRZ_FRAME_INLINED and others, or 0 */
    uint32_t first_line; /**< line in which the function begins, from 1; 0: unknown */
    uint64_t address;    /**< address of the code, as the format gives it; 0: unknown */
    brz_str system_name; /**< name as in the symbol table, such as a mangled one; empty: unknown */
    brz_str build_id;    /**< build id of the module, in hexadecimal digits; empty: unknown */
} brz_frame_desc;

/** A column of the profile: what one value of each sample counts, such as time or bytes. The user
 * chooses one with --weight. */
typedef struct brz_column_desc {
    uint32_t struct_size; /**< sizeof(brz_column_desc) */
    uint32_t decimals;    /**< values are multiples of 10^-decimals of the unit; at most 9 */
    brz_str name;         /**< for example "samples", "cycles", "alloc_space" */
    brz_str unit;         /**< for example "samples", "nanoseconds", "bytes", "count" */
    uint32_t flags;       /**< BRZ_COLUMN_DEFAULT and others, or 0 */
    uint32_t reserved;    /**< 0; ignore it */
} brz_column_desc;

/* Flags of a column. */
#define BRZ_COLUMN_DEFAULT 1u /**< the column to show unless the user names another one */
/** Values are readings, such as of memory in use: their sum over time means nothing. */
#define BRZ_COLUMN_GAUGE 2u
/** For tracers: what the column reads never falls while a call is open, as a clock. A smaller
 * reading counts as the one before. */
#define BRZ_COLUMN_CLOCK 4u
/** For tracers: only growth of what the column reads counts. Where it falls, nothing is subtracted.
 */
#define BRZ_COLUMN_GROWTH 8u
/** Values are numbers of samples: those of which the values of the other columns are sums. If
 * several columns have the flag, outputs take the first. Columns that count the samples of one
 * event each do not have it. */
#define BRZ_COLUMN_SAMPLES 16u
/** Values are those of the first of two profiles that are compared. If a column has this flag and
 * another one BRZ_COLUMN_AFTER, the run shows the comparison. */
#define BRZ_COLUMN_BEFORE 32u
/** Values are those of the second profile. A column with both flags has the sum of both. */
#define BRZ_COLUMN_AFTER 64u

/** Adds `value` to the column of index `column` for the stack `stack`. A zeroed rest means: no tag,
 * no time.
 */
typedef struct brz_count {
    brz_stack stack; /**< id returned by brz_collapser_host.stack */
    uint32_t column; /**< index returned by brz_collapser_host.column, or 0 */
    int64_t value;   /**< amount in units of 10^-decimals of the column's unit */
    brz_tag tag;     /**< id returned by brz_collapser_host.tag, or BRZ_NO_TAG */
    uint32_t flags;  /**< BRZ_TIMED, BRZ_SAME_SAMPLE, or 0 */
    int64_t time;    /**< with BRZ_TIMED: nanoseconds on the profile's clock */
} brz_count;

/** The values of a sample, one for each column, or what the columns of a tracer read when an event
 * occurs. */
typedef struct brz_values {
    uint32_t struct_size;  /**< sizeof(brz_values) */
    uint32_t flags;        /**< BRZ_TIMED, or 0 */
    const int64_t *values; /**< one value per declared column, in the order of declaration */
    size_t n_values;       /**< number of values; missing ones are 0 */
    int64_t time;          /**< with BRZ_TIMED: nanoseconds on the profile's clock */
    brz_tag tag;           /**< id returned by brz_collapser_host.tag, or BRZ_NO_TAG */
    uint32_t reserved;     /**< 0; ignore it */
} brz_values;

#define BRZ_LEAF_FIRST 1u /**< frames run from leaf to root, not from root to leaf */
#define BRZ_TIMED      2u /**< `time` is known */
/** Flag of a count: it is another value of the sample of the count before it, and has an equal
 * stack, and the same tag and time. Each other count is a sample of its own. */
#define BRZ_SAME_SAMPLE 8u
/** Flag of brz_collapser_host.stack, with the root first: *stored is the copy of the stack that was
 * stored last, and one of both stacks begins with all frames of the other. The host may then store
 * these once, without comparing them: if they differ, the stack gets those of the other one. Older
 * hosts ignore it. */
#define BRZ_NESTED 4u

/** Receives the meanings of colours, one category at a time. The caller of brz_output_host.legend
 * fills one in. */
typedef struct brz_legend brz_legend;
struct brz_legend {
    uint32_t struct_size; /**< sizeof(brz_legend) */
    uint32_t reserved;    /**< 0; ignore it */
    /** Adds a category: its colour as 0xRRGGBBAA and a short description, which is copied. */
    void (*add)(brz_legend *, uint32_t color, brz_str name);
};

/** A file opened by brz_collapser_host.open_related. The caller sets `struct_size`. */
typedef struct brz_related_file {
    uint32_t struct_size; /**< sizeof(brz_related_file) */
    uint32_t reserved;    /**< 0; ignore it */
    /** The bytes, read-only, with BRZ_SLACK_FRONT readable bytes before and BRZ_SLACK_BACK after
     * them. */
    const uint8_t *data;
    size_t len;   /**< number of bytes */
    brz_str path; /**< where the file is */
} brz_related_file;

/** Flag of brz_collapser_host.open_related: the input names the file, not the user. With --sysroot,
 * an absolute name is looked for below that folder only; a relative one as always. Older hosts
 * ignore it. */
#define BRZ_RELATED_BY_INPUT 1u

#define BRZ_RELATED_OPENED 0 /**< the file is open */
#define BRZ_RELATED_ABSENT 1 /**< there is no such file */
#define BRZ_RELATED_REFUSED                                                                        \
    2 /**< the file may not or cannot be read; the host has told the user why */

/** Services for collapsers. A plug-in may call all services up to its BRZ_TARGET_MINOR without
 * checking for them. */
struct brz_collapser_host {
    uint32_t struct_size; /**< sizeof(brz_collapser_host) in the host */
    uint16_t abi_major;   /**< the host's BRZ_ABI_MAJOR */
    uint16_t abi_minor;   /**< the host's BRZ_ABI_MINOR: the table has no later services */
    const char *name;     /**< name of the host program */
    const char *version;  /**< version of the host program */

    /** Allocates zeroed memory that lives as long as the instance. Never returns NULL: the host
     * ends the run when memory is exhausted. `align` is a power of two, or 0 for 16. */
    void *(*alloc)(brz_ctx *, size_t size, size_t align);
    /** Logs a line for the user that does not concern the input. Never fails the run. */
    void (*log)(brz_ctx *, int32_t level, brz_str line);
    /** Reports a diagnostic about the input. Severity BRZ_FATAL fails the run. */
    void (*diag)(brz_ctx *, const brz_diag *);

    /** Returns whether the run is to end early. */
    bool (*stopped)(brz_ctx *);

    /** Returns a service outside of this table, such as "brz.draft.name/1" for a draft, or NULL if
     * the host does not have it. */
    const void *(*extension)(brz_ctx *, const char *id);

    /** Returns the id of the frame that has this name and no other attributes. Copies the bytes and
     * replaces invalid UTF-8 by U+FFFD. */
    brz_frame (*intern)(brz_ctx *, const char *name, size_t len);
    /** Returns the id of a frame with attributes. */
    brz_frame (*frame)(brz_ctx *, const brz_frame_desc *);

    /** Declares a column and returns its index; the same name returns the same index. The first
     * column is the default of the run. If none is declared, column 0 is "samples", with
     * BRZ_COLUMN_SAMPLES. */
    uint32_t (*column)(brz_ctx *, const brz_column_desc *);
    /** Sets the precision of a column: its values count units of 10^-decimals from then on, and the
     * host rescales those that it already holds. Precision never decreases: smaller `decimals` than
     * before have no effect. */
    void (*decimals)(brz_ctx *, uint32_t column, uint32_t decimals);

    /** For simple formats: adds a sample, that is, `value` in column 0 for a stack of `n` frames.
     * The host finds equal stacks. `flags` is BRZ_LEAF_FIRST or 0. */
    brz_rc (*emit)(brz_ctx *, const brz_frame *frames, size_t n, int64_t value, uint32_t flags);
    /** Adds a sample with a value for each column. `flags` is BRZ_LEAF_FIRST or 0. */
    brz_rc (*sample)(brz_ctx *, const brz_frame *frames, size_t n, uint32_t flags,
                     const brz_values *);

    /** For performance-critical formats: stores a stack and returns its id. A stack that is stored
     * again gets another id, with the same results, but each copy takes memory: store each distinct
     * stack once if the number of samples is not bounded. The caller can compare stacks with the
     * host's copy, which *stored points to. The copy has the frames in the order given and does not
     * change. `stored` may be NULL. `flags` is BRZ_LEAF_FIRST, BRZ_NESTED or 0. */
    brz_stack (*stack)(brz_ctx *, const brz_frame *frames, size_t n, uint32_t flags,
                       const brz_frame **stored);
    /** For performance-critical formats: adds counts of stored stacks, in batches of a few
     * thousand. `size` is sizeof(brz_count). */
    brz_rc (*add)(brz_ctx *, const brz_count *counts, size_t n, size_t size);

    /** For tracers: begins a call. The host keeps a call stack per track (for example, a thread).
     * What the columns grow by between two events of a track is the weight of the call that was on
     * top: a sample with the time and the tag of the first of both. `at` has the columns' values
     * at the event. Open calls end with the last event of their track. */
    brz_rc (*enter)(brz_ctx *, uint64_t track, brz_frame frame, const brz_values *at);
    /** For tracers: ends the call on top of the track. */
    brz_rc (*leave)(brz_ctx *, uint64_t track, const brz_values *at);

    /** Returns the id of a tag; equal tags have the same id. Call it if ctx->flags
     * has BRZ_CTX_WANTS_TAGS, and keep the ids of frequent tags: a call costs a lookup. Copies the
     * texts. */
    brz_tag (*tag)(brz_ctx *, const brz_tag_desc *);
    /** Also in `prelude`: states facts about the recording, or with brz_metadata.of about one of
     * several profiles in it. May be called several times; of two different values of a member, the
     * one from the earlier place in the input counts. Comments and pairs are collected, each once.
     * Copies the texts. */
    void (*metadata)(brz_ctx *, const brz_metadata *);

    /** Opens a file that belongs to the input, such as the symbols of a program or the second file
     * of a set. Returns BRZ_RELATED_OPENED, BRZ_RELATED_ABSENT or BRZ_RELATED_REFUSED. Looks for an
     * absolute name below the folder that the user named with --sysroot, and then at the name
     * itself. Looks for a relative name in the folder of the input. Opens regular files only and
     * never waits. `flags` is 0 or BRZ_RELATED_BY_INPUT. The bytes of an opened file stay valid and
     * mapped until `close` returns. The host opens a file once, however often instances ask for it.
     */
    int32_t (*open_related)(brz_ctx *, brz_str name, uint32_t flags, brz_related_file *);

    /** In `prelude` of a splittable collapser: demands that one instance parses the whole input, in
     * order. The host then asks for no boundaries. */
    void (*in_order)(brz_ctx *);

    /** Finds what `save` kept in this or an earlier run. `path` is that of a file that the instance
     * has opened with open_related, and `key` names what was computed from it and the version of
     * its form: letters, digits, dashes, dots and underscores. Returns true and the content, which
     * is read-only and stays valid until `close` returns. Returns false if nothing was kept, or
     * if the file has changed. The content may be damaged like any other file. */
    bool (*load)(brz_ctx *, brz_str path, brz_str key, brz_str *content);
    /** Keeps a content for later runs; may do nothing. Components do not see contents of others. */
    void (*save)(brz_ctx *, brz_str path, brz_str key, brz_str content);
};

/** Reports a warning about `len_` bytes at `at_`. `msg_` is a string literal. */
#define BRZ_WARN(ctx, code_, at_, len_, msg_)                                                      \
    brz_report((ctx), BRZ_WARNING, (code_), (at_), (len_), BRZ_STR(msg_))

/** Declares a column, in C: the further arguments initialise members of its brz_column_desc.
 * Returns its index. */
#define BRZ_DECLARE_COLUMN(ctx_, ...)                                                              \
    (ctx_)->host->column(                                                                          \
        (ctx_), &(const brz_column_desc){.struct_size = sizeof(brz_column_desc), __VA_ARGS__})

/** Returns the values of an event of a tracer whose column 0 counts nanoseconds. The values point
 * to `time`. */
static inline brz_values brz_values_of_time(const int64_t *time)
{
    brz_values v;
    memset(&v, 0, sizeof v);
    v.struct_size = (uint32_t)sizeof v;
    v.flags = BRZ_TIMED;
    v.values = time;
    v.n_values = 1;
    v.time = *time;
    return v;
}

/** For tracers whose only column counts nanoseconds: begins a call at this time. */
static inline brz_rc brz_enter(brz_ctx *ctx, uint64_t track, brz_frame frame, int64_t time)
{
    brz_values at = brz_values_of_time(&time);
    return ctx->host->enter(ctx, track, frame, &at);
}

/** The same: ends the call on top of the track. */
static inline brz_rc brz_leave(brz_ctx *ctx, uint64_t track, int64_t time)
{
    brz_values at = brz_values_of_time(&time);
    return ctx->host->leave(ctx, track, &at);
}

/** Returns a diagnostic about `len` bytes at `at`, which points into the current chunk or is NULL.
 * It counts as one occurrence; all other members are 0. */
static inline brz_diag brz_diag_of(int32_t severity, const char *code, const void *at, size_t len,
                                   brz_str msg)
{
    brz_diag d;
    memset(&d, 0, sizeof d);
    d.struct_size = (uint32_t)sizeof d;
    d.severity = severity;
    d.code = code;
    d.at = at;
    d.len = len;
    d.msg = msg;
    d.count = 1;
    return d;
}

/** Reports `msg` about `len` bytes at `at`, which points into the current chunk or is NULL. */
static inline void brz_report(brz_ctx *ctx, int32_t severity, const char *code, const void *at,
                              size_t len, brz_str msg)
{
    brz_diag d = brz_diag_of(severity, code, at, len, msg);
    ctx->host->diag(ctx, &d);
}

/** Reports something that occurred `count` times, unless that is 0. "{count}" in the message stands
 * for the number. `lost` samples or rows are left out, whose weight is unknown. */
static inline void brz_report_count(brz_ctx *ctx, int32_t severity, const char *code,
                                    uint64_t count, uint64_t lost, brz_str msg)
{
    brz_diag d = brz_diag_of(severity, code, NULL, 0, msg);
    d.count = count;
    d.records = lost;
    if (count > 0)
        ctx->host->diag(ctx, &d);
}

/** Reports a warning about a record that is left out, whose weight is unknown. */
static inline void brz_report_lost(brz_ctx *ctx, const char *code, const void *at, size_t len,
                                   brz_str msg)
{
    brz_diag d = brz_diag_of(BRZ_WARNING, code, at, len, msg);
    d.records = 1;
    ctx->host->diag(ctx, &d);
}

/** Reports a warning about a record that is left out, with the weight that is missing because of
 * it: see brz_diag.missing. */
static inline void brz_report_lost_weight(brz_ctx *ctx, const char *code, const void *at,
                                          size_t len, brz_str msg, int64_t weight)
{
    brz_diag d = brz_diag_of(BRZ_WARNING, code, at, len, msg);
    d.records = d.weighed = 1;
    d.missing = weight;
    ctx->host->diag(ctx, &d);
}

#endif
