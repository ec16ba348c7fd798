/** @file
 * A collapser: reads one profiler's format and emits stacks with weights.
 *
 * It knows a grammar and nothing of files, threads or compression. The smallest one has `sniff`
 * and `parse`. What each of its functions must do stands at the members of #brz_collapser, in the
 * order in which the host calls them.
 *
 * An instance is shown one or more runs of chunks. BRZ_CHUNK_FIRST says that a chunk begins a run,
 * at the start of the records or at a boundary, unconnected with what this instance saw before;
 * BRZ_CHUNK_LAST ends the run. How an input is divided into chunks, runs and instances must not
 * show in the result.
 *
 * 4 KiB before and 64 bytes behind a chunk, or what a sniffer sees, can be read (not what is in
 * them relied on), so a parser may load whole vectors at either end.
 *
 * Threads: `sniff` and `boundary` any, at the same time; everything else one thread at a time per
 * context. A collapser has no mutable globals, starts no threads and touches no descriptor.
 */
#ifndef BRAZIER_COLLAPSER_H
#define BRAZIER_COLLAPSER_H

#include <brazier/host.h>

#define BRZ_PRELUDE_SIZE (1u << 20)  /**< bytes that `prelude` sees, at most */
#define BRZ_RECORD_MAX   (64u << 20) /**< bytes of a record, at most */
#define BRZ_SLACK_FRONT  4096u       /**< bytes that can be read before a chunk */
#define BRZ_SLACK_BACK   64u         /**< bytes that can be read behind it */

/* brz_collapser.flags */
#define BRZ_SPLITTABLE  1u /**< `boundary` is there: several threads may share one input */
#define BRZ_WHOLE_INPUT 2u /**< exactly one `parse` with all the bytes */
#define BRZ_RAW         4u /**< the format is itself compressed or not text: bytes as they are */

/* brz_chunk.flags */
#define BRZ_CHUNK_FIRST 1u /**< it begins a run of chunks */
#define BRZ_CHUNK_LAST  2u /**< it ends a run of chunks */
#define BRZ_CHUNK_START 4u /**< with FIRST: these are the first records of the input */

/** A piece of the input. */
typedef struct brz_chunk {
    uint32_t struct_size; /**< sizeof(brz_chunk) in the host */
    uint32_t flags;       /**< BRZ_CHUNK_FIRST and so on; ignore those that you do not know */
    const uint8_t *data;  /**< its bytes, which are not to be written */
    size_t len;           /**< how many */
} brz_chunk;

/** The beginning of an input, for sniffing. */
typedef struct brz_head {
    uint32_t struct_size; /**< sizeof(brz_head) in the host */
    uint32_t flags;       /**< BRZ_CHUNK_LAST: this is all there is */
    const uint8_t *data;  /**< at most 64 KiB, decompressed, without a byte order mark */
    size_t len;           /**< how many bytes */
    brz_str name;         /**< the file's name without folders; empty for a pipe */
} brz_head;

/* How sure a sniffer is. */
#define BRZ_SNIFF_NO      0   /**< it is something else */
#define BRZ_SNIFF_NAME    20  /**< only the file's name speaks for it */
#define BRZ_SNIFF_SHAPE   40  /**< the text has the right shape */
#define BRZ_SNIFF_RECORDS 70  /**< several records parse */
#define BRZ_SNIFF_HEADER  90  /**< a header that nothing else has */
#define BRZ_SNIFF_MAGIC   100 /**< a magic number */

/** Bytes at a fixed place that give the format away without calling any code. */
typedef struct brz_magic {
    uint32_t offset;   /**< where, from the beginning of the input */
    uint32_t len;      /**< how many */
    const void *bytes; /**< which */
    int32_t score;     /**< how sure that is: BRZ_SNIFF_MAGIC, say */
    int32_t reserved;  /**< 0 */
} brz_magic;

/** What a collapser is: the functions that the host calls, in this order. Those that are not needed
 * are NULL, but for `parse`. */
typedef struct brz_collapser {
    uint32_t struct_size;     /**< sizeof(brz_collapser) */
    uint32_t flags;           /**< BRZ_SPLITTABLE and so on, or 0 */
    size_t inst_size;         /**< of brz_ctx.inst: all that an instance remembers */
    const char *const *globs; /**< file names, NULL-terminated: "*.xt"; or NULL */
    const brz_magic *magics;  /**< or NULL */
    uint32_t n_magics;        /**< how many */
    uint32_t magic_size;      /**< sizeof(brz_magic) */

    /** Looks at the first bytes of an input and says how sure it is that they are its format, from
     * BRZ_SNIFF_NO to BRZ_SNIFF_MAGIC. Pure; fine with any prefix, the empty one included; well
     * under a millisecond. */
    int32_t (*sniff)(const brz_head *);

    /** Once per input, on the whole of its first BRZ_PRELUDE_SIZE bytes (fewer only if the input is
     * shorter: BRZ_CHUNK_LAST). Sets *used to where records begin, and *shared to what every
     * instance shall see. What it allocates lives as long as the run. */
    brz_rc (*prelude)(brz_ctx *, const brz_chunk *, size_t *used, const void **shared);

    /** With BRZ_SPLITTABLE: an offset >= `from` at which a record can start, the nearer the better,
     * or `n` if none is in sight. Pure, looks at `buf` alone. Sequential parsing passes through
     * every offset it gives, and the parser's state there is the state after `prelude`. */
    size_t (*boundary)(const void *shared, const uint8_t *buf, size_t n, size_t from);

    /** Per instance, before its first `parse`. */
    brz_rc (*open)(brz_ctx *);

    /** Consumes whole records and says in *used how far it got. The rest is shown again, with more
     * bytes behind it; *used of 0 asks for more. With BRZ_CHUNK_LAST nothing follows: what is then
     * left over is reported as a truncated record. It keeps nothing that points into a chunk. A
     * record has at most BRZ_RECORD_MAX bytes. */
    brz_rc (*parse)(brz_ctx *, const brz_chunk *, size_t *used);

    /** When all is parsed: moves what the plug-in itself has summed up from one instance to
     * another, in no particular order. */
    brz_rc (*merge)(brz_ctx *into, brz_ctx *from);

    /** Per instance, after that: counts that are still held back are emitted now. */
    brz_rc (*finish)(brz_ctx *);

    /** Per instance, last. Memory from brz_host.alloc needs no freeing. */
    void (*close)(brz_ctx *);
} brz_collapser;

#endif
