/* SPDX-License-Identifier: MIT */
/** @file
 * Defines transforms: components that turn a stack into another one, or leave it out.
 *
 * The host calls `open` once per instance, and `apply` once for each stack of the profile. Several
 * instances may each get a part of the stacks, in any order, on threads of their own. Therefore
 * `apply` is a pure function: the result for a stack depends on nothing but its frames, the options
 * and, with BRZ_TRANSFORM_VALUES, its values.
 *
 * A transform reads frames from the tree that it gets, and requests the ids of others from the
 * host. Values, tags and times stay with their stack.
 */
#ifndef BRAZIER_TRANSFORM_H
#define BRAZIER_TRANSFORM_H

#include <brazier/host.h>
#include <brazier/tree.h>

/** Flag of brz_transform: the result depends on brz_stack_edit.values. The host then adds up equal
 * stacks first, which takes time and memory. */
#define BRZ_TRANSFORM_VALUES 1u

typedef struct brz_transform_ctx brz_transform_ctx;
typedef struct brz_transform_host brz_transform_host;

/** The context that the host passes to each call of a transform's instance. It begins like
 * #brz_ctx. */
struct brz_transform_ctx {
    uint32_t struct_size;           /**< sizeof(brz_transform_ctx) in the host */
    uint32_t index;                 /**< index of the instance, from 0 */
    const brz_transform_host *host; /**< host services */
    const void *cfg;                /**< the component's options, parsed and checked; read-only */
    void *inst;    /**< inst_size bytes of state, initially zeroed, 64-byte aligned */
    uint64_t seed; /**< random seed for hash tables; results must not depend on it */
};

/** Services for transforms. They begin like #brz_collapser_host. */
struct brz_transform_host {
    uint32_t struct_size; /**< sizeof(brz_transform_host) in the host */
    uint16_t abi_major;   /**< the host's BRZ_ABI_MAJOR */
    uint16_t abi_minor;   /**< the host's BRZ_ABI_MINOR: the table has no later services */
    const char *name;     /**< name of the host program */
    const char *version;  /**< version of the host program */

    /** Allocates zeroed memory that lives as long as the instance. Never returns NULL: the host
     * ends the run when memory is exhausted. `align` is a power of two, or 0 for 16. */
    void *(*alloc)(brz_transform_ctx *, size_t size, size_t align);
    /** Logs a line for the user. Never fails the run. */
    void (*log)(brz_transform_ctx *, int32_t level, brz_str line);
    /** Reports a diagnostic; brz_diag.at is NULL. Severity BRZ_FATAL fails the run. The host adds
     * up equal ones of all instances. */
    void (*diag)(brz_transform_ctx *, const brz_diag *);
    /** Returns whether the run is to end early. */
    bool (*stopped)(brz_transform_ctx *);
    /** Returns a service outside of this table, such as "brz.draft.name/1" for a draft, or NULL if
     * the host does not have it. */
    const void *(*extension)(brz_transform_ctx *, const char *id);

    /** Returns the id of a frame that has this name and no other attributes. Copies the bytes and
     * replaces invalid UTF-8 by U+FFFD. The tree does not have the frame. */
    brz_frame (*intern)(brz_transform_ctx *, const char *name, size_t len);
    /** Returns the id of a frame with attributes: see brz_frame_desc_of(). The tree does not have
     * the frame. */
    brz_frame (*frame)(brz_transform_ctx *, const brz_frame_desc *);
    /** Opens a file that an option with BRZ_OPTION_PATH names, as
     * brz_collapser_host.open_related does. `flags` is 0. The bytes stay valid and mapped until
     * `close` returns. */
    int32_t (*open_related)(brz_transform_ctx *, brz_str name, uint32_t flags, brz_related_file *);
};

/** A stack. The host fills in the stack as it is; `apply` replaces `frames` and `n`, or leaves them
 * as they are. */
typedef struct brz_stack_edit {
    uint32_t struct_size; /**< sizeof(brz_stack_edit) in the host */
    uint32_t n; /**< number of frames; a transform that sets it to 0 leaves the stack out */
    /** Frames, root first: ids for brz_frame_at(), and of frames that the instance has requested
     * from the host. A transform does not write to this array, but sets the pointer to one of its
     * own, which must stay valid until `apply` returns. Fewer of the same frames need no copy. */
    const brz_frame *frames;
    /** One value per column of the tree, read-only; NULL without BRZ_TRANSFORM_VALUES. */
    const int64_t *values;
    /** Number of leading frames that equal those of the stack in the instance's last call of
     * `apply`, as it was before the call. */
    uint32_t n_common;
    uint32_t reserved; /**< 0; ignore it */
} brz_stack_edit;

/** A transform. */
typedef struct brz_transform {
    uint32_t struct_size; /**< sizeof(brz_transform) */
    uint32_t flags;       /**< BRZ_TRANSFORM_VALUES, or 0 */
    size_t inst_size;     /**< size of brz_transform_ctx.inst */
    /** Optional. Prepares an instance; called once, before `apply`. The tree has the frames and
     * columns of the profile, with its metadata, and neither nodes nor stacks. */
    brz_rc (*open)(brz_transform_ctx *, const brz_tree *);
    /** Changes a stack. The tree is that of `open`. */
    brz_rc (*apply)(brz_transform_ctx *, const brz_tree *, brz_stack_edit *);
    /** Optional. Releases the instance's resources; called last, once per instance, even if `open`
     * failed. Memory from brz_transform_host.alloc needs no freeing. */
    void (*close)(brz_transform_ctx *);
} brz_transform;

/** Reports a diagnostic of a transform. `code` is as in #brz_diag; `msg` is one line without a full
 * stop. */
static inline void brz_transform_report(brz_transform_ctx *ctx, int32_t severity, const char *code,
                                        brz_str msg)
{
    brz_diag d = brz_diag_of(severity, code, NULL, 0, msg);
    ctx->host->diag(ctx, &d);
}

/** Makes room for another element of `size` bytes in a list of `n` elements with capacity *cap.
 * Returns the list, which has moved if it was full. An empty list is NULL, with `n` and *cap 0. */
static inline void *brz_transform_list_room(brz_transform_ctx *ctx, void *items, size_t n,
                                            size_t *cap, size_t size)
{
    if (n < *cap)
        return items;
    *cap = brz_list_grown(*cap);
    return brz_list_move(ctx->host->alloc(ctx, *cap * size, 0), items, n * size);
}

/** Returns the description of a frame of the tree, for a frame that differs from it in a part. */
static inline brz_frame_desc brz_frame_desc_of(const brz_frame_info *f)
{
    brz_frame_desc d;
    memset(&d, 0, sizeof d);
    d.struct_size = (uint32_t)sizeof d;
    d.kind = f->kind;
    d.name = f->name;
    d.module = f->module;
    d.file = f->file;
    d.line = f->line;
    d.column = f->column;
    d.flags = f->flags;
    d.first_line = f->first_line;
    d.address = f->address;
    d.system_name = f->system_name;
    d.build_id = f->build_id;
    return d;
}

#endif
