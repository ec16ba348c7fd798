/* SPDX-License-Identifier: MIT */
/** @file
 * Defines palettes: components that choose the colours of frames.
 *
 * After `prepare`, `color` is a pure function: equal inputs give equal colours, on whichever
 * thread. The host calls an instance from one thread at a time, so `color` may use the instance's
 * memory as scratch space; several instances may run at the same time. `depends` lists the parts of
 * the input that the colour depends on, so that the host can call `color` once per distinct frame
 * rather than once per node.
 */
#ifndef BRAZIER_PALETTE_H
#define BRAZIER_PALETTE_H

#include <brazier/host.h>
#include <brazier/tree.h>

/* Flags of brz_palette.depends. */
#define BRZ_ON_NAME   1u   /**< name of the frame */
#define BRZ_ON_MODULE 2u   /**< module of the frame */
#define BRZ_ON_KIND   4u   /**< kind and flags of the frame; brz_display_name() uses them, too */
#define BRZ_ON_SOURCE 8u   /**< source file and line */
#define BRZ_ON_DEPTH  16u  /**< depth of the node */
#define BRZ_ON_VALUE  32u  /**< self and total weight, and delta */
#define BRZ_ON_SEED   64u  /**< brz_color_in.seed: each drawn frame advances the sequence */
#define BRZ_ON_PATH   128u /**< the callers, up to the root */

/** Returned by a palette that has no colour for a frame; the host asks the next palette. */
#define BRZ_COLOR_NONE 0u

/** Returns an opaque colour as 0xRRGGBBAA. */
#define BRZ_RGB(r, g, b)                                                                           \
    (((uint32_t)(r) << 24) | ((uint32_t)(g) << 16) | ((uint32_t)(b) << 8) | 0xffu)

typedef struct brz_palette_ctx brz_palette_ctx;
typedef struct brz_palette_host brz_palette_host;

/** The context that the host passes to each call of a palette's instance. It begins like #brz_ctx.
 */
struct brz_palette_ctx {
    uint32_t struct_size;         /**< sizeof(brz_palette_ctx) in the host */
    uint32_t index;               /**< index of the instance, from 0 */
    const brz_palette_host *host; /**< host services */
    const void *cfg;              /**< the component's options, parsed and checked; read-only */
    void *inst;    /**< inst_size bytes of state, initially zeroed, 64-byte aligned */
    uint64_t seed; /**< random seed for hash tables; results must not depend on it */
};

/** Services for palettes. They begin like #brz_collapser_host. */
struct brz_palette_host {
    uint32_t struct_size; /**< sizeof(brz_palette_host) in the host */
    uint16_t abi_major;   /**< the host's BRZ_ABI_MAJOR */
    uint16_t abi_minor;   /**< the host's BRZ_ABI_MINOR: the table has no later services */
    const char *name;     /**< name of the host program */
    const char *version;  /**< version of the host program */

    /** Allocates zeroed memory that lives as long as the instance. Never returns NULL: the host
     * ends the run when memory is exhausted. `align` is a power of two, or 0 for 16. */
    void *(*alloc)(brz_palette_ctx *, size_t size, size_t align);
    /** Logs a line for the user. Never fails the run. */
    void (*log)(brz_palette_ctx *, int32_t level, brz_str line);
    /** Reports a diagnostic; brz_diag.at is NULL. Severity BRZ_FATAL fails the run. */
    void (*diag)(brz_palette_ctx *, const brz_diag *);
    /** Returns whether the run is to end early. */
    bool (*stopped)(brz_palette_ctx *);
    /** Returns a service outside of this table, such as "brz.draft.name/1" for a draft, or NULL if
     * the host does not have it. */
    const void *(*extension)(brz_palette_ctx *, const char *id);
};

/** Reports a diagnostic of a palette. `code` is as in #brz_diag; `msg` is one line without a full
 * stop. */
static inline void brz_palette_report(brz_palette_ctx *ctx, int32_t severity, const char *code,
                                      brz_str msg)
{
    brz_diag d = brz_diag_of(severity, code, NULL, 0, msg);
    ctx->host->diag(ctx, &d);
}

/** The frame to colour. */
typedef struct brz_color_in {
    uint32_t struct_size;        /**< sizeof(brz_color_in) in the host */
    uint32_t reserved;           /**< 0; ignore it */
    const brz_frame_info *frame; /**< the function */
    const brz_node *node;        /**< the node that is drawn */
    const brz_tree *tree;        /**< the whole profile */
    /** brz_delta() relative to the largest such difference, -1 to 1; 0 without a comparison. */
    double delta;
    uint64_t seed; /**< random seed of this frame, for brz_numbers_random() */
} brz_color_in;

/** A palette. */
typedef struct brz_palette {
    uint32_t struct_size;   /**< sizeof(brz_palette) */
    uint32_t depends;       /**< BRZ_ON_NAME and others: all inputs that `color` uses */
    size_t inst_size;       /**< size of brz_palette_ctx.inst */
    uint32_t background[2]; /**< suitable background colours, top and bottom; 0: no preference */
    /** Optional. Prepares an instance for a picture; called once, before `color`. The tree is that
     * of the picture; if `depends` has only properties of frames, it may be that of the weight
     * which the profile shows by default, with the same frames, so that all weights have the same
     * colours. */
    brz_rc (*prepare)(brz_palette_ctx *, const brz_tree *);
    /** Returns a colour as 0xRRGGBBAA, or BRZ_COLOR_NONE. */
    uint32_t (*color)(const brz_palette_ctx *, const brz_color_in *);
    /** Optional. Adds the meanings of the colours in such a picture to the legend; called at any
     * time after `prepare`. */
    void (*legend)(brz_palette_ctx *, const brz_tree *, brz_legend *);
    /** Optional. Releases the instance's resources; called last, once per instance, even if
     * `prepare` failed. Memory from brz_palette_host.alloc needs no freeing. */
    void (*close)(brz_palette_ctx *);
} brz_palette;

#endif
