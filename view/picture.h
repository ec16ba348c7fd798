/* SPDX-License-Identifier: MIT */
/* Paints the flame graph, and the status below it. */
#ifndef BRZ_VIEW_PICTURE_H
#define BRZ_VIEW_PICTURE_H

#include "view/viewer.h"

/* Paints the frames that viewer_lay_out() has laid out. */
void view_paint_picture(viewer *v);

/* Paints the two rows of the status: the chosen frame's name and numbers, or what is typed. */
void view_paint_status(viewer *v);

#endif
