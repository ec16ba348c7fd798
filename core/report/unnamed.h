/* SPDX-License-Identifier: MIT */
/* Finds code without names in a profile, for formats that report nothing about it. */
#ifndef BRZ_UNNAMED_H
#define BRZ_UNNAMED_H

#include "base/diag.h"
#include "profile/profile.h"

/* Adds the finding "quality.unknown" and its details, unless there are findings already or all
 * frames have names. `profile` may be NULL. */
void brz_unnamed_report(const brz_profile *profile, brz_notices *to);

#endif
