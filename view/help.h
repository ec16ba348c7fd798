/* SPDX-License-Identifier: MIT */
/* The list of keys. */
#ifndef BRZ_VIEW_HELP_H
#define BRZ_VIEW_HELP_H

#include "view/viewer.h"

/* Paints a page of the list of keys over the whole screen. */
void view_paint_help(viewer *v);

/* Turns to the next page, and after the last one back to what was shown. */
void view_turn_help(viewer *v);

#endif
