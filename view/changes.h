/* Changes what is shown: other graphs of the profile, each of which can be undone. */
#ifndef BRZ_VIEW_CHANGES_H
#define BRZ_VIEW_CHANGES_H

#include "view/viewer.h"

/* Puts callees in the order of their names, or heaviest first. */
void view_change_order(viewer *v);

/* Shows stacks from their ends to their roots. */
void view_change_reverse(viewer *v);

/* Leaves out the frames of the chosen function; their callees take their places. */
void view_change_hide(viewer *v);

/* Shows only the chosen function with its callees, joined over all its callers. */
void view_change_focus(viewer *v);

/* Shows the next weight of the profile. */
void view_change_weight(viewer *v);

/* Shows the callers of a function above its callees. */
void view_change_sandwich(viewer *v, uint32_t frame);

/* Does that for the chosen function. */
void view_change_sandwich_chosen(viewer *v);

#endif
