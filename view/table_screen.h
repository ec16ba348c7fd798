/* SPDX-License-Identifier: MIT */
/* The table on the screen: paints it, and carries out its keys. */
#ifndef BRZ_VIEW_TABLE_SCREEN_H
#define BRZ_VIEW_TABLE_SCREEN_H

#include "view/viewer.h"

/* Opens the table of the graph that is shown. */
void view_table_open(viewer *v);

void view_paint_table(viewer *v);

/* Carries out a key. Returns false for those that mean the same as in the picture. */
bool view_table_key(viewer *v, uint32_t key);

#endif
