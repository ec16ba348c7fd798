/* SPDX-License-Identifier: MIT */
/* Makes frames and stacks of the constants of a chunk. */
#ifndef JFR_FRAMES_H
#define JFR_FRAMES_H

#include <brazier/text/stacks.h>

#include "constants.h"

typedef struct frames {
    brz_ctx *ctx;
    bool wants_lines;
    bool merges;       /* names the classes that the JVM generates alike */
    brz_stacks stacks; /* leaf first */
    brz_text name;
} frames;

void frames_init(frames *f, brz_ctx *ctx, bool merges);

/* Returns the stack of an event, which is "[no stack]" if the event has none, or a damaged one.
 * Sets *truncated if the recording has only its upper part. */
brz_stack frames_stack(frames *f, chunk *c, const object *event, bool *truncated);

/* Returns whether the event has a stack trace. */
bool frames_any(const object *event);

#endif
