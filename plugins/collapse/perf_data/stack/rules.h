/* SPDX-License-Identifier: MIT */
/* The rules by which the caller of code in a module is found.
 *
 * One thread reads rules and keeps them. Others may look for those that are kept at the same time.
 */
#ifndef PERF_DATA_RULES_H
#define PERF_DATA_RULES_H

#include "tracer.h"

#include "../../../common/symbols/unwind/trampoline.h"

void rules_init(recording *p);

/* Prepares for tracers without a reader. */
void rules_prepare(recording *p);

/* Finds the rules of code in a module that are not with its entry. Returns NULL if they would have
 * to be read and the tracer has no reader. */
const frame_rule *rules_find(tracer *t, const unwind_machine *machine, const traced_code *at);

/* Returns the rules of code in a module, likewise. */
static inline const frame_rule *rules_at(tracer *t, const unwind_machine *machine,
                                         const traced_code *at)
{
    const frame_rule *r =
        at->known == NULL ? NULL : atomic_load_explicit(&at->known->rule, memory_order_acquire);
    return r != NULL ? r : rules_find(t, machine, at);
}

/* Returns the trampoline of the module with a number, or NULL if it has none. It is known as soon
 * as rules of the module are. */
const trampoline *rules_trampoline(const tracer *t, uint32_t number);

/* Reads the rules at an address of user code, if they are not known and the module's file is open:
 * tracers without a reader then find them. */
void rules_read_ahead(recording *p, const unwind_machine *machine, maps *of, bool is_java,
                      uint64_t ip);

/* Releases what has been read. */
void rules_close(recording *p);

#endif
