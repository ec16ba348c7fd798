/* SPDX-License-Identifier: MIT */
/** @file
 * Defines outputs: components that turn the finished profile into bytes.
 *
 * An output never opens files for writing. The host decides where the bytes go, makes sure that a
 * file is written completely or not at all, and remembers write errors: an output may ignore the
 * results of brz_sink.write until its end.
 */
#ifndef BRAZIER_OUTPUT_H
#define BRAZIER_OUTPUT_H

#include <brazier/host.h>
#include <brazier/tree.h>

/* Flags of brz_output: the data and services that the output uses. */
#define BRZ_OUTPUT_NODES  1u /**< uses brz_tree.nodes */
#define BRZ_OUTPUT_STACKS 2u /**< uses brz_tree.stacks */
#define BRZ_OUTPUT_COLOR  4u /**< calls host->color */
/** Orders nodes like sorted folded lines: the samples that end in a frame appear where the frame's
 * own line sorts. A frame therefore appears twice if another one sorts between that line and the
 * lines of its callees ("foo 1", "foo2 1", "foo;bar 1"). Without this flag, siblings have distinct
 * names. Pictures that are to match those of the reference tools need it. */
#define BRZ_OUTPUT_LINE_ORDER 8u

/** Uses brz_tree.samples and brz_tree.tags, and brz_tree.stacks, to which they refer. The run then
 * asks collapsers for tags. */
#define BRZ_OUTPUT_TAGS 16u
/** Uses the same, one by one and with times. The run then asks collapsers for times; the whole
 * input is parsed on one thread. */
#define BRZ_OUTPUT_TIME 32u

/** Does not use lines, columns and addresses of frames. If no output of a run uses them, the host
 * drops those that the user does not ask for before it compares frames. */
#define BRZ_OUTPUT_FUNCTIONS 64u
/** Distinguishes stacks by all attributes of their frames. Without this flag, stacks whose frames
 * have the same names are one stack, with the attributes of the first of them. */
#define BRZ_OUTPUT_FRAMES 128u
/** Uses brz_tree.counts: the samples of nodes, in addition to the main column. */
#define BRZ_OUTPUT_COUNTS 256u

/** The destination of an output's bytes. */
typedef struct brz_sink brz_sink;
struct brz_sink {
    uint32_t struct_size; /**< sizeof(brz_sink) in the host */
    uint32_t columns;     /**< width of the terminal being written to; 0: not a terminal */
    /** Writes bytes. After a call has failed, all later ones fail. */
    brz_rc (*write)(brz_sink *, const void *data, size_t len);
};

typedef struct brz_output_ctx brz_output_ctx;
typedef struct brz_output_host brz_output_host;

/** The context that the host passes to each call of an output's instance. It begins like #brz_ctx.
 */
struct brz_output_ctx {
    uint32_t struct_size;        /**< sizeof(brz_output_ctx) in the host */
    uint32_t index;              /**< index of the instance, from 0 */
    const brz_output_host *host; /**< host services */
    const void *cfg;             /**< the component's options, parsed and checked; read-only */
    void *inst;                  /**< inst_size bytes of state, initially zeroed, 64-byte aligned */
    uint64_t seed;               /**< random seed for hash tables; results must not depend on it */
};

/** Services for outputs. They begin like #brz_collapser_host. */
struct brz_output_host {
    uint32_t struct_size; /**< sizeof(brz_output_host) in the host */
    uint16_t abi_major;   /**< the host's BRZ_ABI_MAJOR */
    uint16_t abi_minor;   /**< the host's BRZ_ABI_MINOR: the table has no later services */
    const char *name;     /**< name of the host program */
    const char *version;  /**< version of the host program */

    /** Allocates zeroed memory that lives as long as the instance. Never returns NULL: the host
     * ends the run when memory is exhausted. `align` is a power of two, or 0 for 16. */
    void *(*alloc)(brz_output_ctx *, size_t size, size_t align);
    /** Logs a line for the user. Never fails the run. */
    void (*log)(brz_output_ctx *, int32_t level, brz_str line);
    /** Reports a diagnostic; brz_diag.at is NULL. Severity BRZ_FATAL fails the run. */
    void (*diag)(brz_output_ctx *, const brz_diag *);
    /** Returns whether the run is to end early. */
    bool (*stopped)(brz_output_ctx *);
    /** Returns a service outside of this table, such as "brz.draft.name/1" for a draft, or NULL if
     * the host does not have it. */
    const void *(*extension)(brz_output_ctx *, const char *id);

    /** Returns the colour of a node, as 0xRRGGBBAA. Call it once per drawn frame, in drawing order:
     * palettes that draw random numbers depend on the order. */
    uint32_t (*color)(brz_output_ctx *, const brz_tree *, uint32_t node);
    /** Stores the top and bottom background colours that suit the palette, as 0xRRGGBBAA. */
    void (*background)(brz_output_ctx *, uint32_t colors[2]);
    /** Adds the meanings of the palettes' colours to a legend. Palettes whose colours have no
     * meaning add nothing. */
    void (*legend)(brz_output_ctx *, const brz_tree *, brz_legend *);
};

/** Reports a diagnostic of an output. `code` is as in #brz_diag; `msg` is one line without a full
 * stop. */
static inline void brz_output_report(brz_output_ctx *ctx, int32_t severity, const char *code,
                                     brz_str msg)
{
    brz_diag d = brz_diag_of(severity, code, NULL, 0, msg);
    ctx->host->diag(ctx, &d);
}

/** Copies a text into memory that lives as long as the instance. Adds a terminating zero byte,
 * which the length does not include. */
static inline brz_str brz_output_keep(brz_output_ctx *ctx, brz_str s)
{
    return brz_str_copy(ctx->host->alloc(ctx, s.len + 1, 1), s);
}

/** Makes room for another element of `size` bytes in a list of `n` elements with capacity *cap.
 * Returns the list, which has moved if it was full. An empty list is NULL, with `n` and *cap 0. */
static inline void *brz_output_list_room(brz_output_ctx *ctx, void *items, size_t n, size_t *cap,
                                         size_t size)
{
    if (n < *cap)
        return items;
    *cap = brz_list_grown(*cap);
    return brz_list_move(ctx->host->alloc(ctx, *cap * size, 0), items, n * size);
}

/** An output. */
typedef struct brz_output {
    uint32_t struct_size;   /**< sizeof(brz_output) */
    uint32_t flags;         /**< BRZ_OUTPUT_NODES and others */
    size_t inst_size;       /**< size of brz_output_ctx.inst */
    const char *media_type; /**< media type, such as "image/svg+xml" */
    /** File name endings that select this output, NULL-terminated; the longest match wins. NULL if
     * none does: the user names the output. */
    const char *const *endings;
    /** Writes the profile. Returns the last result of brz_sink.write. */
    brz_rc (*write)(brz_output_ctx *, const brz_tree *, brz_sink *);
    /** Optional. Releases the instance's resources; called last, once per instance, even if `write`
     * failed. Memory from brz_output_host.alloc needs no freeing. */
    void (*close)(brz_output_ctx *);

    /** Optional. Returns what the component offers under the id of a draft, such as
     * "brz.draft.name/1", or NULL. Must be a pure function. */
    const void *(*offer)(const char *id);
} brz_output;

#endif
