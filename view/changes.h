/* SPDX-License-Identifier: MIT */
/* Changes what is shown: other graphs of the profile, each of which can be undone.
 *
 * A change of a large profile is made on a thread, and shown when it is complete. One is made at a
 * time. */
#ifndef BRZ_VIEW_CHANGES_H
#define BRZ_VIEW_CHANGES_H

#include "view/viewer.h"

/* Returns whether a change is complete and can be shown: not while the table covers the picture,
 * which has rows of the present graph. */
bool view_change_is_due(const viewer *v);

/* Shows the change that is being made if that is so. Returns whether it did. */
bool view_change_complete(viewer *v);

/* Drops the change that is being made, if there is one. */
void view_change_cancel(viewer *v);

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

/* Folds runs of unnamed frames of the first graph, without remembering the one before. */
void view_change_begin(viewer *v);

/* Shows each frame of runs of unnamed ones, or folds them. */
void view_change_runs(viewer *v);

/* Opens the run that is chosen, and zooms to it. Returns false if no run is chosen. */
bool view_change_open_run(viewer *v);

/* Shows the callers of a function above its callees. */
void view_change_sandwich(viewer *v, uint32_t frame);

/* Does that for the chosen function. */
void view_change_sandwich_chosen(viewer *v);

#endif
