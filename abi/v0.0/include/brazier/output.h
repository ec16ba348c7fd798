/** @file
 * An output: turns the finished profile into bytes.
 *
 * It never opens a file to write. The host owns where the bytes go, writes them whole or not at
 * all, and remembers a failure: an output may ignore what `write` of the sink answers until its
 * end.
 */
#ifndef BRAZIER_OUTPUT_H
#define BRAZIER_OUTPUT_H

#include <brazier/host.h>
#include <brazier/tree.h>

/* brz_output.flags: what the output needs to be given. */
#define BRZ_OUTPUT_NODES  1u /**< brz_tree.nodes */
#define BRZ_OUTPUT_STACKS 2u /**< brz_tree.stacks */
#define BRZ_OUTPUT_COLOR  4u /**< it calls host->color */
/** Nodes in the order of sorted folded lines: the samples that end in a frame come where its own
 * line sorts, so that a frame appears twice if another one sorts between that line and the lines
 * of its callees ("foo 1", "foo2 1", "foo;bar 1"). Without it every node's siblings have names of
 * their own. Pictures that shall match the reference tools' need it. */
#define BRZ_OUTPUT_LINE_ORDER 8u

/** Where an output's bytes go. */
typedef struct brz_sink brz_sink;
struct brz_sink {
    uint32_t struct_size; /**< sizeof(brz_sink) in the host */
    uint32_t columns;     /**< how wide the terminal is that it writes to; 0: it is none */
    /** Takes the next bytes. Once one call failed all others do. */
    brz_rc (*write)(brz_sink *, const void *data, size_t len);
};

/** What an output is. */
typedef struct brz_output {
    uint32_t struct_size;   /**< sizeof(brz_output) */
    uint32_t flags;         /**< BRZ_OUTPUT_NODES and so on */
    size_t inst_size;       /**< of brz_ctx.inst */
    const char *media_type; /**< "image/svg+xml" */
    /** File name endings it answers to, the longest one wins; NULL-terminated. */
    const char *const *endings;
    /** Writes the profile; the last thing that the sink answered is its answer. */
    brz_rc (*write)(brz_ctx *, const brz_tree *, brz_sink *);
} brz_output;

#endif
