/* SPDX-License-Identifier: MIT */
/* A required option with a default, which is never used. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .flags = BRZ_OPTION_REQUIRED, .dflt = "1"}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
