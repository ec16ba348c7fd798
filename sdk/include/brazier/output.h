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

/** The destination of an output's bytes. */
typedef struct brz_sink brz_sink;
struct brz_sink {
    uint32_t struct_size; /**< sizeof(brz_sink) in the host */
    uint32_t columns;     /**< width of the terminal being written to; 0: not a terminal */
    /** Writes bytes. After a call has failed, all later ones fail. */
    brz_rc (*write)(brz_sink *, const void *data, size_t len);
};

/** An output. */
typedef struct brz_output {
    uint32_t struct_size;   /**< sizeof(brz_output) */
    uint32_t flags;         /**< BRZ_OUTPUT_NODES and others */
    size_t inst_size;       /**< size of brz_ctx.inst */
    const char *media_type; /**< media type, such as "image/svg+xml" */
    /** File name endings that select this output, NULL-terminated; the longest match wins. */
    const char *const *endings;
    /** Writes the profile. Returns the last result of brz_sink.write. */
    brz_rc (*write)(brz_ctx *, const brz_tree *, brz_sink *);
} brz_output;

#endif
