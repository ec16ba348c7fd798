/* SPDX-License-Identifier: MIT */
/* A default that is not a valid value of its option. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .dflt = "many"}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
