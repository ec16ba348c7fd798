/* SPDX-License-Identifier: MIT */
/* Turns samples of frames into sorted stacks: texts that share their beginning with the one before.
 *
 * Each frame is examined once. A stack is plain if folded text has its names as they are, and its
 * bytes come after those of the stack before.
 */
#ifndef BRZ_SAMPLE_STACK_H
#define BRZ_SAMPLE_STACK_H

#include <brazier/draft/sorted.h>
#include <brazier/text/find.h>

#include "base/buf.h"
#include "profile/profile.h"

typedef struct brz_sample_stack {
    const brz_profile *profile; /* of the frames; the caller's, which may add frames */
    bool *are_plain;            /* by frame, as far as they are known */
    size_t n_known, known_cap;
    /* The last stack. */
    brz_frame *frames; /* root first */
    uint32_t *ends;    /* offsets after their names */
    size_t n, cap;
    brz_buf text;
    brz_buf rest; /* of the next text, after the names that both share */
    brz_prefix_fn *common_prefix;
} brz_sample_stack;

void brz_sample_stack_init(brz_sample_stack *s, const brz_profile *profile);
void brz_sample_stack_finish(brz_sample_stack *s);

/* Stores the stack of a sample, whose text is valid until the next call. Returns false if it is not
 * plain. */
bool brz_sample_stack_set(brz_sample_stack *s, const brz_sorted_sample *x, brz_sorted_stack *to);

/* Fills in the weight of the samples. Returns false unless it is the only one, without decimals and
 * special rules for sums. */
bool brz_sample_stack_weight(const brz_sample_stack *s, brz_column_desc *d);

#endif
