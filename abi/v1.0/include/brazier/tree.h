/* SPDX-License-Identifier: MIT */
/** @file
 * Describes the finished profile, as stacks and as a call tree, for transforms, palettes and
 * outputs.
 *
 * Arrays come with the size of their elements, because later versions may add members to the
 * elements: use the accessor functions of this header. Node 0 is the root, which represents the
 * whole profile and has an empty name. Nodes are in preorder: the subtree of node i is nodes i .. i
 * + subtree - 1. The output's flags determine which of the two forms exists (BRZ_OUTPUT_NODES,
 * BRZ_OUTPUT_STACKS).
 */
#ifndef BRAZIER_TREE_H
#define BRAZIER_TREE_H

#include <brazier/metadata.h>
#include <brazier/tag.h>

/** A function with all its attributes; empty and 0 mean unknown. */
typedef struct brz_frame_info {
    brz_str name;        /**< name; in compatible text annotated: see brz_display_name() */
    brz_str module;      /**< program, library or package */
    brz_str file;        /**< source file */
    uint32_t line;       /**< line in the source file, from 1 */
    uint32_t kind;       /**< BRZ_KIND_OTHER and others */
    brz_str system_name; /**< name as in the symbol table, such as a mangled one */
    brz_str build_id;    /**< build id of the module, in hexadecimal digits */
    uint64_t address;    /**< address of the code */
    uint32_t column;     /**< column in the line, from 1 */
    uint32_t first_line; /**< line in which the function begins, from 1 */
    uint32_t flags;      /**< BRZ_FRAME_INLINED and others */
    uint32_t reserved;   /**< 0; ignore it */
} brz_frame_info;

/** A node of the call tree: a function, called by the functions above it. */
typedef struct brz_node {
    uint32_t frame;   /**< index for brz_frame_at() */
    uint32_t parent;  /**< index of the caller's node; 0 for the root */
    uint32_t subtree; /**< number of nodes in its subtree, including itself */
    uint32_t depth;   /**< 0 for the root */
    int64_t self;     /**< weight of the node itself: its value in the main column */
    int64_t total;    /**< weight of its whole subtree */
} brz_node;

/** Weights of a node in the two profiles of a comparison. With BRZ_TREE_SIGNED and without a
 * comparison, the losses of a node, without their sign, are `before`, and its gains are `after`. */
typedef struct brz_change {
    int64_t before_self;  /**< weight of the node itself in the first profile */
    int64_t before_total; /**< weight of its subtree in the first profile */
    int64_t after_self;   /**< weight of the node itself in the second profile */
    int64_t after_total;  /**< weight of its subtree in the second profile */
} brz_change;

/** A distinct stack. Stacks are in the order of sorted folded lines. */
typedef struct brz_stack_info {
    const brz_frame *frames; /**< frames, root first */
    uint32_t n;              /**< number of frames */
    uint32_t n_common;       /**< number of leading frames that equal those of the previous stack */
    const int64_t *values;   /**< one value per column of the tree */
} brz_stack_info;

/** A column of the profile. */
typedef struct brz_column_info {
    brz_str name;      /**< name, such as "samples" */
    brz_str unit;      /**< unit, such as "nanoseconds" */
    uint32_t decimals; /**< values are multiples of 10^-decimals */
    uint32_t flags;    /**< BRZ_COLUMN_DEFAULT and others; ignore unknown bits */
    int64_t total;     /**< sum over all samples */
} brz_column_info;

/** Names the process, thread and processor of samples, with their labels. Tags are sorted by their
 * members, so their order does not depend on the order of the input; tag 0 is empty. */
typedef struct brz_tag_info {
    uint32_t flags;          /**< BRZ_TAG_PROCESS and others: the numbers that are known */
    uint32_t cpu;            /**< number of the processor */
    int64_t process;         /**< process id */
    int64_t thread;          /**< thread id */
    brz_str process_name;    /**< name of the process; empty: unknown */
    brz_str thread_name;     /**< name of the thread; empty: unknown */
    const brz_label *labels; /**< labels, sorted by key */
    uint32_t n_labels;       /**< number of labels */
    uint32_t label_size;     /**< size of a label in bytes: use brz_label_at() */
} brz_tag_info;

/** A sample: the values of a stack and a tag. Without BRZ_TREE_SAMPLES_IN_TIME there is one per
 * stack and tag, with sums, sorted by these; otherwise there is one per sample of the input. */
typedef struct brz_sample_info {
    int64_t time;          /**< with BRZ_TIMED: nanoseconds on the profile's clock */
    const int64_t *values; /**< one value per column of the tree; 0 for columns that it lacks */
    uint32_t stack;        /**< index for brz_stack_at() */
    uint32_t tag;          /**< index for brz_tag_at(); 0: none */
    uint32_t flags;        /**< BRZ_TIMED, or 0 */
    uint32_t reserved;     /**< 0; ignore it */
} brz_sample_info;

