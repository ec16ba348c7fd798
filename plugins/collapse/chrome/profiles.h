/* Reads the CPU profiles in a trace, and the samples that it lists. */
#ifndef CHROME_PROFILES_H
#define CHROME_PROFILES_H

#include "trace.h"

/* Reads an event that has a CPU profile of V8, or a part of one. Returns false for others. */
bool profile_take(trace *t, brz_ctx *ctx, const brz_json_token *parts);

/* Finds out which profiles have times. Returns true if any has samples. */
bool profiles_measure(trace *t, brz_ctx *ctx, bool *has_times);

/* Counts the samples of all profiles, and those that the file lists. */
brz_rc profiles_count(trace *t, brz_ctx *ctx);

#endif
