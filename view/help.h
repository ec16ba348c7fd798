/* The list of keys. */
#ifndef BRZ_VIEW_HELP_H
#define BRZ_VIEW_HELP_H

#include "view/viewer.h"

/* Paints the list of keys over the whole screen, in two columns if it is low. */
void view_paint_help(viewer *v);

#endif
