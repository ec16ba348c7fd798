/* SPDX-License-Identifier: MIT */
/* Traces call chains. */
#ifndef PERF_DATA_CHAIN_H
#define PERF_DATA_CHAIN_H

#include "tracer.h"

/* Appends the addresses of a sample's call chain, leaf first. `mode` is that of the sample. */
void chain_trace(tracer *t, const event *v, const sample *s, uint32_t mode);

/* Appends the addresses of the user part of a call chain: `n` words. */
void chain_trace_user(tracer *t, const uint8_t *words, uint64_t n);

/* Returns whether an event counts how often the kernel comes to a place in its code. */
bool chain_is_at_place(const event *v);

#endif
