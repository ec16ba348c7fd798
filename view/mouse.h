/* SPDX-License-Identifier: MIT */
/* Carries out what the mouse does: a click chooses a frame or a row, and another one on the same
 * frame zooms to it. */
#ifndef BRZ_VIEW_MOUSE_H
#define BRZ_VIEW_MOUSE_H

#include "view/viewer.h"

/* Carries out a click. Returns the key that a turn of the wheel or a second click stands for, or
 * VIEW_KEY_NONE. */
uint32_t view_mouse_key(viewer *v);

#endif
