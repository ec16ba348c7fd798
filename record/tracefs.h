/* SPDX-License-Identifier: MIT */
/* Tracepoints of the kernel, from its file system tracefs. */
#ifndef BRZ_RECORD_TRACEFS_H
#define BRZ_RECORD_TRACEFS_H

#include "base/buf.h"

/* Finds the number of the tracepoint SYSTEM:NAME. Returns false and appends the reason to `error`
 * if it does not exist or cannot be read. */
bool brz_tracepoint_id(brz_str word, uint64_t *id, brz_buf *error);

/* Returns false if tracefs can be read and lacks the tracepoint, or if its name is invalid. */
bool brz_tracepoint_may_exist(brz_str word);

/* Appends the description of these tracepoints, as perf stores it (feature TRACING_DATA). Each word
 * is SYSTEM:NAME. */
void brz_tracefs_add_description(brz_buf *b, const brz_str *words, size_t n);

#endif
