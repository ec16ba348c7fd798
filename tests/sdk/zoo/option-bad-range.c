/* SPDX-License-Identifier: MIT */
/* An invalid range. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .range = "1-9"}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
