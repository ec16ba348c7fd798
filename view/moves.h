/* SPDX-License-Identifier: MIT */
/* Moves the choice from frame to frame. */
#ifndef BRZ_VIEW_MOVES_H
#define BRZ_VIEW_MOVES_H

#include "view/viewer.h"

/* Chooses the caller, `n` times. */
void view_move_out(viewer *v, uint32_t n);

/* Chooses the widest callee that is drawn, `n` times. */
void view_move_in(viewer *v, uint32_t n);

/* Chooses the frame beside, to the right or, if `step` is -1, to the left, in the same row. */
void view_move_aside(viewer *v, int step);

/* Chooses a node, and zooms so that it has cells if it has none. */
void view_move_to(viewer *v, uint32_t node);

#endif
