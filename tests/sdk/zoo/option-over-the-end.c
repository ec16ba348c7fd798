/* SPDX-License-Identifier: MIT */
/* An option whose value extends beyond the end of the struct. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .offset = sizeof(struct config) - 4}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
