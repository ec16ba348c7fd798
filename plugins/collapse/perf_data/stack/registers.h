/* SPDX-License-Identifier: MIT */
/* The registers of samples. */
#ifndef PERF_DATA_REGISTERS_H
#define PERF_DATA_REGISTERS_H

#include "rules.h"
#include "../file/sample.h"

/* Returns the machine whose registers an event records, or NULL. */
const unwind_machine *registers_machine(const recording *p, const event *v);

/* Starts unwinding with the registers and the copy of the stack of a sample. Returns false if it
 * lacks them. */
bool registers_start(unwind_state *u, const tracer *t, const event *v, const sample *s);

/* Returns whether a sample without a copy of the stack has the register into which calls on arm64
 * put the return address. */
bool registers_have_link(const recording *p, const event *v, const sample *s);

/* Returns the address to which the leaf of such a sample returns, if it is in that register only:
 * frame pointers lead from the leaf to the caller of its caller then. Returns 0 if the stack has
 * the address, or if that is unknown. `at` is the code at the leaf's address `ip`. */
uint64_t registers_link(tracer *t, const event *v, const sample *s, uint64_t ip,
                        const traced_code *at);

#endif
