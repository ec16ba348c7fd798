/* SPDX-License-Identifier: MIT */
/* Reads pages of async-profiler, whose script draws frames on a canvas. */
#ifndef PICTURE_CANVAS_H
#define PICTURE_CANVAS_H

#include "graph.h"

/* Returns whether a script draws a flame graph of async-profiler. */
bool canvas_is_it(brz_str script);

/* Reads the frames of such a script, and counts their stacks. */
brz_rc canvas_read(graph *g, brz_ctx *ctx, brz_str script);

#endif
