/* SPDX-License-Identifier: MIT */
/* An option whose value lies beyond the end of the struct. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .offset = sizeof(struct config)}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