/** One of several profiles in the input: the samples whose tags have all members of `tag`. */
typedef struct brz_part_info {
    const brz_tag_info *tag;      /**< the members that its tags have; never NULL */
    const brz_metadata *metadata; /**< the facts about it, completed by those about the whole */
} brz_part_info;

/** Stands for the absence of a column. */
#define BRZ_NO_COLUMN UINT32_MAX

/** Flag of brz_tree: brz_delta() compares weights of nodes themselves, without their subtrees. */
#define BRZ_TREE_SELF_DELTAS 1u
/** Flag of brz_tree: nodes are in the order of the input, and only adjacent ones are merged, as in
 * a flame chart. The parts of a node's own weight may lie anywhere between its children: see
 * brz_tree.starts. */
#define BRZ_TREE_TIME_ORDER 2u
/** Flag of brz_tree: samples are single ones, in the order of their times. Samples without a time
 * come first; samples of the same time are in the order of the input. */
#define BRZ_TREE_SAMPLES_IN_TIME 4u

/** Flag of brz_tree: a column of the run has negative values. Weights of nodes are sums of sizes
 * without a sign, so that nodes lie within their parents; brz_signed_total() has the sign. Values
 * of stacks and samples keep their signs. */
#define BRZ_TREE_SIGNED 8u

/** The finished profile. */
typedef struct brz_tree {
    uint32_t struct_size; /**< sizeof(brz_tree) in the host */
    uint32_t frame_size;  /**< size of a frame in bytes */
    uint32_t node_size;   /**< size of a node in bytes */
    uint32_t stack_size;  /**< size of a stack in bytes */
    uint32_t column_size; /**< size of a column in bytes */
    uint32_t change_size; /**< size of a change in bytes */
    uint32_t n_frames;    /**< number of frames */
    uint32_t n_nodes;     /**< number of nodes, if the output uses nodes */
    uint32_t n_stacks;    /**< number of stacks, if the output uses stacks */
    uint32_t n_columns;   /**< number of columns */
    uint32_t max_depth;   /**< maximum depth of the nodes */
    uint32_t main_column; /**< index of the column that the run shows, which determines widths */
    uint32_t before;      /**< index of the first column of a comparison, or BRZ_NO_COLUMN */
    uint32_t after;       /**< index of the second column, or BRZ_NO_COLUMN */
    uint32_t flags;       /**< BRZ_TREE_SELF_DELTAS and others */
    uint32_t n_tags;      /**< number of tags, at least 1 if the output uses samples */
    const void *frames;   /**< array for brz_frame_at() */
    const void *nodes;    /**< array for brz_node_at() */
    const void *stacks;   /**< array for brz_stack_at() */
    const void *columns;  /**< array for brz_column_at() */
    const void *changes; /**< array for brz_change_at(), one per node; NULL: nodes have no change */
    const int64_t *starts; /**< weight of the input before each node; NULL: nodes are merged */
    uint32_t tag_size;     /**< size of a tag in bytes */
    uint32_t sample_size;  /**< size of a sample in bytes */
    uint64_t n_samples;    /**< number of samples, if the output uses samples */
    const void *tags;      /**< array for brz_tag_at() */
    const void *samples;   /**< array for brz_sample_at() */
    const brz_metadata *metadata; /**< facts about the recording; never NULL */
    /** With BRZ_OUTPUT_COUNTS: how many samples each node has itself, without its subtree: the
     * values of the first column with BRZ_COLUMN_SAMPLES that is not zero and is not the main one.
     * NULL: there is no such column, or nodes are not merged. */
    const int64_t *counts;
    /** Array for brz_part_at(): the profiles in the input, in the order of their tags. The array is
     * empty if all samples belong to one profile, which `metadata` describes. */
    const void *parts;
    uint32_t n_parts;   /**< number of parts */
    uint32_t part_size; /**< size of a part in bytes */
} brz_tree;

/** Returns element `i` of an array whose elements are `stride` bytes apart. */
static inline const void *brz_at(const void *base, uint32_t stride, size_t i)
{
    return (const char *)base + (size_t)stride * i;
}

/** Returns frame `i`, which is a node's `frame` or any number below n_frames. */
static inline const brz_frame_info *brz_frame_at(const brz_tree *t, uint32_t i)
{
    return (const brz_frame_info *)brz_at(t->frames, t->frame_size, i);
}

/** Returns node `i`, which must be below n_nodes; node 0 is the root. */
static inline const brz_node *brz_node_at(const brz_tree *t, uint32_t i)
{
    return (const brz_node *)brz_at(t->nodes, t->node_size, i);
}

/** Returns stack `i`, which must be below n_stacks. */
static inline const brz_stack_info *brz_stack_at(const brz_tree *t, uint32_t i)
{
    return (const brz_stack_info *)brz_at(t->stacks, t->stack_size, i);
}

