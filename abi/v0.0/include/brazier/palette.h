/** @file
 * A palette: gives a frame its colour.
 *
 * `color` is pure: the same brz_color_in gives the same colour, on any thread. `depends` says which
 * parts of it matter, so that the host can ask once per distinct frame rather than once per node.
 */
#ifndef BRAZIER_PALETTE_H
#define BRAZIER_PALETTE_H

#include <brazier/host.h>
#include <brazier/tree.h>

/* brz_palette.depends */
#define BRZ_ON_NAME   1u   /**< the frame's name */
#define BRZ_ON_MODULE 2u   /**< its module */
#define BRZ_ON_KIND   4u   /**< its kind */
#define BRZ_ON_SOURCE 8u   /**< file and line */
#define BRZ_ON_DEPTH  16u  /**< the depth of the node */
#define BRZ_ON_VALUE  32u  /**< self, total, delta */
#define BRZ_ON_SEED   64u  /**< each drawn frame moves the picture's random sequence on */
#define BRZ_ON_PATH   128u /**< the frames above it, up to the root */

/** No opinion: the next palette of the chain is asked. */
#define BRZ_COLOR_NONE 0u

/** The colour 0xRRGGBBAA, opaque. */
#define BRZ_RGB(r, g, b)                                                                           \
    (((uint32_t)(r) << 24) | ((uint32_t)(g) << 16) | ((uint32_t)(b) << 8) | 0xffu)

/** What is to be coloured. */
typedef struct brz_color_in {
    uint32_t struct_size;        /**< sizeof(brz_color_in) in the host */
    uint32_t reserved;           /**< 0 */
    const brz_frame_info *frame; /**< the function */
    const brz_node *node;        /**< the call of it that is drawn */
    const brz_tree *tree;        /**< the whole picture */
    double delta;  /**< brz_delta / the largest such difference, -1..1; 0 if nothing is compared */
    uint64_t seed; /**< of this drawn frame: see brz_numbers_random in <brazier/numbers.h> */
} brz_color_in;

/** What a palette is. */
typedef struct brz_palette {
    uint32_t struct_size;   /**< sizeof(brz_palette) */
    uint32_t depends;       /**< BRZ_ON_NAME and so on: all that `color` looks at */
    size_t inst_size;       /**< of brz_ctx.inst */
    uint32_t background[2]; /**< a picture's, top and bottom, that suit it; 0: no opinion */
    /** Optional: once per picture, before `color`. */
    brz_rc (*prepare)(brz_ctx *, const brz_tree *);
    /** The colour 0xRRGGBBAA, or BRZ_COLOR_NONE. */
    uint32_t (*color)(const brz_ctx *, const brz_color_in *);
    /** Optional, any time after `prepare`: adds what the colours of such a picture mean. */
    void (*legend)(brz_ctx *, const brz_tree *, brz_legend *);
} brz_palette;

#endif
