/* SPDX-License-Identifier: MIT */
/* A range that contains no number. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .range = "9..1"}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
