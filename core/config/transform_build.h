/* SPDX-License-Identifier: MIT */
/* Builds the transforms of a run from the configuration and the request. */
#ifndef BRZ_TRANSFORM_BUILD_H
#define BRZ_TRANSFORM_BUILD_H

#include "config/resolve.h"
#include "profile/transform.h"

/* Adds the transforms of a run: a demangling step, those of the configuration in `list`, which may
 * be NULL, and those of the request. Their places in the configuration are in `texts`. Returns
 * false after reporting an error. */
bool brz_transforms_build(const brz_resolver *r, const brz_yaml *list, brz_arena *texts,
                          brz_transforms *to);

#endif