/** Returns column `i`, which must be below n_columns. */
static inline const brz_column_info *brz_column_at(const brz_tree *t, uint32_t i)
{
    return (const brz_column_info *)brz_at(t->columns, t->column_size, i);
}

/** Returns the weights of node `i` in both profiles. brz_tree.changes must not be NULL. */
static inline const brz_change *brz_change_at(const brz_tree *t, uint32_t i)
{
    return (const brz_change *)brz_at(t->changes, t->change_size, i);
}

/** Returns tag `i`, which must be below n_tags. */
static inline const brz_tag_info *brz_tag_at(const brz_tree *t, uint32_t i)
{
    return (const brz_tag_info *)brz_at(t->tags, t->tag_size, i);
}

/** Returns label `i` of a tag, which must be below n_labels. */
static inline const brz_label *brz_label_at(const brz_tag_info *tag, uint32_t i)
{
    return (const brz_label *)brz_at(tag->labels, tag->label_size, i);
}

/** Returns sample `i`, which must be below n_samples. */
static inline const brz_sample_info *brz_sample_at(const brz_tree *t, uint64_t i)
{
    return (const brz_sample_info *)brz_at(t->samples, t->sample_size, (size_t)i);
}

/** Returns part `i`, which must be below n_parts. */
static inline const brz_part_info *brz_part_at(const brz_tree *t, uint32_t i)
{
    return (const brz_part_info *)brz_at(t->parts, t->part_size, i);
}

/** Returns pair `i` of the metadata, which must be below n_pairs. */
static inline const brz_pair *brz_pair_at(const brz_metadata *m, uint64_t i)
{
    return (const brz_pair *)brz_at(m->pairs, m->pair_size, (size_t)i);
}

/** Returns how much heavier node `i` became; 0 without a comparison. */
static inline int64_t brz_delta(const brz_tree *t, uint32_t i)
{
    if (t->changes == NULL)
        return 0;
    const brz_change *c = brz_change_at(t, i);
    if (t->flags & BRZ_TREE_SELF_DELTAS)
        return (int64_t)((uint64_t)c->after_self - (uint64_t)c->before_self);
    return (int64_t)((uint64_t)c->after_total - (uint64_t)c->before_total);
}

/** Returns the side of a change that is in the main column, with its sign. Helper of
 * brz_signed_self() and brz_signed_total(). */
static inline int64_t brz_signed_side(const brz_tree *t, int64_t before, int64_t after)
{
    if (t->before == BRZ_NO_COLUMN)
        return (int64_t)((uint64_t)after - (uint64_t)before);
    if (t->main_column == t->before)
        return before;
    return t->main_column == t->after ? after : (int64_t)((uint64_t)before + (uint64_t)after);
}

/** Returns the weight of node `i` itself with its sign: gains less losses. In a comparison it is
 * that of the profile that determines widths, or the sum of both. */
static inline int64_t brz_signed_self(const brz_tree *t, uint32_t i)
{
    if (!(t->flags & BRZ_TREE_SIGNED) || t->changes == NULL)
        return brz_node_at(t, i)->self;
    const brz_change *c = brz_change_at(t, i);
    return brz_signed_side(t, c->before_self, c->after_self);
}

/** Returns the weight of the subtree of node `i` with its sign. */
static inline int64_t brz_signed_total(const brz_tree *t, uint32_t i)
{
    if (!(t->flags & BRZ_TREE_SIGNED) || t->changes == NULL)
        return brz_node_at(t, i)->total;
    const brz_change *c = brz_change_at(t, i);
    return brz_signed_side(t, c->before_total, c->after_total);
}

/** Returns the x of a name that ends in the annotation _[x] of compatible text: k for kernel code,
 * i for inlined, j for JIT-compiled code, w for the stack of a waker. Returns 0 for other names. */
static inline char brz_name_annotation(brz_str name)
{
    const char *end = name.data + name.len;
    if (name.len < 4 || end[-4] != '_' || end[-3] != '[' || end[-1] != ']')
        return 0;
    char c = end[-2];
    if (c != 'k' && c != 'i' && c != 'j' && c != 'w')
        return 0;
    return c;
}

/** Returns the name of a frame without the annotation that compatible text has; viewers show the
 * result. It is an annotation only if the frame has the attribute that it stands for. */
static inline brz_str brz_display_name(const brz_frame_info *f)
{
    char x = brz_name_annotation(f->name);
    uint32_t flag = x == 'i' ? BRZ_FRAME_INLINED : x == 'j' ? BRZ_FRAME_JIT : BRZ_FRAME_WAKER;
    bool is_told = x == 'k' ? f->kind == BRZ_KIND_KERNEL : (f->flags & flag) != 0;
    return x != 0 && is_told ? brz_str_of(f->name.data, f->name.len - 4) : f->name;
}

#endif
