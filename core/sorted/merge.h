/* SPDX-License-Identifier: MIT */
/* Adds up several sorted inputs, or compares two of them.
 *
 * The stacks of the result are those of the inputs, in the same order, with sums of counts, or with
 * the counts of both. Memory holds a stack of each input, and what its buffer has read ahead.
 */
#ifndef BRZ_SORTED_MERGE_H
#define BRZ_SORTED_MERGE_H

#include <stdatomic.h>

#include <brazier/output.h>

#include "base/buf.h"
#include "sorted/loser_tree.h"
#include "sorted/source.h"

typedef enum brz_merge_end {
    BRZ_MERGE_DONE,
    BRZ_MERGE_NOT_PLAIN, /* an input needs a collapser, or a sum is too large */
    BRZ_MERGE_UNREAD,    /* an input cannot be read */
    BRZ_MERGE_UNWRITTEN, /* the sink has failed */
    BRZ_MERGE_STOPPED,
} brz_merge_end;

typedef struct brz_sorted_merge {
    brz_sorted_source *sources;
    uint32_t n;
    bool compares; /* writes the counts of both inputs, of which there are two */
    uint64_t most; /* largest count that is written */
    const brz_sorted_writer *writer;
    const atomic_bool *stop; /* ends the merge */

    uint64_t sum; /* of all counts */

    brz_sorted_stack *stacks; /* for each source, those that are taken together */
    size_t stacks_each;
    brz_loser_tree tree; /* of the next stacks */
    uint64_t *counts;    /* of the next stacks */
    brz_buf names;       /* of the stack that is being added up */
    uint64_t sums[2];    /* its counts; without a comparison, the first one is their sum */
    brz_buf out;
} brz_sorted_merge;

/* Prepares a merge of `n` sources, which the caller opens and the merge owns. */
void brz_sorted_merge_init(brz_sorted_merge *m, uint32_t n, const brz_sorted_writer *writer,
                           const atomic_bool *stop);

/* Maximum size of all buffers of a merge, which grow with the longest records. */
#define BRZ_MERGE_BUFFERS ((size_t)64 << 20)

/* Prepares source number `i` of a merge, see brz_sorted_source_init(), with a function that reads
 * its bytes. */
void brz_sorted_merge_open(brz_sorted_merge *m, uint32_t i, const brz_sorted_reader *reader,
                           size_t cap, brz_sorted_fill_fn *fill, void *context);

/* Prepares source number `i` of a merge as one of samples, see brz_sorted_source_init_samples(). */
void brz_sorted_merge_open_samples(brz_sorted_merge *m, uint32_t i, brz_sample_stack *samples,
                                   brz_sorted_sample_fn *read_sample, void *context);

/* Writes the result to a sink. */
brz_merge_end brz_sorted_merge_write(brz_sorted_merge *m, brz_sink *sink);

/* Frees a merge with its sources. */
void brz_sorted_merge_finish(brz_sorted_merge *m);

#endif
