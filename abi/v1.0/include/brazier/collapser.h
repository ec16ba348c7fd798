/* SPDX-License-Identifier: MIT */
/** @file
 * Defines collapsers: components that parse one profiler's format and emit stacks with weights.
 *
 * A collapser knows a grammar; it does not deal with files, threads or compression. The smallest
 * one has `sniff` and `parse`. The members of #brz_collapser document each function, in the order
 * in which the host calls them.
 *
 * An instance receives one or more ranges of an input, each in chunks. BRZ_CHUNK_RANGE_START marks
 * the first chunk of a range, which starts at the first record or at a boundary and is not a
 * continuation of anything this instance has parsed before. BRZ_CHUNK_LAST marks the last chunk of
 * a range, except where an input ends with an error, such as compressed data that is cut off:
 * there, a collapser with BRZ_SPLITTABLE gets no last chunk, and what it leaves unused is reported
 * as lost. The result must not depend on how an input is divided into chunks, ranges and instances.
 *
 * The 4 KiB before a chunk and the 64 bytes after it are readable, so a parser may load whole
 * vectors at either end. Their contents are unspecified. The same holds for the bytes passed to
 * `sniff`.
 *
 * Threads: the host may call `sniff` and `boundary` from any thread, concurrently. It calls every
 * other function from one thread at a time per context. A collapser must not have mutable globals,
 * start threads or use file descriptors.
 */
#ifndef BRAZIER_COLLAPSER_H
#define BRAZIER_COLLAPSER_H

#include <brazier/host.h>

#define BRZ_PRELUDE_SIZE (1u << 20)  /**< maximum number of bytes passed to `prelude` */
#define BRZ_RECORD_MAX   (64u << 20) /**< maximum size of a record in bytes, unless set otherwise */
#define BRZ_SLACK_FRONT  4096u       /**< readable bytes before a chunk */
#define BRZ_SLACK_BACK   64u         /**< readable bytes after a chunk */

/* Flags of brz_collapser. */
#define BRZ_SPLITTABLE  1u /**< has a `boundary` function: several threads may share one input */
#define BRZ_WHOLE_INPUT 2u /**< `parse` is called exactly once, with the whole input */
/** The host passes the bytes of the input as they are: it neither decompresses nor converts them.
 * Otherwise like BRZ_BINARY, which has no effect together with it. */
#define BRZ_RAW 4u
/** The input is not text: the host decompresses it, but does not remove a byte order mark, convert
 * UTF-16 or look for newlines, and positions in messages are byte offsets. A record that is larger
 * than the maximum fails the input. */
#define BRZ_BINARY 8u
/** A plain file is passed to `parse` at once, as with BRZ_WHOLE_INPUT and without copying it; other
 * inputs arrive in chunks. For formats that are read from their end, or in place. */
#define BRZ_WHOLE_FILE 16u

/* Flags of brz_chunk. */
#define BRZ_CHUNK_RANGE_START 1u /**< first chunk of a range */
#define BRZ_CHUNK_LAST        2u /**< last chunk of a range */
#define BRZ_CHUNK_INPUT_START 4u /**< and the range begins with the first record of the input */

/** A piece of the input. */
typedef struct brz_chunk {
    uint32_t struct_size; /**< sizeof(brz_chunk) in the host */
    uint32_t flags;       /**< BRZ_CHUNK_RANGE_START and others; ignore unknown bits */
    const uint8_t *data;  /**< the bytes, read-only */
    size_t len;           /**< number of bytes */
    uint64_t offset;      /**< offset of the first byte in the input, after decoding */
} brz_chunk;

/** The first bytes of an input, as passed to `sniff`. They are decoded as the flags of the
 * collapser demand, whether the format is guessed or named: `parse` receives the same bytes. */
typedef struct brz_head {
    uint32_t struct_size; /**< sizeof(brz_head) in the host */
    uint32_t flags;       /**< BRZ_CHUNK_LAST if this is the whole input */
    const uint8_t *data;  /**< at most 64 KiB, decoded */
    size_t len;           /**< number of bytes */
    brz_str name;         /**< file name without folders; empty for a pipe */
    const uint8_t *raw;   /**< at most 64 KiB of the bytes before decoding; compressed ones, say */
    size_t raw_len;       /**< number of bytes at `raw` */
} brz_head;

/* Scores returned by `sniff`. */
#define BRZ_SNIFF_NO      0   /**< a different format */
#define BRZ_SNIFF_NAME    20  /**< only the file name matches */
#define BRZ_SNIFF_SHAPE   40  /**< the text has the expected shape */
#define BRZ_SNIFF_RECORDS 70  /**< several records parse */
#define BRZ_SNIFF_HEADER  90  /**< a header unique to this format */
#define BRZ_SNIFF_MAGIC   100 /**< a magic number */

