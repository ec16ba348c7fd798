/* SPDX-License-Identifier: MIT */
/* Applies a transform of a plug-in to the stacks of a profile.
 *
 * Several instances share the stacks, each on a thread of its own. They read the profile, and keep
 * what they make until all are done.
 */
#ifndef BRZ_PLUGIN_TRANSFORM_H
#define BRZ_PLUGIN_TRANSFORM_H

#include "base/run.h"
#include "input/related.h"
#include "plugin/component_use.h"
#include "profile/profile.h"

/* The settings with which a run applies its transforms. */
typedef struct brz_transforming {
    brz_run *run;
    unsigned threads;
    uint32_t drops;       /* BRZ_DROPS_*: attributes that new frames lose */
    brz_related *related; /* files that options name; NULL: none can be opened */
} brz_transforming;

/* Applies a transform. The frames of stacks that it leaves out become NULL. Returns false after
 * reporting an error, or if the run is stopped: the profile can then only be destroyed. */
bool brz_plugin_transform(const brz_transforming *how, const brz_use *use, brz_profile *p);

#endif
