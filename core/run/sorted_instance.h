/* SPDX-License-Identifier: MIT */
/* Reads an input whose collapser returns samples one by one: see brz_sorted_reader.begin. */
#ifndef BRZ_SORTED_INSTANCE_H
#define BRZ_SORTED_INSTANCE_H

#include "host/instance.h"
#include "run/execution.h"
#include "sorted/sample_stack.h"

typedef struct brz_sorted_instance {
    const brz_sorted_reader *reader;
    brz_instance *instance;
    uint8_t *memory; /* the whole input, with slack on both sides */
    size_t len;
    brz_sample_stack stack;
} brz_sorted_instance;

/* Opens an instance of a collapser with these options for an input in `memory` from BRZ_SLACK_FRONT
 * on, which it frees with the instance, and reads its tables. Returns false, after which it is to
 * be closed all the same, if the input has to be collapsed. */
bool brz_sorted_instance_open(brz_sorted_instance *s, const brz_execution *x, const brz_use *use,
                              const brz_sorted_reader *reader, const char *name);

/* Implements brz_sorted_sample_fn. */
int32_t brz_sorted_instance_next(void *instance, brz_sorted_sample *to);

/* Closes and frees it; a zeroed one is allowed. */
void brz_sorted_instance_close(brz_sorted_instance *s);

#endif