/** Flag of brz_magic: the bytes are those before decoding, brz_head.raw. */
#define BRZ_MAGIC_RAW 1u

/** Bytes at a fixed offset that identify a format without calling any code. */
typedef struct brz_magic {
    uint32_t offset;   /**< offset from the beginning of the input */
    uint32_t len;      /**< number of bytes */
    const void *bytes; /**< the expected bytes */
    int32_t score;     /**< score of a match, for example BRZ_SNIFF_MAGIC */
    uint32_t flags;    /**< BRZ_MAGIC_RAW, or 0 for brz_head.data */
} brz_magic;

/** A collapser: the functions that the host calls, in this order. `parse` is required, and
 * `boundary` with BRZ_SPLITTABLE; the others are optional and may be NULL. */
typedef struct brz_collapser {
    uint32_t struct_size; /**< sizeof(brz_collapser) */
    uint32_t flags;       /**< BRZ_SPLITTABLE and others, or 0 */
    size_t inst_size;     /**< size of brz_ctx.inst, which holds the whole state of an instance */
    const char *const *globs; /**< file name patterns, NULL-terminated, such as "*.xt"; or NULL */
    const brz_magic *magics;  /**< array of magic numbers, or NULL */
    uint32_t n_magics;        /**< number of magic numbers */
    uint32_t magic_size;      /**< sizeof(brz_magic) */

    /** Optional: without it, only magics and globs recognise the format, or the user names it.
     * Examines the first bytes of an input and returns a score from BRZ_SNIFF_NO to
     * BRZ_SNIFF_MAGIC that says how likely they are to be this format. Must be a pure function,
     * accept any prefix of an input, including an empty one, and take well under a millisecond. */
    int32_t (*sniff)(const brz_head *);

    /** Examines the first BRZ_PRELUDE_SIZE bytes of an input, once per input. It receives fewer
     * bytes only if the input is shorter (BRZ_CHUNK_LAST is set). Sets *used to the offset of the
     * first record, and *prelude_data to the data that every instance sees as brz_ctx.prelude_data.
     * It has a context of its own, which no other function sees: brz_ctx.inst is zeroed and lost
     * afterwards. Memory from brz_collapser_host.alloc lives until all instances of the input are
     * closed. */
    brz_rc (*prelude)(brz_ctx *, const brz_chunk *, size_t *used, const void **prelude_data);

    /** Required with BRZ_SPLITTABLE. Returns an offset >= `from` at which a record can start,
     * preferably the nearest one, or `n` if there is none in the buffer. `buf` has at least a byte,
     * begins anywhere after the offset that `prelude` returned, and `from` is at most `n`; with a
     * `from` of 0 nothing is known about the byte before. The host calls it after `prelude`, also
     * while instances parse. Must be a pure function of `prelude_data` and `buf`. A sequential
     * parse must pass through every offset that it returns, and its state there must be the state
     * after `prelude`. */
    size_t (*boundary)(const void *prelude_data, const uint8_t *buf, size_t n, size_t from);

    /** Prepares an instance; called once, before its first `parse`. */
    brz_rc (*open)(brz_ctx *);

    /** Parses whole records and sets *used to the number of bytes consumed. The host passes the
     * remaining bytes again, followed by more; *used of 0 requests more bytes. With BRZ_CHUNK_LAST
     * no bytes follow: report what is left over as a truncated record. Must not keep pointers into
     * a chunk. A record has at most `record_max` bytes. */
    brz_rc (*parse)(brz_ctx *, const brz_chunk *, size_t *used);

    /** Moves the totals that the plug-in itself keeps from one instance to another, after all
     * instances have finished parsing. The host merges in no particular order, and each `from`
     * once. Services take `into` only. Ids of `from` mean nothing in `into`: keep names, and intern
     * them again. Memory of `from` stays valid until `into` is closed. */
    brz_rc (*merge)(brz_ctx *into, brz_ctx *from);

    /** Emits counts that an instance still holds back; called once per instance, after merging. */
    brz_rc (*finish)(brz_ctx *);

    /** Releases an instance's resources; called last, once per instance. Memory from
     * brz_collapser_host.alloc needs no freeing. */
    void (*close)(brz_ctx *);

    /** Maximum size of a record in bytes, at most 1 TiB; 0 stands for BRZ_RECORD_MAX. The host
     * buffers as much of a record as `parse` leaves unused, so a small maximum bounds memory. */
    uint64_t record_max;

    /** Optional. Returns what the component offers under the id of a draft, such as
     * "brz.draft.name/1", or NULL. Must be a pure function. */
    const void *(*offer)(const char *id);
} brz_collapser;

#endif
