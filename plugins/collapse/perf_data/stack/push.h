/* SPDX-License-Identifier: MIT */
/* Pushes the frames of traces, on the thread that names addresses and reads rules. */
#ifndef PERF_DATA_PUSH_H
#define PERF_DATA_PUSH_H

#include "trace.h"

/* The state of a thread at a sample. */
typedef struct traced_thread {
    maps *maps; /* of its process; NULL: nothing is mapped */
    bool is_java, is_starting;
} traced_thread;

/* Appends the frames of a trace to the current stack, leaf first. */
void push_trace(recording *p, const trace *t);

/* Traces a sample, reads symbols and rules on demand, and makes its frames the current stack.
 * The trace has no values. */
void push_sample(recording *p, const event *v, const sample *s, uint32_t mode,
                 const traced_thread *of, trace *to);

/* Appends the frames of the user part of a call chain: `n` words. */
void push_user(recording *p, const thread *of, const uint8_t *words, uint64_t n);

/* Appends the frames of an address of user code. */
void push_address(recording *p, const thread *of, uint64_t ip);

#endif
