/** @file
 * Defines palettes: components that choose the colours of frames.
 *
 * `color` is a pure function: equal inputs give equal colours, on any thread. `depends` lists the
 * parts of the input that the colour depends on, so that the host can call `color` once per
 * distinct frame rather than once per node.
 */
#ifndef BRAZIER_PALETTE_H
#define BRAZIER_PALETTE_H

#include <brazier/host.h>
#include <brazier/tree.h>

/* Flags of brz_palette.depends. */
#define BRZ_ON_NAME   1u   /**< name of the frame */
#define BRZ_ON_MODULE 2u   /**< module of the frame */
#define BRZ_ON_KIND   4u   /**< kind of the frame */
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

/** The frame to colour. */
typedef struct brz_color_in {
    uint32_t struct_size;        /**< sizeof(brz_color_in) in the host */
    uint32_t reserved;           /**< 0 */
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
    size_t inst_size;       /**< size of brz_ctx.inst */
    uint32_t background[2]; /**< suitable background colours, top and bottom; 0: no preference */
    /** Optional. Prepares an instance for a picture; called once, before `color`. */
    brz_rc (*prepare)(brz_ctx *, const brz_tree *);
    /** Returns a colour as 0xRRGGBBAA, or BRZ_COLOR_NONE. */
    uint32_t (*color)(const brz_ctx *, const brz_color_in *);
    /** Optional. Adds the meanings of the colours in such a picture to the legend; called at any
     * time after `prepare`. */
    void (*legend)(brz_ctx *, const brz_tree *, brz_legend *);
} brz_palette;

#endif
